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
