import { describe, expect, it } from 'vitest';
import { anItem } from '../../testing/builders.ts';
import type { ItemKind, ItemVersion, JsonObject } from '../ports/item.ts';
import { jsonPreview } from './json-preview.ts';

const TIMES = { createdAt: '2026-01-02T03:04:05Z', modifiedAt: '2026-02-03T04:05:06Z' };

function preview(kind: ItemKind, stored: JsonObject, changes: Partial<ItemVersion> = {}) {
  return jsonPreview(anItem('key', { kind, name: 'stored name', ...changes }), stored);
}

function facts(kind: ItemKind, stored: JsonObject): Record<string, string> {
  return Object.fromEntries(preview(kind, stored).properties.map(({ name, value }) => [name, value]));
}

const person = (name: string, address: string) => ({ emailAddress: { name, address } });
const KINDS = ['event', 'contact', 'task', 'post', 'reply', 'chatMessage', 'message', 'listItem', 'page', 'rule'] as const;

describe('what is kept as JSON', () => {
  it.each(KINDS)('is shown by its stored name when it says nothing (%s)', (kind) => {
    const { title, from, to, cc, text, properties, fields } = preview(kind, {});
    expect({ title, from, to, cc, text, properties, fields }).toEqual({
      title: 'stored name',
      from: null,
      to: [],
      cc: [],
      text: null,
      properties: [],
      fields: [],
    });
  });

  it.each(KINDS)('of the wrong shapes is shown like what says nothing (%s)', (kind) => {
    const odd = { subject: 7, title: null, displayName: [], body: 'x', start: [], organizer: 'me', attendees: 'all', from: 3, fields: 'x' };
    const { title, from, to, text } = preview(kind, odd);
    expect({ title, from, to, text }).toEqual({ title: 'stored name', from: null, to: [], text: null });
  });

  it('names people by name and address, each once', () => {
    const attendees = [
      person('Ann', 'ann@contoso.com'),
      person('ben@contoso.com', 'ben@contoso.com'),
      person('Cleo', ''),
      {},
      person('', 'd@d'),
    ];
    expect(preview('event', { attendees }).to).toEqual(['Ann <ann@contoso.com>', 'ben@contoso.com', 'Cleo', 'd@d']);
  });

  it('tells an event by its zone, and orders it only when the moment is sure', () => {
    const at = (dateTime: string, timeZone?: string) => ({ dateTime, ...(timeZone === undefined ? {} : { timeZone }) });
    const event = {
      start: at('2026-03-01T10:00:00.0000000', 'UTC'),
      end: at('2026-03-01T11:00:00.0000000'),
      location: { displayName: 'Oslo' },
    };
    expect(preview('event', event).at).toBe('2026-03-01T10:00:00.000Z');
    expect(facts('event', event)).toEqual({ start: '2026-03-01 10:00 UTC', end: '2026-03-01 11:00', location: 'Oslo' });
    const elsewhere = { start: at('2026-03-01T10:00:00.0000000', 'W. Europe Standard Time') };
    expect(preview('event', elsewhere).at).toBeNull();
    expect(preview('event', { start: at('no time', 'UTC') }).at).toBeNull();
  });

  it('reads the words of HTML and leaves plain text as it is', () => {
    const html = { body: { contentType: 'HTML', content: '<p>One &amp; two</p><script>three</script>' } };
    expect(preview('task', html).text?.trim()).toBe('One & two');
    expect(preview('task', { body: { contentType: 'text', content: '<p>as it is</p>' } }).text).toBe('<p>as it is</p>');
    expect(preview('task', { body: { content: ' ' } }).text).toBeNull();
  });

  it('puts the phones of a contact together and takes the address at home when there is none at work', () => {
    const contact = {
      mobilePhone: '1',
      businessPhones: ['2', 3],
      homePhones: ['4'],
      homeAddress: { street: 'Kai 1', city: 'Kiel' },
      emailAddresses: [{ name: 'Ann', address: 'ann@contoso.com' }],
    };
    expect(facts('contact', contact)).toEqual({ phone: '1, 2, 4', address: 'Kai 1, Kiel', email: 'Ann <ann@contoso.com>' });
    expect(facts('contact', { ...contact, businessAddress: { countryOrRegion: 'DE' } })['address']).toBe('DE');
  });

  it('tells who wrote a message of Teams: a person, an address or an app', () => {
    const from = (identity: JsonObject) => preview('post', { from: identity }).from;
    expect(from({ user: { displayName: 'Ann' } })).toBe('Ann');
    expect(from({ user: { displayName: '', email: 'ann@contoso.com' } })).toBe('ann@contoso.com');
    expect(from({ user: null, application: { displayName: 'Flow' } })).toBe('Flow');
  });

  it('takes the time that an item tells, else the one that is stored beside it', () => {
    expect(preview('post', { createdDateTime: '2026-05-05T05:05:05Z' }, TIMES).at).toBe('2026-05-05T05:05:05.000Z');
    expect(preview('chatMessage', {}, TIMES).at).toBe('2026-01-02T03:04:05.000Z');
    expect(preview('message', { sentDateTime: '2026-06-06T06:06:06Z' }, TIMES).at).toBe('2026-06-06T06:06:06.000Z');
    expect(preview('message', { receivedDateTime: '2026-07-07T07:07:07Z', sentDateTime: 'x' }).at).toBe('2026-07-07T07:07:07.000Z');
    expect(preview('message', {}, TIMES).at).toBe('2026-01-02T03:04:05.000Z');
    for (const kind of ['listItem', 'page', 'rule'] as const) {
      expect(preview(kind, {}, TIMES).at).toBe('2026-02-03T04:05:06.000Z');
      expect(preview(kind, {}, { createdAt: TIMES.createdAt }).at).toBe('2026-01-02T03:04:05.000Z');
    }
  });

  it('shows receivers and copies of a message of which only parts could be read', () => {
    const message = { toRecipients: [person('Ann', 'a@a')], ccRecipients: [person('', 'c@c')], from: person('Ben', 'b@b'), subject: 'Hi' };
    expect(preview('message', message)).toMatchObject({ title: 'Hi', from: 'Ben <b@b>', to: ['Ann <a@a>'], cc: ['c@c'] });
  });

  it('shows the columns of a row by what people see, without those of the service', () => {
    const fields = {
      Title: 'Row',
      '@odata.etag': 'x',
      _UIVersionString: '1.0',
      Empty: null,
      Approved: false,
      Effort: 3,
      Person: { LookupId: 2, LookupValue: 'Ann' },
      Mail: { Email: 'ann@contoso.com' },
      Term: { Label: 'Recht' },
      Topics: ['One', { LookupValue: 'Two' }, null],
      Long: 'x'.repeat(3_000),
    };
    const { title, fields: shownFields } = preview('listItem', { fields });
    expect(title).toBe('Row');
    expect(Object.fromEntries(shownFields.map(({ name, value }) => [name, value.length > 100 ? value.length : value]))).toEqual({
      Title: 'Row',
      Approved: 'false',
      Effort: '3',
      Person: 'Ann',
      Mail: 'ann@contoso.com',
      Term: '{"Label":"Recht"}',
      Topics: 'One, Two, ',
      Long: 2_000,
    });
    expect(preview('listItem', {}, { properties: { fields: { Title: 'Beside' } } }).fields).toEqual([{ name: 'Title', value: 'Beside' }]);
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`c${index}`, 'x']));
    expect(preview('listItem', { fields: many }).fields).toHaveLength(200);
  });

  it('shows the words of a page, wherever its sections hold them', () => {
    const layout = { horizontalSections: [{ columns: [{ webparts: [{ innerHtml: '<p>First</p>' }, { data: { title: 'none' } }] }] }] };
    const page = {
      title: 'Home',
      description: 'About',
      canvasLayout: { ...layout, verticalSection: { webparts: [{ innerHtml: '<p>Second</p>' }] } },
    };
    expect(preview('page', page).text?.replaceAll(/\s+/gu, ' ').trim()).toBe('About First Second');
    expect(facts('page', { createdBy: { user: { displayName: 'Ann' } } })).toEqual({ createdBy: 'Ann' });
  });

  it('shows what it has no form for by its plain values', () => {
    const { fields } = preview('rule', { sequence: 1, isEnabled: true, conditions: { subjectContains: ['x'] }, displayName: 'Rule' });
    expect(fields).toEqual([
      { name: 'sequence', value: '1' },
      { name: 'isEnabled', value: 'true' },
      { name: 'displayName', value: 'Rule' },
    ]);
  });
});
