import { describe, expect, it } from 'vitest';
import { dateOf, occurrenceDays } from './recurrence.ts';
import { toLocal, toUtcMs } from './time-zones.ts';

const range = { type: 'numbered', startDate: '2026-01-31', numberOfOccurrences: 4 };

describe('a series', () => {
  it.each([
    [{ type: 'daily', interval: 2 }, ['2026-01-31', '2026-02-02', '2026-02-04', '2026-02-06']],
    [
      { type: 'weekly', interval: 2, daysOfWeek: ['saturday'], firstDayOfWeek: 'monday' },
      ['2026-01-31', '2026-02-14', '2026-02-28', '2026-03-14'],
    ],
    [
      { type: 'weekly', interval: 1, daysOfWeek: ['monday', 'saturday'], firstDayOfWeek: 'monday' },
      ['2026-01-31', '2026-02-02', '2026-02-07', '2026-02-09'],
    ],
    [{ type: 'absoluteMonthly', interval: 1, dayOfMonth: 31 }, ['2026-01-31', '2026-03-31', '2026-05-31', '2026-07-31']],
    [
      { type: 'relativeMonthly', interval: 1, daysOfWeek: ['friday'], index: 'last' },
      ['2026-02-27', '2026-03-27', '2026-04-24', '2026-05-29'],
    ],
    [{ type: 'absoluteYearly', interval: 1, month: 1, dayOfMonth: 31 }, ['2026-01-31', '2027-01-31', '2028-01-31', '2029-01-31']],
  ])('by %j is on %j', (pattern, expected) => {
    expect([...occurrenceDays({ pattern, range })].map((day) => dateOf(day))).toEqual(expected);
  });

  it('ends with its last date', () => {
    const pattern = { type: 'daily', interval: 1 };
    expect([...occurrenceDays({ pattern, range: { type: 'endDate', startDate: '2026-01-30', endDate: '2026-02-01' } })]).toHaveLength(3);
  });
});

describe('local times', () => {
  it.each([
    ['2026-03-28T09:00:00', 'W. Europe Standard Time', '2026-03-28T08:00:00.000Z'],
    ['2026-03-30T09:00:00', 'W. Europe Standard Time', '2026-03-30T07:00:00.000Z'],
    ['2026-03-30T09:00:00', 'Europe/Berlin', '2026-03-30T07:00:00.000Z'],
    ['2026-07-01T00:00:00.0000000', 'Pacific Standard Time', '2026-07-01T07:00:00.000Z'],
    ['2026-07-01T00:00:00', 'UTC', '2026-07-01T00:00:00.000Z'],
  ])('%s in %s is %s', (local, zone, utc) => {
    expect(new Date(toUtcMs(local, zone)).toISOString()).toBe(utc);
    expect(toLocal(Date.parse(utc), zone).slice(0, 19)).toBe(local.slice(0, 19));
  });
});
