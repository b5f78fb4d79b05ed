import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { ParsedMail } from '../../mime/parsed-mail.ts';
import { itemAttachment, messageBody, messageDifferences, TRANSPORT_HEADERS } from './message-body.ts';

const bare: ParsedMail = {
  subject: '',
  from: [],
  sender: [],
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  wantsReceipt: false,
  headerBlock: 'X-Way: by hand',
  headers: [['X-Way', 'by hand']],
  mediaType: 'text/plain',
  attachments: [],
};
const ada = { name: 'Ada', address: 'ada@example.com' };
const bo = { name: 'Bo', address: 'bo@example.com' };
const plan = { name: 'Plan.txt', mediaType: 'text/plain', isInline: false, bytes: Buffer.from('Plan') };

type Extended = readonly { readonly id: string; readonly value: string }[];
const timesOf = (body: object) =>
  ((body as { readonly singleValueExtendedProperties: Extended }).singleValueExtendedProperties ?? []).filter(({ id }) =>
    id.startsWith('SystemTime'),
  );

describe('a message that is made anew', () => {
  it('says no more than is known of it', () => {
    expect(messageBody(anItem('A subject'), bare, [])).toEqual({
      subject: 'A subject',
      body: { contentType: 'text', content: '' },
      toRecipients: [],
      ccRecipients: [],
      bccRecipients: [],
      replyTo: [],
      isRead: false,
      singleValueExtendedProperties: [
        { id: 'Integer 0x0E07', value: '0' },
        { id: TRANSPORT_HEADERS, value: 'X-Way: by hand' },
        { id: 'String {00020386-0000-0000-C000-000000000046} Name X-Way', value: 'by hand' },
      ],
    });
  });

  it('keeps people who have no address by their names, as sender and among those who received it', () => {
    const nobody = { name: 'Amelia', address: '' };
    const amelia = { emailAddress: nobody };
    const mail = { ...bare, from: [nobody], to: [nobody], cc: [nobody], bcc: [nobody], replyTo: [nobody] };
    const wanted = { toRecipients: [amelia], ccRecipients: [amelia], bccRecipients: [amelia], replyTo: [amelia] };
    expect(messageBody(anItem('a', { properties: { from: { emailAddress: { name: 'Amelia' } } } }), mail, [])).toMatchObject({
      ...wanted,
      from: amelia,
      sender: amelia,
    });
  });

  it('has the times of the vault, those of its own head where there are none, and never one that is no time', () => {
    const head = { ...bare, date: 'Sun, 01 Mar 2026 08:00:00 +0100' };
    const known = { receivedDateTime: '2026-03-02T08:00:01Z', sentDateTime: '2026-03-02T08:00:00Z' };
    const [received, sent] = ['SystemTime 0x0E06', 'SystemTime 0x0039'];
    expect(timesOf(messageBody(anItem('a', { properties: known }), head, []))).toEqual([
      { id: received, value: '2026-03-02T08:00:01Z' },
      { id: sent, value: '2026-03-02T08:00:00Z' },
    ]);
    expect(timesOf(messageBody(anItem('a'), head, []))).toEqual([
      { id: received, value: '2026-03-01T07:00:00Z' },
      { id: sent, value: '2026-03-01T07:00:00Z' },
    ]);
    const receivedOnly = { receivedDateTime: '2026-03-02T08:00:01Z' };
    expect(timesOf(messageBody(anItem('a', { properties: receivedOnly }), { ...bare, date: 'one day' }, []))).toEqual([
      { id: received, value: '2026-03-02T08:00:01Z' },
      { id: sent, value: '2026-03-02T08:00:01Z' },
    ]);
  });

  it('keeps who sent it for whom, asks for no receipt, and is told by the message id of its head when the vault has none', () => {
    const mail = {
      ...bare,
      subject: 'Hello of the header',
      html: '<p>Hello</p>',
      from: [ada],
      sender: [bo],
      messageId: '<1@example.com>',
      wantsReceipt: true,
    };
    const properties = { isRead: true, categories: ['Blue'], importance: 'high' };
    expect(messageBody(anItem('Hello', { properties }), { ...mail, attachments: [plan] }, [{ name: 'Plan.txt' }])).toMatchObject({
      subject: 'Hello',
      body: { contentType: 'html', content: '<p>Hello</p>' },
      from: { emailAddress: ada },
      sender: { emailAddress: bo },
      internetMessageId: '<1@example.com>',
      isReadReceiptRequested: false,
      isRead: true,
      categories: ['Blue'],
      importance: 'high',
      attachments: [{ name: 'Plan.txt' }],
    });
    expect(messageBody(anItem('a'), { ...bare, from: [ada] }, [])).toMatchObject({ sender: { emailAddress: ada } });
  });
});

it('an attached message has what it has, and none of those attached to it', () => {
  const letter = { ...plan, name: 'Letter.eml', mediaType: 'message/rfc822' };
  const mail = { ...bare, subject: 'Inside', text: 'Words', from: [ada], messageId: '<2@example.com>', attachments: [plan, letter] };
  expect(itemAttachment({ name: 'Inside.eml', isInline: false }, mail)).toMatchObject({
    name: 'Inside.eml',
    item: {
      body: { contentType: 'text', content: 'Words' },
      from: { emailAddress: ada },
      internetMessageId: '<2@example.com>',
      attachments: [{ name: 'Plan.txt', contentBytes: 'UGxhbg==' }],
    },
  });
  const { item } = itemAttachment({ name: 'Inside.eml', isInline: false }, bare) as { readonly item: object };
  expect(Object.keys(item)).toEqual(['@odata.type', 'subject', 'body', 'toRecipients', 'ccRecipients']);
});

describe('what is told of a message that came back', () => {
  const item = anItem('a', { properties: { receivedDateTime: '2026-03-02T08:00:01Z' } });
  const sent = { subject: 'Hello', isRead: true, from: { emailAddress: ada } };

  it('is nothing when it is the same, or when the service does not say', () => {
    expect(messageDifferences(item, sent, { ...sent, receivedDateTime: '2026-03-02T08:00:01.000Z' })).toEqual([]);
    expect(messageDifferences(item, sent, {})).toEqual(['from']);
    expect(messageDifferences(item, {}, sent)).toEqual([]);
  });

  it('is what the service made of it', () => {
    const stored = {
      subject: 'HELLO there',
      isRead: false,
      from: { emailAddress: bo },
      receivedDateTime: '2026-11-22T08:00:00Z',
      isDraft: true,
    };
    expect(messageDifferences(item, sent, stored)).toEqual(['isRead', 'subject', 'from', 'receivedDateTime', 'isDraft']);
    const draft = anItem('a', { properties: { isDraft: true } });
    expect(messageDifferences(draft, sent, { ...sent, isDraft: true })).toEqual([]);
  });
});
