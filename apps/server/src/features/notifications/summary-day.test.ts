import { expect, test } from 'vitest';
import { summaryDay } from './summary-day.ts';

const at = (text: string) => Date.parse(text);

test('a day is summed up from seven in the morning of its zone, on both sides of the change of clocks', () => {
  expect(summaryDay(at('2026-01-10T05:59:59Z'), 'Europe/Berlin')).toBeUndefined();
  expect(summaryDay(at('2026-01-10T06:00:00Z'), 'Europe/Berlin')).toBe('2026-01-10');
  expect(summaryDay(at('2026-07-10T05:00:00Z'), 'Europe/Berlin')).toBe('2026-07-10');
});

test('the date is that of the zone, and the afternoon is too late', () => {
  expect(summaryDay(at('2026-01-09T22:00:00Z'), 'Pacific/Auckland')).toBe('2026-01-10');
  expect(summaryDay(at('2026-01-10T12:00:00Z'), 'UTC')).toBeUndefined();
});
