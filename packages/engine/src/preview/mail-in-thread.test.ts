import { expect, test } from 'vitest';
import { anItem } from '../../testing/builders.ts';
import type { ParsedMail } from '../mime/parsed-mail.ts';
import { mailInThread } from './mail-in-thread.ts';

const mail = (more: Partial<ParsedMail>): ParsedMail => ({
  subject: 'Offer',
  from: [],
  sender: [],
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  wantsReceipt: false,
  headerBlock: '',
  headers: [],
  mediaType: 'text/plain',
  attachments: [],
  ...more,
});
const item = anItem('Offer');

test('a mail names what it answers in both headers, each once and without brackets', () => {
  const headers = [
    ['Message-ID', '<c@contoso.com>'],
    ['References', '<a@contoso.com> <b@contoso.com>'],
    ['In-Reply-To', '<b@contoso.com>'],
  ] as const;
  expect(mailInThread(item, mail({ headers }))).toMatchObject({
    messageId: 'c@contoso.com',
    references: ['a@contoso.com', 'b@contoso.com'],
  });
});

test('a mail without an ID and without a date has neither', () => {
  expect(mailInThread(item, mail({}))).toMatchObject({ messageId: null, references: [], sentAt: null, texts: [] });
});

test('plain text and HTML both count, and a text that would be cut counts as unknown', () => {
  expect(mailInThread(item, mail({ text: 'We pay.', html: '<p>We do not pay.</p>' })).texts).toEqual(['We pay.', 'We do not pay.']);
  expect(mailInThread(item, mail({ html: `<p>${'x'.repeat(2_000_000)}</p>` })).texts).toBeNull();
});
