import { inflateSync } from 'node:zlib';
import type { Shape } from '@holdfast/contract/paper';
import { expect, test } from 'vitest';
import { drawBars } from './charts.ts';
import { drawPicture } from './picture.ts';

/** The pixels of a picture, as a reader of the format finds them. */
function pixelsOf(png: Buffer): { width: number; at: (x: number, y: number) => number[] } {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001A\n');
  const width = png.readUInt32BE(16);
  const data = inflateSync(png.subarray(png.indexOf('IDAT') + 4));
  return { width, at: (x, y) => [...data.subarray(y * (width * 3 + 1) + 1 + x * 3, y * (width * 3 + 1) + 4 + x * 3)] };
}

const white = [255, 255, 255];

test('a shape is where it is in the drawing, in its shade, with a smooth edge', () => {
  const rect: Shape = { kind: 'rect', x: 2, y: 1, width: 3, height: 2.25, ink: 'brand' };
  const { width, at } = pixelsOf(drawPicture({ width: 10, height: 5, shapes: [rect] }));
  expect(width).toBe(20);
  expect([at(3, 3), at(4, 2), at(9, 5), at(10, 5), at(4, 7)]).toEqual([white, [15, 61, 117], [15, 61, 117], white, white]);
  expect(at(4, 6)).toEqual([135, 158, 186]);
});

test('letters are drawn with their holes, at the end of their room when they are anchored there', () => {
  const { at } = pixelsOf(
    drawPicture({ width: 40, height: 40, shapes: [{ kind: 'text', x: 40, y: 36, text: 'O', anchor: 'end', size: 40, ink: 'text' }] }),
  );
  const line = Array.from({ length: 80 }, (_, x) => at(x, 44)[0] ?? 255);
  const dark = line.map((shade) => shade < 100);
  const turns = dark.filter((isDark, x) => isDark !== (dark[x - 1] ?? false)).length;
  expect(turns, 'ground, stroke, hole, stroke, ground').toBe(4);
  expect(dark.indexOf(true)).toBeGreaterThan(20);
});

test('the same drawing is the same picture, and small enough for a mail', () => {
  const bars = drawBars(
    [{ label: 'Exchange', shown: '12 / 14', values: [12, 2] }],
    [
      { name: 'Protected', ink: 'success' },
      { name: 'Not protected', ink: 'danger' },
    ],
  );
  const picture = drawPicture(bars);
  expect(picture.equals(drawPicture(bars))).toBe(true);
  expect(picture.byteLength).toBeLessThan(40_000);
});
