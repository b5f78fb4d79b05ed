import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectedSeconds } from './restore-duration.policy.ts';

const MB = 1_000_000;

it('assumes four items a second until a restore has ended', () => {
  expect(expectedSeconds({ items: 100, bytes: 5 * MB }, [])).toBe(25);
});

it('finds out what an item and what a byte takes', () => {
  const run = (items: number, bytes: number) => ({ items, bytes, seconds: items * 0.5 + bytes / MB });
  const measured = [run(1_000, 20 * MB), run(10, 500 * MB), run(200, 80 * MB)];
  expect(expectedSeconds({ items: 4, bytes: 100 * MB }, measured)).toBe(102);
  expect(expectedSeconds({ items: 1_000, bytes: 0 }, measured)).toBe(500);
});

it('goes by the items when restores are all alike, or when more bytes took less time', () => {
  const alike = { items: 100, bytes: 10 * MB, seconds: 50 };
  expect(expectedSeconds({ items: 200, bytes: 5 * MB }, [alike, alike])).toBe(100);
  const odd = [
    { items: 100, bytes: 0, seconds: 100 },
    { items: 100, bytes: 90 * MB, seconds: 10 },
  ];
  expect(expectedSeconds({ items: 100, bytes: 90 * MB }, odd)).toBe(55);
});

it('never expects less than nothing, whatever was measured', () => {
  const run = fc.record({
    items: fc.integer({ min: 1, max: 1e6 }),
    bytes: fc.integer({ min: 0, max: 1e12 }),
    seconds: fc.integer({ min: 1, max: 1e6 }),
  });
  fc.assert(
    fc.property(fc.array(run), run, (measured, planned) => {
      const seconds = expectedSeconds(planned, measured);
      expect(Number.isFinite(seconds) && seconds >= 0).toBe(true);
    }),
  );
});
