import { describe, expect, it } from 'vitest';
import { attendeeTable, ATTENDEES_PROPERTY, eventBody } from './event-body.ts';

const berlin = 'W. Europe Standard Time';
const utc = (dateTime: string) => ({ dateTime, timeZone: 'UTC' });
const times = { start: utc('2026-03-02T08:00:00'), end: utc('2026-03-02T09:00:00') };
const ada = { emailAddress: { name: 'Ada <A>', address: 'ada@example.com' }, type: 'optional', status: { response: 'accepted' } };

describe('an event that invites nobody', () => {
  it('has those who were invited at the end of its text, escaped, and in a property of its own', () => {
    const event = { ...times, attendees: [ada, {}], organizer: { emailAddress: { name: 'Bo' } } };
    const table = attendeeTable(event);
    expect(table).toContain('<td>optional</td><td>Ada &lt;A&gt;</td><td>ada@example.com</td><td>accepted</td>');
    expect(table).toContain('<td>organizer</td><td>Bo</td><td></td><td></td>');
    expect(table).toContain('<td>required</td><td></td>');
    const inside = eventBody({ ...event, body: { contentType: 'html', content: '<html><body>Words</body></html>' } });
    expect(inside['body']).toEqual({ contentType: 'html', content: `<html><body>Words${table}</body></html>` });
    expect(inside['singleValueExtendedProperties']).toMatchObject([{ id: ATTENDEES_PROPERTY }]);
    expect(inside).not.toHaveProperty('attendees');
    const text = eventBody({ ...event, body: { contentType: 'text', content: 'a < b' } });
    expect(text['body']).toEqual({ contentType: 'html', content: `<pre>a &lt; b</pre>${table}` });
    expect(attendeeTable({ ...times, attendees: [ada] })).not.toContain('organizer');
  });

  it('has no table when nobody was invited, and its text as it was', () => {
    for (const attendees of [undefined, null, []]) {
      const made = eventBody({
        ...times,
        ...(attendees === undefined ? {} : { attendees }),
        body: { contentType: 'text', content: 'Words' },
      });
      expect(made['body']).toEqual({ contentType: 'text', content: 'Words' });
      expect(made).not.toHaveProperty('singleValueExtendedProperties');
    }
    expect(eventBody({ ...times, body: null })['body']).toEqual({ contentType: 'html', content: '' });
  });

  it('is in the zone that it was made in, if that is known: else as the service said', () => {
    expect(eventBody({ ...times, originalStartTimeZone: berlin })).toMatchObject({
      start: { dateTime: expect.stringContaining('2026-03-02T09:00:00'), timeZone: berlin },
      end: { dateTime: expect.stringContaining('2026-03-02T10:00:00'), timeZone: berlin },
    });
    for (const event of [
      { ...times, originalStartTimeZone: 'Somewhere' },
      { ...times, originalStartTimeZone: berlin, isAllDay: true },
      times,
    ])
      expect(eventBody(event)).toMatchObject(times);
    const own = { dateTime: '2026-03-02T09:00:00', timeZone: berlin };
    expect(eventBody({ ...times, start: own, originalStartTimeZone: 'Tokyo Standard Time' })).toMatchObject({ start: own });
    expect(eventBody({ start: null, end: null, originalStartTimeZone: berlin })).toMatchObject({ start: null, end: null });
  });
});
