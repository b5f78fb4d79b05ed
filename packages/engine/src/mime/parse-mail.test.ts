import { expect, test } from 'vitest';
import { parseMail } from './parse-mail.ts';

const parse = (...lines: readonly string[]) => parseMail(Buffer.from(lines.join('\r\n')));

test('a message without anything has nothing, and no part of it is missing', async () => {
  expect(await parse('')).toEqual({
    subject: '',
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
    text: '',
    attachments: [],
  });
});

test('people come out of groups, and somebody without an address keeps the name', async () => {
  const mail = await parse('From: Ann <ann@contoso.com>', 'To: Team: Ben <ben@contoso.com>, cleo@contoso.com;', 'Cc: Nobody <>', '', 'x');
  expect([mail.from, mail.to.map(({ address }) => address), mail.cc]).toEqual([
    [{ name: 'Ann', address: 'ann@contoso.com' }],
    ['ben@contoso.com', 'cleo@contoso.com'],
    [{ name: 'Nobody', address: 'Nobody' }],
  ]);
});

test('text, markup, date and the wish for a receipt are told when they are there', async () => {
  const part = (type: string, body: string): string => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
  const mail = await parse(
    'Message-ID: <1@contoso.com>',
    'Date: Thu, 01 Jan 2026 00:00:00 +0000',
    'Disposition-Notification-To: ann@contoso.com',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    `${part('text/plain', 'Words')}${part('text/html', '<p>Words</p>')}--b--`,
  );
  expect(mail).toMatchObject({ messageId: '<1@contoso.com>', date: '2026-01-01T00:00:00.000Z', wantsReceipt: true });
  expect([mail.text?.trim(), mail.html?.trim()]).toEqual(['Words', '<p>Words</p>']);
});

test('parts keep name, place and bytes; those without a name get one', async () => {
  const part = (head: string, body: string): string => `--b\r\n${head}\r\n\r\n${body}\r\n`;
  const mail = await parse(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    part('Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="plan.pdf"', 'pdf') +
      part('Content-Type: image/png\r\nContent-Disposition: inline\r\nContent-ID: <pic>', 'png') +
      part('Content-Type: message/rfc822', 'Subject: Inner\r\n\r\nInside') +
      '--b--',
  );
  expect(mail.attachments.map(({ name, isInline, contentId }) => [name, isInline, contentId])).toEqual([
    ['plan.pdf', false, undefined],
    ['attachment', true, 'pic'],
    ['Inner', false, undefined],
  ]);
  expect(Buffer.from(mail.attachments[2]?.bytes ?? []).toString()).toContain('Inside');
});

test('the header block ends where the text begins, however lines end', async () => {
  expect((await parseMail(Buffer.from('Subject: One\nX-Two: 2\n\nText'))).headerBlock).toBe('Subject: One\nX-Two: 2');
});
