import { describe, expect, it } from 'vitest';
import { eventTimes, losesTimeZone, type StoredTimes } from './event-times.ts';

const berlin = 'W. Europe Standard Time';
const utc = (dateTime: string) => ({ dateTime, timeZone: 'UTC' });
const times = { start: utc('2026-03-02T08:00:00'), end: utc('2026-03-02T09:00:00') };

function aSeries(start: string, startDate: string, zone: string | null, more: object = {}): StoredTimes {
  const range = { type: 'noEnd', startDate, recurrenceTimeZone: zone };
  const end = new Date(Date.parse(`${start}Z`) + 3_600_000).toISOString().slice(0, 19);
  return { start: utc(start), end: utc(end), recurrence: { pattern: { type: 'daily' }, range }, ...more };
}

describe('the times of a series', () => {
  it('name one zone: its own, be it named by the range or by the start', () => {
    expect(eventTimes(aSeries('2026-03-02T08:00:00', '2026-03-02', 'Customized Time Zone', { originalStartTimeZone: berlin }))).toEqual({
      start: { dateTime: '2026-03-02T09:00:00', timeZone: berlin },
      end: { dateTime: '2026-03-02T10:00:00', timeZone: berlin },
      recurrence: { pattern: { type: 'daily' }, range: { type: 'noEnd', startDate: '2026-03-02', recurrenceTimeZone: berlin } },
    });
    expect(eventTimes(aSeries('2026-03-02T08:00:00', '2026-03-02', berlin, { originalStartTimeZone: '' }))).toMatchObject({
      start: { dateTime: '2026-03-02T09:00:00', timeZone: berlin },
      recurrence: { range: { recurrenceTimeZone: berlin } },
    });
    const flight = { originalStartTimeZone: berlin, originalEndTimeZone: 'GMT Standard Time' };
    expect(eventTimes(aSeries('2026-03-02T08:00:00', '2026-03-02', berlin, flight))).toMatchObject({
      end: { dateTime: '2026-03-02T09:00:00', timeZone: 'GMT Standard Time' },
    });
  });

  it.each([
    ['2026-03-02T08:00:00', '2026-03-02', '2026-03-02T08:00:00', 'UTC'],
    ['2026-03-01T22:00:00', '2026-03-02', '2026-03-02T10:00:00', 'UTC+12'],
    ['2026-03-01T11:15:00', '2026-03-02', '2026-03-02T00:15:00', 'UTC+13'],
    ['2026-03-01T10:30:00', '2026-03-02', '2026-03-02T00:30:00', 'Line Islands Standard Time'],
    ['2026-03-03T11:00:00', '2026-03-02', '2026-03-02T23:00:00', 'Dateline Standard Time'],
    ['2026-03-09T11:00:00', '2026-03-02', '2026-03-09T11:00:00', 'UTC'],
  ])('at %s of a customised zone keep the instant and the date %s', (start, startDate, dateTime, timeZone) => {
    const series = aSeries(start, startDate, 'Customized Time Zone', { originalStartTimeZone: 'tzone://Microsoft/Custom' });
    expect(eventTimes(series)).toMatchObject({
      start: { dateTime, timeZone },
      end: { timeZone },
      recurrence: { range: { recurrenceTimeZone: timeZone, startDate: dateTime.slice(0, 10) } },
    });
    expect(losesTimeZone(series)).toBe(true);
  });

  it('stay whole days, in the zone in which the service gave them', () => {
    const series = aSeries('2026-03-02T00:00:00', '2026-03-02', berlin, { isAllDay: true, originalStartTimeZone: berlin });
    expect(eventTimes(series)).toMatchObject({ start: utc('2026-03-02T00:00:00'), recurrence: { range: { recurrenceTimeZone: 'UTC' } } });
    const own = { dateTime: '2026-03-02T09:00:00', timeZone: berlin };
    expect(eventTimes({ ...series, isAllDay: false, start: own, end: own })).toMatchObject({
      start: own,
      recurrence: { range: { recurrenceTimeZone: berlin } },
    });
  });
});

describe('an event', () => {
  it('loses a zone that nobody defines', () => {
    expect(losesTimeZone({ ...times, originalStartTimeZone: 'Somewhere' })).toBe(true);
    expect(losesTimeZone({ ...times, originalStartTimeZone: berlin })).toBe(false);
    expect(losesTimeZone({ ...times, originalStartTimeZone: 'tzone://Microsoft/Utc' })).toBe(false);
    expect(losesTimeZone({ ...times, originalStartTimeZone: 'Somewhere', isAllDay: true })).toBe(false);
    expect(losesTimeZone(times)).toBe(false);
    expect(losesTimeZone({ originalStartTimeZone: 'Somewhere', start: null })).toBe(false);
    expect(losesTimeZone(aSeries('2026-03-02T08:00:00', '2026-03-02', berlin, { originalStartTimeZone: 'Somewhere' }))).toBe(false);
  });
});
