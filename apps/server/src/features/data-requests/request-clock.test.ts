import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf, daysUntil, lastDay } from './request-clock.ts';

test('a request is answered within a month, and within three after an extension', () => {
  expect(lastDay('2026-11-12', false)).toBe('2026-12-12');
  expect(lastDay('2026-11-12', true)).toBe('2027-02-12');
});

test('a month without that day ends on its last one, and an extension counts from the receipt', () => {
  expect(lastDay('2026-01-31', false)).toBe('2026-02-28');
  expect(lastDay('2028-01-31', false)).toBe('2028-02-29');
  expect(lastDay('2026-01-31', true)).toBe('2026-04-30');
});

test('the days that are left are those of the calendar, with daylight saving too', () => {
  expect(daysUntil('2026-03-30', '2026-03-28')).toBe(2);
  expect(daysUntil('2026-03-28', '2026-03-30')).toBe(-2);
  expect(daysUntil('2026-03-28', '2026-03-28')).toBe(0);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: -500, max: 500 }), (start, days) => {
      const day = new Date(start * 86_400_000).toISOString().slice(0, 10);
      const later = new Date((start + days) * 86_400_000).toISOString().slice(0, 10);
      expect(daysUntil(later, day)).toBe(days);
    }),
  );
});

test('a day ends at midnight where the organisation is', () => {
  const late = new Date('2026-11-12T23:30:00Z');
  expect(dayOf(late, 'UTC')).toBe('2026-11-12');
  expect(dayOf(late, 'Europe/Berlin')).toBe('2026-11-13');
});
