import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mboxMessage, mboxOfMissing } from './mbox.ts';

const written = (raw: string): string => Buffer.concat([...mboxMessage(Buffer.from(raw), '2026-01-01T09:05:00Z')]).toString();

/** Messages as a reader of mboxrd takes them out of a file: byte for byte, but for a line that was not ended. */
function read(file: string): string[] {
  return file
    .split(/^From - .*\r\n/mu)
    .slice(1)
    .map((message) => message.replaceAll(/^>(>*From )/gmu, '$1').replace(/\r\n$/u, ''));
}

it('begins each message with a line that every reader knows', () => {
  expect(written('Subject: x\r\n\r\nHello\r\n')).toBe('From - Thu Jan  1 09:05:00 2026\r\nSubject: x\r\n\r\nHello\r\n\r\n');
});

it('gives back every message, whatever its lines begin with', () => {
  const line = fc.oneof(fc.constantFrom('From me', '>From you', '>>From them', 'from', ' From', '', 'From'), fc.string());
  const message = fc
    .array(line, { maxLength: 8 })
    .map((all) => `Subject: x\r\n\r\n${all.map((one) => `${one.replaceAll(/[\r\n]/gu, '')}\r\n`).join('')}`);
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), (messages) => {
      expect(read(messages.map(written).join(''))).toEqual(messages);
    }),
  );
});

it('names what it could not hold in a message of its own', () => {
  const text = Buffer.concat([...mboxOfMissing([{ path: 'Größe\r\nFrom x', code: 'vault.damaged' }])]).toString();
  const [missing = ''] = read(text);
  expect(missing).toContain('Subject: 1 messages of this file could not be read');
  const body = missing.slice(missing.indexOf('\r\n\r\n') + 4);
  expect(Buffer.from(body, 'base64').toString()).toBe('vault.damaged\tGröße From x\r\n');
});

it('begins a message whose time nobody knows at the beginning of time, and ends one that does not end', () => {
  const of = (at: string | undefined): string => Buffer.concat([...mboxMessage(Buffer.from('Subject: x'), at)]).toString();
  const first = 'From - Thu Jan  1 00:00:00 1970\r\nSubject: x\r\n\r\n';
  expect([of('no time'), of(undefined)]).toEqual([first, first]);
});

it('says before a message whether it was read, flagged or a draft, and its categories', () => {
  const state = { isRead: true, isFlagged: true, isDraft: true, categories: ['Blue category', 'Wärme'] };
  const text = Buffer.concat([...mboxMessage(Buffer.from('Subject: x\r\n\r\nHello\r\n'), '2026-01-01T09:05:00Z', state)]).toString();
  expect(text.split('\r\n').slice(1, 6)).toEqual([
    'Status: RO',
    'X-Status: FT',
    'X-Keywords: Blue category,',
    ' =?UTF-8?B?V8Okcm1l?=',
    'Subject: x',
  ]);
  const unread = { isRead: false, isFlagged: false, isDraft: false, categories: [] };
  expect(Buffer.concat([...mboxMessage(Buffer.from('Subject: x\r\n'), undefined, unread)]).toString()).toContain(
    '\r\nStatus: O\r\nSubject: x',
  );
});
