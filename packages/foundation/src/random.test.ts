import { expect, test } from 'vitest';
import { createSeededRandom, secureRandom } from './random.ts';

test('the same seed gives the same sequence, another seed another', () => {
  const draw = (seed: number): number[] => {
    const random = createSeededRandom(seed);
    return Array.from({ length: 100 }, () => random.below(1_000_000));
  };
  expect(draw(42)).toEqual(draw(42));
  expect(draw(42)).not.toEqual(draw(43));
});

test('draws stay below their limit and reach all of it', () => {
  for (const random of [createSeededRandom(1), secureRandom]) {
    const seen = new Set(Array.from({ length: 2_000 }, () => random.below(10)));
    expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  }
});

test('secure bytes come in any count, never twice, and never as the zeroes that are left behind', () => {
  const drawn = Array.from({ length: 3_000 }, (_, index) => secureRandom.bytes(16 + (index % 17)));
  expect(drawn.every((bytes, index) => bytes.byteLength === 16 + (index % 17))).toBe(true);
  expect(new Set(drawn.map((bytes) => bytes.toString('hex'))).size).toBe(drawn.length);
  expect(drawn.some((bytes) => bytes.every((byte) => byte === 0))).toBe(false);
  expect([0, 511, 512, 513, 10_000].map((count) => secureRandom.bytes(count).byteLength)).toEqual([0, 511, 512, 513, 10_000]);
});

test('bytes that were given out stay as they are when more are drawn', () => {
  const first = secureRandom.bytes(32);
  const copy = first.toString('hex');
  for (let turn = 0; turn < 500; turn += 1) secureRandom.bytes(32);
  expect(first.toString('hex')).toBe(copy);
});
