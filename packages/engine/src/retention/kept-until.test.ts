import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayShownAt, slowLastDay, zonesWithTraps } from '../../testing/slow-calendar.ts';
import { endOfDay, lastKeptDay, localDay, type RetentionPeriod } from './kept-until.ts';

const letters: RetentionPeriod = { anchor: 'received', length: { amount: 6, unit: 'years' }, start: 'calendarYear', fiscalYearEnd: 12 };
const aYear: RetentionPeriod = { ...letters, length: { amount: 1, unit: 'years' }, start: 'day' };
const berlin = 'Europe/Berlin';

interface Times {
  readonly archivedMs: number;
  readonly receivedMs: number;
  readonly event: string | null;
  readonly labelled?: string | null;
}

/** The moment until which a policy keeps a message; null while its period waits for an event. */
function keptUntil(period: RetentionPeriod, { archivedMs, receivedMs, event, labelled = null }: Times, timeZone: string): number | null {
  const days = { archived: localDay(archivedMs, timeZone), received: localDay(receivedMs, timeZone) };
  const last = lastKeptDay(period, { ...days, event, labelled });
  return last === null ? null : endOfDay(last, timeZone);
}

function until(period: RetentionPeriod, received: string, timeZone = berlin): string {
  const times = { archivedMs: Date.parse('2026-11-27T12:00:00Z'), receivedMs: Date.parse(received), event: null };
  const at = keptUntil(period, times, timeZone);
  return at === null ? 'without end' : new Date(at).toISOString();
}

test('a period that begins with the end of the calendar year ends with one', () => {
  expect(until(letters, '2019-03-05T12:00:00Z')).toBe('2025-12-31T23:00:00.000Z');
});

test('the year of a message is that of the organisation, not that of Greenwich', () => {
  expect(until(letters, '2019-12-31T23:30:00Z')).toBe('2026-12-31T23:00:00.000Z');
  expect(until(letters, '2019-12-31T23:30:00Z', 'UTC')).toBe('2026-01-01T00:00:00.000Z');
});

test('a year from a leap day ends with the last day of February', () => {
  expect(until(aYear, '2024-02-29T12:00:00Z')).toBe('2025-02-28T23:00:00.000Z');
});

test('a fiscal year that ends in February has its leap day', () => {
  const books: RetentionPeriod = { ...aYear, start: 'fiscalYear', fiscalYearEnd: 2 };
  expect(until(books, '2022-03-01T12:00:00Z', 'UTC')).toBe('2024-03-01T00:00:00.000Z');
  expect(until(books, '2023-02-28T12:00:00Z', 'UTC')).toBe('2024-03-01T00:00:00.000Z');
});

test('an event starts the period, what came later counts from its own arrival, and before any event there is no end', () => {
  const left: RetentionPeriod = { ...aYear, anchor: 'event' };
  const times = { archivedMs: 0, receivedMs: Date.parse('2020-05-05T12:00:00Z') };
  expect(keptUntil(left, { ...times, event: null }, 'UTC')).toBeNull();
  expect(keptUntil(left, { ...times, event: '2024-06-30' }, 'UTC')).toBe(Date.parse('2025-07-01T00:00:00Z'));
  expect(keptUntil(left, { ...times, event: '2019-01-01' }, 'UTC')).toBe(Date.parse('2021-05-06T00:00:00Z'));
});

test('a label starts the period, and while nobody knows the labels there is no end', () => {
  const labelled: RetentionPeriod = { ...aYear, anchor: 'labelled' };
  const times = { archivedMs: 0, receivedMs: Date.parse('2020-05-05T12:00:00Z'), event: null };
  expect(keptUntil(labelled, { ...times, labelled: null }, 'UTC')).toBeNull();
  expect(keptUntil(labelled, { ...times, labelled: '2024-06-30' }, 'UTC')).toBe(Date.parse('2025-07-01T00:00:00Z'));
});

test('a day ends when no clock of the zone shows it any more, wherever clocks are changed', () => {
  const end = (day: string, zone: string) => new Date(endOfDay(day, zone)).toISOString();
  // Midnight does not exist: the day after it begins at one o'clock.
  expect(end('2018-11-03', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z');
  // A minute after midnight the clock was put back into the day that had ended.
  expect(end('2006-10-28', 'America/St_Johns')).toBe('2006-10-29T03:30:00.000Z');
  // Midnight is shown twice, both times of the new day.
  expect(end('2024-10-26', 'Atlantic/Azores')).toBe('2024-10-27T00:00:00.000Z');
  // A day that was left out.
  expect(end('2011-12-29', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z');
});

const QUARTER_MS = 15 * 60_000;
const cases = fc.record({
  zone: fc.constantFrom(...zonesWithTraps),
  anchor: fc.constantFrom('archived' as const, 'received' as const, 'event' as const, 'labelled' as const),
  start: fc.constantFrom('day' as const, 'calendarYear' as const, 'fiscalYear' as const),
  fiscalYearEnd: fc.integer({ min: 1, max: 12 }),
  length: fc.oneof(
    fc.record({ unit: fc.constant('days' as const), amount: fc.integer({ min: 1, max: 800 }) }),
    fc.record({ unit: fc.constant('months' as const), amount: fc.integer({ min: 1, max: 130 }) }),
    fc.record({ unit: fc.constant('years' as const), amount: fc.integer({ min: 1, max: 31 }) }),
  ),
  archivedMs: fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2035-01-01') }),
  receivedMs: fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2035-01-01') }),
  eventMs: fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2035-01-01') }),
  labelledMs: fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2035-01-01') }),
});

test('the end of a period is that of a slow calendar, over 100,000 random policies, messages and zones', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(cases, ({ zone, archivedMs, receivedMs, eventMs, labelledMs, ...period }) => {
      const event = dayShownAt(eventMs, 'UTC');
      const labelled = dayShownAt(labelledMs, zone);
      const at = keptUntil(period, { archivedMs, receivedMs, event, labelled }, zone) ?? 0;
      const archived = dayShownAt(archivedMs, zone);
      const received = dayShownAt(receivedMs, zone);
      const anchors = { archived, received, event: event > received ? event : received, labelled };
      const last = slowLastDay(period, anchors[period.anchor]);
      const isOver = (ms: number): boolean => dayShownAt(ms, zone) > last;
      // The last moment of the last day is before it, and none is after it.
      return !isOver(at - 1) && [0, 1, 2, 4, 8].every((quarters) => isOver(at + quarters * QUARTER_MS));
    }),
    { numRuns: 100_000 },
  );
});

test('the day of a message is the one that clocks of the zone show', () => {
  for (const zone of zonesWithTraps) {
    for (const at of ['2024-03-31T00:59:59Z', '2024-10-27T01:00:00Z', '2011-12-30T09:59:59Z', '2020-02-29T23:59:59Z']) {
      expect(localDay(Date.parse(at), zone)).toBe(dayShownAt(Date.parse(at), zone));
    }
  }
});
