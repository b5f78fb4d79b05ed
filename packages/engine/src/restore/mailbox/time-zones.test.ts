import { describe, expect, it } from 'vitest';
import { inZone } from './time-zones.ts';

describe('times in the zones of Outlook', () => {
  it.each([
    ['2026-01-15T09:00:00.0000000', 'W. Europe Standard Time', '2026-01-15T10:00:00'],
    ['2026-07-15T09:00:00Z', 'W. Europe Standard Time', '2026-07-15T11:00:00'],
    ['2026-07-15T23:30:00Z', 'Tokyo Standard Time', '2026-07-16T08:30:00'],
    ['2026-01-01T00:00:00Z', 'Pacific Standard Time', '2025-12-31T16:00:00'],
    ['2026-07-15T09:00:00Z', 'Europe/Berlin', '2026-07-15T11:00:00'],
  ])('%s in %s is %s', (utc, timeZone, dateTime) => {
    expect(inZone(utc, timeZone)).toEqual({ dateTime, timeZone });
  });

  it('are not guessed for a zone without a known name', () => {
    expect(inZone('2026-01-15T09:00:00Z', 'tzone://Microsoft/Custom')).toBeUndefined();
    expect(inZone('no time', 'UTC')).toBeUndefined();
    expect(inZone('2026-01-15T09:00:00Z', 'tzone://Microsoft/Utc')).toEqual({ dateTime: '2026-01-15T09:00:00', timeZone: 'UTC' });
  });
});
