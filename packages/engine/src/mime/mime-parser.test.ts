import { systemClock, type Clock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import { expect, onTestFinished, test } from 'vitest';
import { createMimeParser } from './mime-parser.ts';

function aParser(clock: Clock = systemClock) {
  const parser = createMimeParser(clock);
  onTestFinished(() => parser.close());
  return (lines: readonly string[]) => parser.parse(Buffer.from(lines.join('\r\n')));
}

const isUnreadable = (error: unknown): boolean => isAppError(error, 'restore.unreadable');
const PLAIN = ['From: Ann <ann@contoso.com>', 'Subject: Hi', '', 'Words'];

test('a message is taken apart with people of groups, hidden copies and the wish for a receipt', async () => {
  const parse = aParser();
  const mail = await parse([
    'From: Ann <ann@contoso.com>',
    'To: Team: Ben <ben@contoso.com>, cleo@contoso.com;',
    'Bcc: hidden@contoso.com',
    'Disposition-Notification-To: ann@contoso.com',
    'Message-ID: <1@contoso.com>',
    'Date: Thu, 01 Jan 2026 00:00:00 +0000',
    'Subject: Plan',
    '',
    'Words',
  ]);
  expect(mail).toMatchObject({ subject: 'Plan', wantsReceipt: true, messageId: '<1@contoso.com>' });
  expect(mail.to.map(({ address }) => address)).toEqual(['ben@contoso.com', 'cleo@contoso.com']);
  expect(mail.bcc.map(({ address }) => address)).toEqual(['hidden@contoso.com']);
  expect(mail.text?.trim()).toBe('Words');
  expect(mail.headerBlock.split('\r\n').at(-1)).toBe('Subject: Plan');
});

test('a message that is nested too deep fails alone: the next one is read', async () => {
  const parse = aParser();
  const levels = Array.from({ length: 400 }, (_, level) => [`Content-Type: multipart/mixed; boundary=b${level}`, '', `--b${level}`]);
  const [deep, plain] = [parse(levels.flat()), parse(PLAIN)];
  await expect(deep).rejects.toSatisfy(isUnreadable);
  expect((await plain).subject).toBe('Hi');
});

test('a message that takes too long is given up with its thread, and the next one gets another', async () => {
  let limit = 0;
  const impatient: Clock = { ...systemClock, after: (ms, run) => systemClock.after(limit === 0 ? 0 : ms, run) };
  const parse = aParser(impatient);
  await expect(parse(PLAIN)).rejects.toSatisfy(isUnreadable);
  limit = 30_000;
  expect((await parse(PLAIN)).subject).toBe('Hi');
});

test('several messages at a time are taken apart each for itself, more of them than there are threads', async () => {
  const parse = aParser();
  const subjects = Array.from({ length: 9 }, (_, number) => `Message ${number}`);
  const mails = await Promise.all(subjects.map((subject) => parse([`Subject: ${subject}`, '', 'Words'])));
  expect(mails.map(({ subject }) => subject)).toEqual(subjects);
});

test('a thread that dies takes no other message along', async () => {
  const parse = aParser();
  const levels = Array.from({ length: 400 }, (_, level) => [`Content-Type: multipart/mixed; boundary=b${level}`, '', `--b${level}`]);
  const all = await Promise.allSettled([levels.flat(), PLAIN, levels.flat(), PLAIN, PLAIN].map((lines) => parse(lines)));
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
});
