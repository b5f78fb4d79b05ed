import { expect, test } from 'vitest';
import { createFormat } from './format.ts';

const en = createFormat('en', 'Europe/Berlin');
const de = createFormat('de', 'Europe/Berlin');

test('bytes go in steps of 1,024 with three significant digits', () => {
  expect([0, 704.23, 1023, 1024, 1_782_000_000, 5 * 1024 ** 4].map((value) => en.bytes(value))).toEqual([
    '0 B',
    '704 B',
    '1023 B',
    '1 KB',
    '1.66 GB',
    '5 TB',
  ]);
  expect(de.bytes(1_782_000_000)).toBe('1,66 GB');
});

test('the next unit of bytes begins at 1,024 of the one before, never earlier', () => {
  expect(
    [1023.4, 1023.5, 999 * 1024, 1_043_000, 1_048_000, 1024 ** 2 - 1, 1_080_000, 1000 * 1024 ** 3].map((value) => en.bytes(value)),
  ).toEqual(['1023 B', '1 KB', '999 KB', '1019 KB', '1023 KB', '1 MB', '1.03 MB', '1000 GB']);
  expect(de.bytes(1_043_000)).toBe('1019 KB');
});

test('counts have the separators of the language', () => {
  expect([0, 999, 1000, 4_310_000].map((value) => en.count(value))).toEqual(['0', '999', '1,000', '4,310,000']);
  expect([999, 1000, -5, 0.5].map((value) => de.count(value))).toEqual(['999', '1.000', '-5', '0,5']);
});

test('dates and times follow the language and the zone', () => {
  expect(en.dateTime('2026-11-21T08:30:00Z')).toBe('21 Nov 2026, 09:30');
  expect(de.dateTime('2026-11-21T08:30:00Z')).toBe('21.11.2026, 09:30');
});

test('the last 24 hours are relative', () => {
  const now = Date.parse('2026-11-21T08:30:00Z');
  expect(en.ago('2026-11-21T08:27:00Z', now)).toBe('3 minutes ago');
  expect(de.ago('2026-11-21T08:27:00Z', now)).toBe('vor 3 Minuten');
  expect(en.ago('2026-11-19T08:30:00Z', now)).toBe('19 Nov 2026, 09:30');
  const before = (ms: number): string => new Date(now - ms).toISOString();
  expect([59_900, 59.9 * 60_000, 23.9 * 3_600_000].map((ms) => en.ago(before(ms), now))).toEqual([
    '59 seconds ago',
    '59 minutes ago',
    '23 hours ago',
  ]);
});

test('durations and missing values', () => {
  expect([12_000, 187_000, 7_500_000].map((ms) => en.duration(ms))).toEqual(['12 s', '3 min 07 s', '2 h 05 min']);
  expect([en.bytes(null), en.count(undefined), en.date(null), en.duration(null)]).toEqual(['–', '–', '–', '–']);
});

test('a day of the calendar is the same day in every zone', () => {
  const west = createFormat('en', 'America/Los_Angeles');
  expect([west.calendarDay('2026-11-02'), de.calendarDay('2026-11-02T00:00:00Z')]).toEqual(['2 Nov', '2.11.']);
  expect([west.day('2026-11-02'), de.day('2026-11-02')]).toEqual(['02 Nov 2026', '02.11.2026']);
});
