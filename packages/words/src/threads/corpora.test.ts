import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { htmlText } from '../formats/html.ts';
import type { ThreadMail } from './group-threads.ts';
import { readLess } from './read-less.ts';
import { hashSentences } from './sentences.ts';

/** Mail that nobody here wrote: replies of many programs, threads made to tell right from nearly right, and ordinary mail. */
const corpora = path.resolve(import.meta.dirname, '../../../../../shared/corpora');
const folders = ['talon', 'imaptest', 'apache-spamassassin', 'mimekit', 'thunderbird', 'flanker', 'mikel-mail'];
const MOST_BYTES = 500_000;

interface Read extends ThreadMail {
  readonly texts: readonly string[];
}

function* messages(folder: string): Iterable<Buffer> {
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
    if (!/\.(?:eml|mbox|msg|txt)$|^[^.]+$/iu.test(name)) continue;
    const bytes = readFileSync(path.join(parentPath, name));
    if (bytes.byteLength > MOST_BYTES) continue;
    const parts =
      bytes.subarray(0, 5).toString() === 'From ' ? bytes.toString('latin1').split(/^From .*\r?\n/mu) : [bytes.toString('latin1')];
    for (const part of parts) if (/^[\w-]+:/mu.test(part)) yield Buffer.from(part, 'latin1');
  }
}

async function read(raw: Buffer): Promise<Read | undefined> {
  const mail = await PostalMime.parse(raw).catch(() => undefined);
  if (!mail) return undefined;
  const pieces: string[] = [];
  if (mail.html !== undefined) htmlText(mail.html, { text: (piece) => void pieces.push(piece) });
  const texts = [mail.text ?? '', pieces.join('')].filter((text) => text.trim() !== '');
  const ids = (line: string | undefined): string[] => [...(line ?? '').matchAll(/<([^<>\s]+)>/gu)].map(([, id = '']) => id);
  const hash = (content: string | ArrayBuffer | Uint8Array): string =>
    createHash('sha256')
      .update(typeof content === 'string' ? content : new Uint8Array(content))
      .digest('hex');
  return {
    ...hashSentences(...texts),
    texts,
    messageId: ids(mail.messageId)[0] ?? null,
    references: [...ids(mail.references), ...ids(mail.inReplyTo)],
    subject: mail.subject ?? '',
    sentMs: Date.parse(mail.date ?? '') || 0,
    attachments: mail.attachments.map(({ content }) => hash(content)),
  };
}

/** Without quote marks and white space. */
const flat = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/u)
    .map((line) => line.replace(/^(?:[ \t]*>)+/u, ''))
    .join('')
    .normalize('NFKC')
    .replaceAll(/\s+/gu, '');

/** What of a mail does not stand in another one: its lines, without what has no letter, and its attachments. */
function missingIn(shown: Read, hidden: Read): string[] {
  const whole = flat(shown.texts.join('\n'));
  const lines = hidden.texts.flatMap((text) => text.split(/\r\n|[\r\n]/u)).map(flat);
  const lost = lines.filter((line) => /\p{L}/u.test(line) && !whole.includes(line));
  return [...lost, ...hidden.attachments.filter((one) => !shown.attachments.includes(one))];
}

async function readAll(): Promise<Read[]> {
  const mails: Read[] = [];
  for (const folder of folders) {
    for (const raw of messages(path.join(corpora, folder))) {
      const mail = await read(raw);
      if (mail) mails.push(mail);
    }
  }
  return mails;
}

describe.skipIf(!existsSync(corpora))('mail of others (skipped without ../shared/corpora)', () => {
  test('A32: in the real corpora a hidden mail has no line and no attachment that the mail shown instead lacks', async () => {
    const mails = await readAll();
    expect(mails.length).toBeGreaterThan(900);
    const places = readLess(mails);
    const hidden = [...mails.entries()].filter(([at]) => places[at]?.shownBy !== at);
    expect(hidden.length).toBeGreaterThan(20);
    for (const [at, mail] of hidden) {
      const by = places[at]?.shownBy ?? at;
      const [shown] = mails.slice(by, by + 1);
      expect(shown && missingIn(shown, mail)).toEqual([]);
      expect(places[by]?.shownBy).toBe(by);
    }
  }, 60_000);
});
