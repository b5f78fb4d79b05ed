import { expect, test } from 'vitest';
import { businessBetween, isSilent } from './silence.policy.ts';

const hours = { business_days: [1, 2, 3, 4, 5], business_from: '08:00', business_to: '18:00' };
const at = (text: string): number => Date.parse(text);
const hoursBetween = (from: string, to: string, zone = 'Europe/Berlin'): number =>
  businessBetween(at(from), at(to), { hours, zone }).ms / 3_600_000;

test('business is counted by the clock of the time zone, without nights and weekends', () => {
  // A Friday in November: 18:00 in Berlin is 17:00 UTC.
  expect(hoursBetween('2026-11-27T16:00:00Z', '2026-11-27T20:00:00Z')).toBe(1);
  expect(hoursBetween('2026-11-27T16:30:00Z', '2026-11-30T07:30:00Z')).toBe(1);
  expect(hoursBetween('2026-11-27T17:00:00Z', '2026-11-30T07:00:00Z')).toBe(0);
  expect(hoursBetween('2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z')).toBe(50);
  expect(hoursBetween('2026-11-23T10:07:30Z', '2026-11-23T10:37:30Z')).toBe(0.5);
});

test('a day on which the clocks change has as much business as any other', () => {
  const everyDay = { ...hours, business_days: [1, 2, 3, 4, 5, 6, 7] };
  for (const day of ['2026-03-29', '2026-10-25']) {
    const { ms } = businessBetween(at(`${day}T00:00:00Z`), at(`${day}T22:00:00Z`), { hours: everyDay, zone: 'Europe/Berlin' });
    expect(ms).toBe(10 * 3_600_000);
  }
  expect(hoursBetween('2026-11-23T02:00:00Z', '2026-11-23T03:00:00Z', 'Asia/Kathmandu')).toBe(0.75);
});

test('A6: the alarm comes after an hour of business without mail, never outside it, and not for a receiver without it', () => {
  const row = {
    ...hours,
    silence_minutes: 60,
    watched_since: new Date('2026-11-01T00:00:00Z'),
    last_received_at: new Date('2026-11-27T16:30:00Z'),
  };
  const silentAt = (text: string, changes: object = {}): boolean =>
    isSilent({ ...row, ...changes }, { nowMs: at(text), zone: 'Europe/Berlin' });
  expect(silentAt('2026-11-27T16:59:00Z')).toBe(false);
  expect(silentAt('2026-11-28T12:00:00Z')).toBe(false);
  expect(silentAt('2026-11-30T07:29:59Z')).toBe(false);
  expect(silentAt('2026-11-30T07:30:00Z')).toBe(true);
  expect(silentAt('2026-11-30T17:00:00Z')).toBe(false);
  expect(silentAt('2026-11-30T07:30:00Z', { silence_minutes: 0 })).toBe(false);
  expect(silentAt('2026-11-30T07:30:00Z', { watched_since: new Date('2026-11-30T07:00:00Z') })).toBe(false);
  expect(silentAt('2026-11-30T12:00:00Z', { last_received_at: null })).toBe(true);
});
