import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pointsToGiveUp, type KeptPoint } from './retention-rule.ts';

const day = 86_400_000;
const now = new Date('2026-11-21T12:00:00Z');
/** One point a day, the newest today. */
function daily(count: number): KeptPoint[] {
  return Array.from({ length: count }, (_, index) => ({ sequence: index + 1, at: new Date(now.getTime() - (count - 1 - index) * day) }));
}
const sequences = (points: readonly KeptPoint[]): number[] => points.map((point) => point.sequence);

test('by days, what is older goes', () => {
  expect(sequences(pointsToGiveUp(daily(10), { mode: 'days', days: 3 }, now))).toEqual([1, 2, 3, 4, 5, 6]);
});

test('by count, the newest stay', () => {
  expect(sequences(pointsToGiveUp(daily(10), { mode: 'count', count: 4 }, now))).toEqual([1, 2, 3, 4, 5, 6]);
});

test('grandfather, father, son keep the newest of each period', () => {
  const given = pointsToGiveUp(daily(400), { mode: 'gfs', daily: 7, weekly: 4, monthly: 3, yearly: 2 }, now);
  const kept = daily(400).filter((point) => !given.some((gone) => gone.sequence === point.sequence));
  expect(kept.map((point) => point.at.toISOString().slice(0, 10))).toEqual([
    '2025-12-31',
    '2026-09-30',
    '2026-10-31',
    '2026-11-01',
    '2026-11-08',
    '2026-11-15',
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
  ]);
});

test('the newest point stays whatever the rule says', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5 }), (count, days) => {
      const old = daily(count).map((point) => ({ ...point, at: new Date(point.at.getTime() - 1_000 * day) }));
      const gone = pointsToGiveUp(old, { mode: 'days', days }, now);
      expect(sequences(gone)).toEqual(Array.from({ length: count - 1 }, (_, index) => index + 1));
    }),
  );
});

test('nothing goes where all is kept, and nothing of nothing', () => {
  expect(pointsToGiveUp(daily(5), { mode: 'all' }, now)).toEqual([]);
  expect(pointsToGiveUp([], { mode: 'count', count: 1 }, now)).toEqual([]);
});
