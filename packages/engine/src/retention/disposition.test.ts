import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  pointDispositions,
  runningMinimums,
  type AwaitedPoints,
  type DatedPoint,
  type PointHold,
  type PointRetention,
} from './disposition.ts';
import { localPeriods } from './local-period.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 15, 12);
const ZONE = 'Europe/Berlin';

function points(...daysAgo: readonly number[]): DatedPoint[] {
  return daysAgo.toSorted((a, b) => b - a).map((days, index) => ({ sequence: index + 1, atMs: NOW - days * DAY }));
}

function kept(
  list: readonly DatedPoint[],
  rule: Omit<PointRetention, 'timeZone'>,
  holds: readonly PointHold[] = [],
  awaited: readonly AwaitedPoints[] = [],
): number[] {
  return pointDispositions(list, { ...rule, timeZone: ZONE }, { holds, awaited, minimums: [] }, NOW)
    .filter((point) => point.keep)
    .map((point) => (NOW - point.atMs) / DAY);
}

describe('what becomes of restore points', () => {
  it('keeps everything without a rule', () => {
    expect(kept(points(0, 100, 4000), {})).toEqual([4000, 100, 0]);
  });

  it('keeps by age and by count, whichever keeps more', () => {
    expect(kept(points(0, 1, 2, 30, 31, 90), { keepDays: 31 })).toEqual([30, 2, 1, 0]);
    expect(kept(points(0, 1, 2, 30, 31, 90), { keepLast: 2 })).toEqual([1, 0]);
    expect(kept(points(0, 1, 2, 30, 31, 90), { keepDays: 2, keepLast: 3 })).toEqual([2, 1, 0]);
  });

  it('keeps the last point of days, weeks, months and years', () => {
    const list = points(0, 0.2, 1, 1.1, 7, 8, 35, 36, 400, 401);
    expect(kept(list, { daily: 2 })).toEqual([1, 0]);
    expect(kept(list, { monthly: 3 })).toEqual([400, 35, 0]);
    expect(kept(list, { yearly: 2 })).toEqual([400, 0]);
  });

  it('keeps what an archive has yet to take in, and names who waits', () => {
    const list = points(0, 10, 20, 30, 40);
    const awaited = [{ name: 'Archive', fromSequence: 2, toSequence: 3 }];
    expect(kept(list, { keepLast: 1 }, [], awaited)).toEqual([30, 20, 0]);
    const judged = pointDispositions(list, { keepLast: 1, timeZone: ZONE }, { holds: [], awaited, minimums: [] }, NOW);
    expect(judged.map(({ awaitedBy }) => awaitedBy)).toEqual([[], ['Archive'], ['Archive'], [], []]);
    expect(judged[1]?.reasons).toEqual(['awaited']);
  });

  it('keeps what has messages within the minimum of a policy, and names the policy and its end', () => {
    const list = points(0, 10, 20, 30, 40);
    const letters = [
      { name: 'Letters', fromSequence: 2, untilMs: NOW - DAY },
      { name: 'Letters', fromSequence: 4, untilMs: NOW + DAY },
      { name: 'Letters', fromSequence: 3, untilMs: NOW + 5 * DAY },
    ];
    const judged = pointDispositions(list, { keepLast: 1, timeZone: ZONE }, { holds: [], awaited: [], minimums: letters }, NOW);
    expect(judged.map(({ keep }) => keep)).toEqual([false, false, true, true, true]);
    expect(judged[2]).toMatchObject({
      reasons: ['minimum'],
      minimums: [{ name: 'Letters', fromSequence: 3, untilMs: NOW + 5 * DAY }],
    });
    expect(judged[1]).toMatchObject({ keep: false, minimums: [] });
  });

  it('keeps of files the points alone that a minimum names, until each of its periods ends', () => {
    const list = points(0, 10, 20, 30, 40);
    const of = (sequence: number, untilMs: number | null) => ({
      name: 'Contracts',
      fromSequence: sequence,
      sequences: new Set([sequence]),
      untilMs,
    });
    const minimums = [of(1, NOW), of(2, NOW + DAY), of(4, NOW + 5 * DAY)];
    const judged = pointDispositions(list, { keepLast: 1, timeZone: ZONE }, { holds: [], awaited: [], minimums }, NOW);
    expect(judged.map(({ keep }) => keep)).toEqual([false, true, false, true, true]);
    expect(judged.map(({ reasons }) => reasons.includes('minimum'))).toEqual([false, true, false, true, false]);
    expect(runningMinimums([...minimums, of(3, null)], NOW)).toEqual([
      { name: 'Contracts', fromSequence: 2, sequences: new Set([2, 3, 4]), untilMs: null },
    ]);
  });

  it('lets the longest minimum win, and one that waits for an event has no end', () => {
    const list = points(0, 10, 20, 30);
    const minimums = [
      { name: 'Letters', fromSequence: 3, untilMs: NOW + DAY },
      { name: 'Leavers', fromSequence: 2, untilMs: null },
      { name: 'Leavers', fromSequence: 3, untilMs: NOW + DAY },
      { name: 'Short', fromSequence: 1, untilMs: NOW },
    ];
    const judged = pointDispositions(list, { keepLast: 1, timeZone: ZONE }, { holds: [], awaited: [], minimums }, NOW);
    expect(judged.map(({ keep }) => keep)).toEqual([false, true, true, true]);
    expect(runningMinimums(minimums, NOW)).toEqual([
      { name: 'Letters', fromSequence: 3, untilMs: NOW + DAY },
      { name: 'Leavers', fromSequence: 2, untilMs: null },
    ]);
  });

  it('keeps of a hold on single items only the points that have them', () => {
    const list = points(0, 10, 20, 30, 40);
    expect(kept(list, { keepLast: 1 }, [{ name: 'Contracts', sequences: new Set([2, 3]) }])).toEqual([30, 20, 0]);
    expect(kept(list, { keepLast: 1 }, [{ name: 'Elsewhere', sequences: new Set() }])).toEqual([0]);
  });

  it('never gives up the newest point', () => {
    expect(kept(points(500), { keepDays: 1 })).toEqual([500]);
  });

  it('counts days in the zone of the organisation', () => {
    expect(localPeriods(Date.UTC(2026, 11, 31, 23, 30), ZONE)).toEqual({
      day: '2027-01-01',
      week: '2026-W53',
      month: '2027-01',
      year: '2027',
    });
  });

  it('lets no point of the future stand for the day, week, month or year of another', () => {
    expect(kept(points(-400, -1, 1, 2, 3), { daily: 2, yearly: 1 })).toEqual([2, 1, -1, -400]);
  });

  it('lets a hold win over every rule, within its bounds', () => {
    const list = points(0, 1, 5, 10, 20, 30, 40);
    expect(kept(list, { keepLast: 1 }, [{ name: 'case' }])).toEqual([40, 30, 20, 10, 5, 1, 0]);
    expect(kept(list, { keepLast: 1 }, [{ name: 'case', fromMs: NOW - 21 * DAY, toMs: NOW - 9 * DAY }])).toEqual([30, 20, 10, 5, 0]);
    expect(kept(list, { keepLast: 1 }, [{ name: 'case', toMs: NOW - 20 * DAY }])).toEqual([40, 30, 20, 10, 0]);
    expect(kept(list, { keepLast: 1 }, [{ name: 'case', fromMs: NOW - 5 * DAY }])).toEqual([10, 5, 1, 0]);
  });

  it('holds what was there in a period in which no point was made', () => {
    const list = points(0, 2, 7, 14, 21);
    const period = { name: 'case', fromMs: NOW - 12 * DAY, toMs: NOW - 10 * DAY };
    expect(kept(list, { keepLast: 1 }, [period])).toEqual([14, 7, 0]);
  });

  const anyRule = fc.record(
    { keepDays: fc.nat(60), keepLast: fc.nat(9), daily: fc.nat(9), weekly: fc.nat(6), monthly: fc.nat(6), yearly: fc.nat(3) },
    { requiredKeys: [] },
  );
  const anyPoints = fc
    .array(fc.integer({ min: 0, max: 900 * 24 }), { minLength: 1, maxLength: 40 })
    .map((hours) => points(...hours.map((hour) => hour / 24)));

  it('never turns keep into delete when a hold or a longer rule is added', () => {
    fc.assert(
      fc.property(anyPoints, anyRule, fc.nat(60), (list, rule, more) => {
        const before = new Set(kept(list, rule));
        const withHold = new Set(kept(list, rule, [{ name: 'hold' }]));
        const longer = new Set(kept(list, { ...rule, keepDays: (rule.keepDays ?? 0) + more, keepLast: (rule.keepLast ?? 0) + more }));
        const lost = Object.keys(rule).length > 0 ? [...before].filter((point) => !longer.has(point)) : [];
        expect(lost).toEqual([]);
        for (const point of before) expect(withHold.has(point)).toBe(true);
        expect(withHold.size).toBe(new Set(list.map((point) => point.atMs)).size);
      }),
      { numRuns: 2_000 },
    );
  });

  it('equals a plain reference on 10,000 random cases', () => {
    const reference = (list: readonly DatedPoint[], rule: PointRetention): Set<number> => {
      const result = new Set<number>();
      const newestFirst = [...list].reverse();
      newestFirst.forEach((point, index) => {
        if (index === 0 || index < (rule.keepLast ?? 0)) result.add(point.sequence);
        if (rule.keepDays !== undefined && point.atMs > NOW - rule.keepDays * DAY) result.add(point.sequence);
      });
      for (const [name, unit] of [
        ['daily', 'day'],
        ['weekly', 'week'],
        ['monthly', 'month'],
        ['yearly', 'year'],
      ] as const) {
        const groups = Map.groupBy(newestFirst, (point) => localPeriods(point.atMs, rule.timeZone)[unit]);
        for (const group of [...groups.values()].slice(0, rule[name] ?? 0)) if (group[0]) result.add(group[0].sequence);
      }
      return Object.keys(rule).length === 1 ? new Set(list.map((point) => point.sequence)) : result;
    };
    fc.assert(
      fc.property(anyPoints, anyRule, (list, partial) => {
        const rule = { ...partial, timeZone: ZONE };
        const own = pointDispositions(list, rule, { holds: [], awaited: [], minimums: [] }, NOW)
          .filter((point) => point.keep)
          .map((point) => point.sequence);
        expect(new Set(own)).toEqual(reference(list, rule));
      }),
      { numRuns: 10_000 },
    );
  });
});
