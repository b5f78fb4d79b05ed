import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateOf } from './estimate.ts';

const rounded = (found: number, sampled: number): number[] => {
  const { low, high } = estimateOf(found, sampled) ?? { low: NaN, high: NaN };
  return [Number(low.toFixed(4)), Number(high.toFixed(4))];
};

test('A35: the interval is that of the published tables of Clopper and Pearson', () => {
  expect(rounded(0, 10)).toEqual([0, 0.3085]);
  expect(rounded(10, 10)).toEqual([0.6915, 1]);
  expect(rounded(1, 20)).toEqual([0.0013, 0.2487]);
  expect(rounded(5, 50)).toEqual([0.0333, 0.2181]);
  expect(rounded(50, 100)).toEqual([0.3983, 0.6017]);
  // The rule of three for a sample without a find.
  expect(rounded(0, 3_000)).toEqual([0, 0.0012]);
  expect(estimateOf(0, 0)).toBeNull();
});

test('A35: over 100 planted corpora the 95 % interval of a drawn sample holds the truth at least 93 times', () => {
  const held = Array.from({ length: 100 }, (_, corpus) => {
    const share = (corpus % 10) / 40 + 0.01;
    const items = Array.from({ length: 5_000 }, (_, at) => at);
    const hash = (text: string): string => createHash('md5').update(text).digest('hex');
    const isRelevant = (at: number): boolean => Number.parseInt(hash(`plant ${corpus} ${at}`).slice(0, 8), 16) / 2 ** 32 < share;
    const truth = items.filter(isRelevant).length / items.length;
    // Drawn as the store draws: by the hashes of a seed and the items.
    const order = items.map((at) => [hash(`${corpus} ${at}`), at] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const sample = order.slice(0, 200).map(([, at]) => at);
    const { low, high } = estimateOf(sample.filter(isRelevant).length, sample.length) ?? { low: 1, high: 0 };
    return low <= truth && truth <= high;
  });
  expect(held.filter(Boolean).length).toBeGreaterThanOrEqual(93);
});

test('an interval holds its share, is between 0 and 1, and that of the opposite is its mirror image', () => {
  const cases = fc
    .integer({ min: 1, max: 10_000 })
    .chain((sampled) => fc.tuple(fc.integer({ min: 0, max: sampled }), fc.constant(sampled)));
  fc.assert(
    fc.property(cases, ([found, sampled]) => {
      const one = estimateOf(found, sampled);
      const other = estimateOf(sampled - found, sampled);
      if (one === null || other === null) throw new Error('A sample has an interval.');
      expect(one.low).toBeGreaterThanOrEqual(0);
      expect(one.low).toBeLessThanOrEqual(one.share);
      expect(one.high).toBeGreaterThanOrEqual(one.share);
      expect(one.high).toBeLessThanOrEqual(1);
      expect(one.low).toBeCloseTo(1 - other.high, 9);
    }),
    { numRuns: 60 },
  );
});
