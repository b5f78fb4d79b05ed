import { describe, expect, it } from 'vitest';
import { checkEvent } from './check-event.ts';
import { normaliseEvent } from './normalise-event.ts';

const utc = (dateTime: string) => ({ dateTime, timeZone: 'UTC' });
const times = { start: utc('2026-03-02T08:00:00'), end: utc('2026-03-02T09:00:00') };
const pattern = { type: 'weekly', interval: 1, daysOfWeek: ['monday'] };
const range = { type: 'noEnd', startDate: '2026-03-02' };
const INVALID = 'ErrorPropertyValidationFailure';

function codeOf(event: Parameters<typeof checkEvent>[0]): string | undefined {
  try {
    checkEvent(event);
    return undefined;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

describe('an event that a client sends', () => {
  it.each([
    ['ends before it starts', { ...times, end: utc('2026-03-02T07:00:00') }, INVALID],
    [
      'lasts whole days and starts at noon',
      { isAllDay: true, start: utc('2026-03-02T12:00:00'), end: utc('2026-03-03T12:00:00') },
      INVALID,
    ],
    ['lasts whole days and none', { isAllDay: true, start: utc('2026-03-02T00:00:00'), end: utc('2026-03-02T00:00:00') }, INVALID],
    ['repeats weekly on no day', { ...times, recurrence: { pattern: { type: 'weekly', interval: 1 }, range } }, INVALID],
    ['repeats every 0 weeks', { ...times, recurrence: { pattern: { ...pattern, interval: 0 }, range } }, INVALID],
    ['repeats monthly on no day', { ...times, recurrence: { pattern: { type: 'absoluteMonthly', interval: 1 }, range } }, INVALID],
    ['repeats from no date', { ...times, recurrence: { pattern, range: { type: 'noEnd' } } }, INVALID],
    ['is in an unknown zone', { ...times, start: { ...times.start, timeZone: 'Customized Time Zone' } }, 'TimeZoneNotSupportedException'],
    [
      'repeats in an unknown zone',
      { ...times, recurrence: { pattern, range: { ...range, recurrenceTimeZone: 'tzone://Microsoft/Custom' } } },
      'TimeZoneNotSupportedException',
    ],
  ])('and that %s is refused', (_what, event, code) => {
    expect(codeOf(event)).toBe(code);
  });

  it('and that is whole is taken', () => {
    expect(codeOf({ ...times, recurrence: { pattern, range: { ...range, recurrenceTimeZone: 'Belarus Standard Time' } } })).toBeUndefined();
    expect(codeOf({ isAllDay: true, start: utc('2026-03-02T00:00:00.0000000'), end: utc('2026-03-03T00:00:00Z') })).toBeUndefined();
  });

  it('comes back with the properties that it was sent without', () => {
    const event = { ...times, location: { displayName: 'Oslo' }, attendees: [{ emailAddress: {} }], recurrence: { pattern, range } };
    expect(normaliseEvent({ ...event, body: { contentType: 'HTML', content: '<p>Hi</p>' } })).toMatchObject({
      location: { displayName: 'Oslo', locationType: 'default', uniqueId: 'Oslo', uniqueIdType: 'private' },
      attendees: [{ type: 'required', status: { response: 'none', time: '0001-01-01T00:00:00Z' } }],
      recurrence: {
        pattern: { month: 0, dayOfMonth: 0, firstDayOfWeek: 'sunday', index: 'first' },
        range: { recurrenceTimeZone: 'UTC', numberOfOccurrences: 0, endDate: '0001-01-01' },
      },
      body: { contentType: 'html', content: expect.stringMatching(/^<html>[^]*<body>\r\n<p>Hi<\/p>\r\n<\/body>/u) },
    });
  });
});
