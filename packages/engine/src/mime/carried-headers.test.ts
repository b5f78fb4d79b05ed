import { expect, test } from 'vitest';
import { carriedHeaders, rewrittenHeaders, unsaidPeople } from './carried-headers.ts';
import { parseMail } from './parse-mail.ts';

const head = (...lines: readonly string[]) => parseMail(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));

test('header lines travel by the property that the service writes them from, or are named', async () => {
  const mail = await head(
    'Received: from a',
    'Received: from b',
    'In-Reply-To: <1@example.com>',
    'X-Team: =?utf-8?Q?K=C3=BCche?=',
    'Disposition-Notification-To: ann@example.com',
    'Subject: Plan',
  );
  expect(carriedHeaders(mail)).toEqual({
    given: ['header In-Reply-To', 'header X-Team'],
    properties: [
      { id: 'String 0x1042', value: '<1@example.com>' },
      { id: 'String {00020386-0000-0000-C000-000000000046} Name X-Team', value: 'Küche' },
    ],
    lost: ['header Received', 'header Disposition-Notification-To'],
  });
});

test('people are named as a difference when their line says more than names and addresses', async () => {
  const plain = await head(
    'From: "Ann, Dr." <ann@example.com>',
    'To: ben@example.com,',
    ' Cleo <cleo@example.com>',
    'Date: Thu, 1 Jan 2026 00:00:00 +0000',
    'Message-ID: <1@a>',
  );
  expect([unsaidPeople(plain), rewrittenHeaders(plain)]).toEqual([[], []]);
  const odd = await head(
    'From: Amelia',
    'To: Team: ben@example.com;',
    'Cc: a@example.com',
    'Cc: b@example.com',
    'Subject: 1',
    'Subject: 2',
    'Date: one day',
  );
  expect(unsaidPeople(odd)).toEqual(['from', 'toRecipients', 'ccRecipients']);
  expect(rewrittenHeaders(odd)).toEqual(['header Date', 'header Message-ID', 'header Subject']);
});
