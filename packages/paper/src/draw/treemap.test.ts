import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divide, drawTreemap } from './treemap.ts';

const frame = { x: 0, y: 0, width: 640, height: 300 };

test('areas are as large as their values, fill the frame, and none covers another', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 40 }), (values) => {
      const sorted = values.toSorted((a, b) => b - a);
      const total = sorted.reduce((all, value) => all + value, 0);
      const frames = divide(sorted, frame);
      expect(frames).toHaveLength(sorted.length);
      for (const [place, { x, y, width, height }] of frames.entries()) {
        const share = (sorted[place] ?? 0) / total;
        expect(Math.abs((width * height) / (frame.width * frame.height) - share)).toBeLessThan(1e-6);
        expect(x >= -1e-6 && y >= -1e-6 && x + width <= frame.width + 1e-6 && y + height <= frame.height + 1e-6).toBe(true);
        for (const other of frames.slice(place + 1)) {
          const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
          const down = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
          expect(across < 1e-6 || down < 1e-6).toBe(true);
        }
      }
    }),
  );
});

test('equal values become squares rather than strips', () => {
  for (const { width, height } of divide([1, 1, 1, 1], { ...frame, width: 300 })) expect([width, height]).toEqual([150, 150]);
});

test('each area says what it is where there is room, marks its part at the foot, and nothing of no size is drawn', () => {
  const areas = [
    { label: 'A', shown: '0 MB', value: 0, marked: 0 },
    { label: 'Marketing', shown: '30 MB', value: 30, marked: 0.5 },
    { label: 'A site with quite a long name', shown: '1 KB', value: 0.01, marked: 0 },
  ];
  const { shapes } = drawTreemap(areas, { ...frame, size: 12 });
  const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
  const rects = shapes.flatMap((shape) => (shape.kind === 'rect' ? [shape] : []));
  expect(texts).toEqual(['Marketing', '30 MB']);
  expect(rects.map(({ ink }) => ink)).toEqual(['grid', 'brand', 'grid']);
  const [area, mark] = rects;
  expect(mark?.width).toBeCloseTo((area?.width ?? 0) / 2, 1);
  expect(mark && area && mark.y + mark.height).toBeCloseTo((area?.y ?? 0) + (area?.height ?? 0), 1);
});
