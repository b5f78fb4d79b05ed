import { expect, test } from 'vitest';
import { readMailFacts } from './mail-facts.ts';

const ARRIVED = Date.parse('2026-11-23T12:00:00Z');
const facts = (text: string) => readMailFacts(Buffer.from(text, 'latin1'), ARRIVED);

test.each([
  [
    'the topmost server',
    'Received: by b; Mon, 2 Nov 2026 10:00:05 +0100 (CET)\nReceived: by a; Mon, 2 Nov 2026 09:00:00 +0000\nDate: Thu, 1 Jan 1970 00:00:00 +0000',
    '2026-11-02T09:00:05.000Z',
    'received',
  ],
  [
    'the next server where the topmost cannot be right',
    'Received: by b; Fri, 1 Jan 2099 00:00:00 +0000\nReceived: by a; Mon, 2 Nov 2026 09:00:00 +0000',
    '2026-11-02T09:00:00.000Z',
    'received',
  ],
  ['the date of the sender', 'Date: Mon, 02 Nov 2026 10:00:00 +0000', '2026-11-02T10:00:00.000Z', 'date'],
  ['its arrival where the date is of 1970', 'Date: Thu, 1 Jan 1970 00:00:00 +0000', '2026-11-23T12:00:00.000Z', 'arrival'],
  ['its arrival where the date is of 2099', 'Date: Thu, 1 Jan 2099 00:00:00 +0000', '2026-11-23T12:00:00.000Z', 'arrival'],
  ['its arrival where the date is none', 'Date: yesterday', '2026-11-23T12:00:00.000Z', 'arrival'],
  ['its arrival without a date', 'Subject: x', '2026-11-23T12:00:00.000Z', 'arrival'],
])('A9: a message was received when %s says', async (_, header, receivedAt, receivedBy) => {
  expect(await facts(`${header}\n\nbody`)).toMatchObject({ receivedAt, receivedBy });
});

test('A9: when it was sent is the word of the sender alone', async () => {
  expect((await facts('Date: Thu, 1 Jan 1970 00:00:00 +0000\n\nx')).sentAt).toBe('1970-01-01T00:00:00.000Z');
  expect((await facts('Subject: x\n\nx')).sentAt).toBeUndefined();
});

test('sender, subject and attachments are read, in other scripts and with ten thousand recipients too', async () => {
  const to = Array.from({ length: 10_000 }, (_, at) => `p${at}@example.com`).join(',\n ');
  const head = `From: =?utf-8?b?${Buffer.from('Анна').toString('base64')}?= <anna@пример.example>\nTo: ${to}\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n`;
  const raw = Buffer.from(
    `${head}Content-Type: multipart/mixed; boundary=x\n\n--x\n\ntext\n--x\nContent-Type: application/pdf\n\nabc\n--x--\n`,
  );
  const { subject, properties } = await readMailFacts(raw, ARRIVED);
  expect(subject).toBe('Grüße');
  expect(properties).toMatchObject({ hasAttachments: true, from: { emailAddress: { name: 'Анна', address: 'anna@пример.example' } } });
});

test('a message that makes no sense is kept with what can be read', async () => {
  expect(await facts('Subject: x\nContent-Type: multipart/mixed; boundary=""\n\n')).toMatchObject({ subject: 'x' });
  const nested = Array.from({ length: 300 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`).join('');
  expect(await facts(`Subject: deep\n${nested}`)).toMatchObject({ subject: 'deep' });
});
