import { expect, test } from 'vitest';
import { judgedAt, retentionOf } from './retention-of.ts';

const terms = { retainDays: 0, timeZone: 'Europe/Berlin', nowMs: 1_000 };
const gfs = { mode: 'gfs', daily: 7, weekly: 4, monthly: 12, yearly: 3 } as const;
const disabled = { mode: 'disabled' } as const;

test('days, weeks and months are those of the schedule, else those of the organisation', () => {
  const nightly = { mode: 'daily', time: '22:00', timeZone: 'Asia/Tokyo' } as const;
  expect(retentionOf({ retention: gfs, schedule: nightly }, terms)).toEqual({
    timeZone: 'Asia/Tokyo',
    daily: 7,
    weekly: 4,
    monthly: 12,
    yearly: 3,
  });
  expect(retentionOf({ retention: gfs, schedule: disabled }, terms).timeZone).toBe('Europe/Berlin');
});

test('what the location keeps is kept beside every rule, and a longer rule stays', () => {
  const keeping = { ...terms, retainDays: 30 };
  const keepDays = (retention: Parameters<typeof retentionOf>[0]['retention']) =>
    retentionOf({ retention, schedule: disabled }, keeping).keepDays;
  expect(keepDays({ mode: 'count', count: 1 })).toBe(30);
  expect(keepDays(gfs)).toBe(30);
  expect(keepDays({ mode: 'days', days: 7 })).toBe(30);
  expect(keepDays({ mode: 'days', days: 90 })).toBe(90);
});

test('a job that keeps everything is not made one that keeps some days', () => {
  expect(retentionOf({ retention: { mode: 'all' }, schedule: disabled }, { ...terms, retainDays: 30 })).toEqual({
    timeZone: 'Europe/Berlin',
  });
});

test('the age of a point is told by the clock that is furthest behind, of process, database and Microsoft 365', () => {
  expect(judgedAt({ nowMs: () => 5_000_000 }, terms, 7_000_000)).toBe(1_000);
  expect(judgedAt({ nowMs: () => 10 }, terms, 7_000_000)).toBe(10);
  expect(judgedAt({ nowMs: () => 5_000_000 }, terms, 500)).toBe(500);
});
