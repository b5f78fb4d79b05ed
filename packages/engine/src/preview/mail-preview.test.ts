import { expect, it } from 'vitest';
import { anItem } from '../../testing/builders.ts';
import type { ParsedMail } from '../mime/parsed-mail.ts';
import { mailPreview } from './mail-preview.ts';

function aMail(changes: Partial<ParsedMail> = {}): ParsedMail {
  const nobody = { from: [], sender: [], to: [], cc: [], bcc: [], replyTo: [] };
  return {
    subject: '',
    ...nobody,
    wantsReceipt: false,
    headerBlock: '',
    headers: [],
    mediaType: 'text/plain',
    attachments: [],
    ...changes,
  };
}

const ann = { name: 'Ann', address: 'ann@contoso.com' };
const bare = { name: '', address: 'ben@contoso.com' };
const twice = { name: 'cleo@contoso.com', address: 'cleo@contoso.com' };

it('names sender and receivers, and the sender on behalf when nobody else is named', () => {
  expect(mailPreview(anItem('m'), aMail({ from: [ann], to: [bare, twice], cc: [ann] }))).toMatchObject({
    from: 'Ann <ann@contoso.com>',
    to: ['ben@contoso.com', 'cleo@contoso.com'],
    cc: ['Ann <ann@contoso.com>'],
  });
  expect(mailPreview(anItem('m'), aMail({ sender: [bare] })).from).toBe('ben@contoso.com');
  expect(mailPreview(anItem('m'), aMail()).from).toBeNull();
});

it('shows the text, else the words of its HTML, else nothing; and the stored subject when the message has none', () => {
  const item = anItem('m', { name: 'As it was listed' });
  expect(mailPreview(item, aMail({ text: 'Plain', html: '<p>Rich</p>', subject: 'Hi' }))).toMatchObject({ title: 'Hi', text: 'Plain' });
  expect(mailPreview(item, aMail({ text: ' ', html: '<p>Rich</p>' })).text?.trim()).toBe('Rich');
  expect(mailPreview(item, aMail())).toMatchObject({ title: 'As it was listed', text: null });
});

it('takes the date of the message, else when it was received, sent, made', () => {
  const at = (mail: Partial<ParsedMail>, changes: Parameters<typeof anItem>[1]) => mailPreview(anItem('m', changes), aMail(mail)).at;
  const properties = { receivedDateTime: '2026-02-02T00:00:00Z', sentDateTime: '2026-03-03T00:00:00Z' };
  expect(at({ date: '2026-01-01T00:00:00Z' }, { properties })).toBe('2026-01-01T00:00:00.000Z');
  expect(at({ date: 'never' }, { properties })).toBe('2026-02-02T00:00:00.000Z');
  expect(at({}, { properties: { sentDateTime: properties.sentDateTime } })).toBe('2026-03-03T00:00:00.000Z');
  expect(at({}, { createdAt: '2026-04-04T00:00:00Z' })).toBe('2026-04-04T00:00:00.000Z');
  expect(at({}, { modifiedAt: '2026-05-05T00:00:00Z' })).toBe('2026-05-05T00:00:00.000Z');
  expect(at({}, {})).toBeNull();
});

it('lists what is attached by its place', () => {
  const attachments = [{ name: 'a.txt', mediaType: 'text/plain', isInline: false, bytes: Buffer.from('four') }];
  expect(mailPreview(anItem('m'), aMail({ attachments })).attachments).toEqual([
    { index: 0, name: 'a.txt', mediaType: 'text/plain', sizeBytes: 4 },
  ]);
});
