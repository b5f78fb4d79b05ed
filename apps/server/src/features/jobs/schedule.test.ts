import type { Schedule } from '@holdfast/contract/jobs/schedule';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueOccurrences, isTimeZone, nextOccurrence, nextOccurrences } from './schedule.ts';

const at = (text: string): number => Date.parse(text);
const iso = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : new Date(ms).toISOString());
const daily = (time: string, timeZone = 'Europe/Berlin'): Schedule => ({ mode: 'daily', time, timeZone });

function next(schedule: Schedule, after: string): string | undefined {
  return iso(nextOccurrence(schedule, at(after), at(after))?.atMs);
}

test('a daily job runs at its local time, in winter and in summer', () => {
  expect(next(daily('22:30'), '2026-01-10T12:00:00Z')).toBe('2026-01-10T21:30:00.000Z');
  expect(next(daily('22:30'), '2026-07-10T12:00:00Z')).toBe('2026-07-10T20:30:00.000Z');
  expect(next(daily('22:30'), '2026-07-10T20:30:00Z')).toBe('2026-07-11T20:30:00.000Z');
});

test('a time that the clock skips runs at the first moment after the gap', () => {
  expect(next(daily('02:30'), '2027-03-27T12:00:00Z')).toBe('2027-03-28T01:00:00.000Z');
});

test('a time that comes twice runs at its first only', () => {
  expect(next(daily('02:30'), '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
  expect(next(daily('02:30'), '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z');
});

test('a zone that moves by half an hour is met exactly', () => {
  expect(next(daily('02:15', 'Australia/Lord_Howe'), '2026-10-03T00:00:00Z')).toBe('2026-10-03T15:30:00.000Z');
});

test('a weekly job runs on its days alone', () => {
  const schedule: Schedule = { mode: 'weekly', time: '06:00', timeZone: 'UTC', weekdays: [1, 5] };
  expect(nextOccurrences(schedule, at('2026-11-21T00:00:00Z'), 0, 3).map((found) => iso(found.atMs))).toEqual([
    '2026-11-23T06:00:00.000Z',
    '2026-11-27T06:00:00.000Z',
    '2026-11-30T06:00:00.000Z',
  ]);
});

test('a job on a date runs once', () => {
  const schedule: Schedule = { mode: 'date', date: '2026-12-24', time: '18:00', timeZone: 'Europe/Berlin' };
  expect(next(schedule, '2026-11-21T00:00:00Z')).toBe('2026-12-24T17:00:00.000Z');
  expect(next(schedule, '2026-12-24T17:00:00Z')).toBeUndefined();
});

test('every N minutes counts elapsed time, also across a clock change', () => {
  const schedule: Schedule = { mode: 'interval', everyMinutes: 60 };
  const anchor = at('2026-10-24T23:10:00Z');
  const runs = nextOccurrences(schedule, anchor, anchor, 3).map((found) => iso(found.atMs));
  expect(runs).toEqual(['2026-10-25T00:10:00.000Z', '2026-10-25T01:10:00.000Z', '2026-10-25T02:10:00.000Z']);
});

test('schedules without a time of their own are never due', () => {
  expect(next({ mode: 'disabled' }, '2026-01-01T00:00:00Z')).toBeUndefined();
  expect(next({ mode: 'afterCreation' }, '2026-01-01T00:00:00Z')).toBeUndefined();
});

test('after a downtime everything that was due is found, the newest within the limit', () => {
  const range = { afterMs: at('2026-11-01T00:00:00Z'), untilMs: at('2026-11-20T00:00:00Z'), anchorMs: 0 };
  expect(dueOccurrences(daily('03:00', 'UTC'), range, 100)).toHaveLength(19);
  expect(dueOccurrences(daily('03:00', 'UTC'), range, 2).map((due) => iso(due.atMs))).toEqual([
    '2026-11-18T03:00:00.000Z',
    '2026-11-19T03:00:00.000Z',
  ]);
});

test('over years, in any zone and at any time, each local day has exactly one occurrence and none is found twice', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'America/Santiago',
    'UTC',
    'Africa/Casablanca',
  ];
  const minute = fc.integer({ min: 0, max: 1_439 });
  fc.assert(
    fc.property(fc.constantFrom(...zones), minute, fc.integer({ min: 2024, max: 2035 }), (timeZone, minutes, year) => {
      const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
      const start = Temporal.ZonedDateTime.from({ timeZone, year, month: 1, day: 1 }).epochMilliseconds - 1;
      const found = nextOccurrences(daily(time, timeZone), start, start, 365);
      const days = found.map((due) => due.key.slice(0, 10));
      expect(new Set(days).size).toBe(365);
      expect(days[0]).toBe(`${year}-01-01`);
      expect(found.every((due, index) => index === 0 || due.atMs > (found[index - 1]?.atMs ?? 0))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('only zones that exist are accepted', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true);
  expect(isTimeZone('Mars/Olympus')).toBe(false);
});
