import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { ZipFile } from 'yazl';
import type { MailFile, MailFileEntry, MailPlace } from './mail-file.ts';
import { folderOf, formatOfMailFile, readMailFiles } from './read-mail-files.ts';

function fileOf(name: string, content: Buffer | string): MailFile {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  return { name, sizeBytes: bytes.byteLength, read: async (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)) };
}

const inOrder = async function* (files: readonly MailFile[]): AsyncGenerator<MailFile, void, undefined> {
  yield* files;
  await Promise.resolve();
};

const readAll = (files: readonly MailFile[], after?: MailPlace): Promise<MailFileEntry[]> =>
  Array.fromAsync(readMailFiles(inOrder(files), after));
const texts = (entries: readonly MailFileEntry[]): string[] => entries.map(({ bytes }) => bytes.toString('latin1'));
const outcomes = (entries: readonly MailFileEntry[]): string[] => entries.map((entry) => (entry.kind === 'mail' ? 'mail' : entry.code));

const LINE = 'From anna@fabrikam.example Mon Nov  2 10:00:00 2026\n';
const mail = (body: string, more = ''): string => `From: anna@fabrikam.example\nSubject: Offer\n${more}\n${body}`;

type Dialect = 'mboxo' | 'mboxrd' | 'mboxcl' | 'mboxcl2';
const quote: Readonly<Record<Dialect, (body: string) => string>> = {
  mboxo: (body) => body.replaceAll(/^From /gmu, '>From '),
  mboxrd: (body) => body.replaceAll(/^(>*From )/gmu, '>$1'),
  mboxcl: (body) => body.replaceAll(/^From /gmu, '>From '),
  mboxcl2: (body) => body,
};

/** A mailbox file as a program of this dialect writes it, and what its messages are. */
function mailbox(dialect: Dialect, bodies: readonly string[]): { readonly file: string; readonly messages: readonly string[] } {
  const hasLength = dialect === 'mboxcl' || dialect === 'mboxcl2';
  const lengths = bodies.map((body) => (hasLength ? `Content-Length: ${quote[dialect](body).length}\n` : ''));
  return {
    file: bodies.map((body, at) => `${LINE}${mail(quote[dialect](body), lengths[at])}\n`).join(''),
    messages: bodies.map((body, at) => mail(body, lengths[at])),
  };
}

async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mail-zip-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as string, 'latin1'), name);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path.join(folder, 'a.zip')));
  return readFile(path.join(folder, 'a.zip'));
}

test.each(['mboxo', 'mboxrd', 'mboxcl', 'mboxcl2'] as const)(
  'A7: a mailbox file of dialect %s gives the exact messages that went in',
  async (dialect) => {
    const bodies = [
      'One\nFrom here on it counts\nend\n',
      'Two\n',
      ...(dialect === 'mboxrd' ? ['Three\n>From a quoted one\n>>From twice\n'] : []),
    ];
    if (dialect === 'mboxcl2') bodies.push('Four\n\nFrom bob@fabrikam.example Mon Nov  2 11:00:00 2026\nno message of its own\n');
    const { file, messages } = mailbox(dialect, bodies);
    const entries = await readAll([fileOf('Inbox.mbox', file)]);
    expect(outcomes(entries)).toEqual(messages.map(() => 'mail'));
    expect(texts(entries)).toEqual(messages);
    expect(new Set(entries.map(({ folder }) => folder))).toEqual(new Set(['Inbox']));
    expect(await formatOfMailFile(fileOf('Inbox.mbox', file))).toBe(dialect);
  },
);

test('lines end as they did: a mailbox file with CRLF gives messages with CRLF', async () => {
  const { file, messages } = mailbox('mboxrd', ['One\nFrom here\n', 'Two\n']);
  const entries = await readAll([fileOf('a', file.replaceAll('\n', '\r\n'))]);
  expect(texts(entries)).toEqual(messages.map((message) => message.replaceAll('\n', '\r\n')));
});

test('messages without an empty line between them are told apart all the same', async () => {
  const entries = await readAll([fileOf('a', `${LINE}${mail('One\n')}${LINE}${mail('Two\n')}`)]);
  expect(texts(entries)).toEqual([mail('One\n'), mail('Two\n')]);
});

test('a sentence that begins with "From" after an empty line starts no message', async () => {
  const entries = await readAll([fileOf('a', `${LINE}${mail('Dear Ben\n\nFrom now on we meet at noon.\n')}\n${LINE}${mail('Two\n')}\n`)]);
  expect(texts(entries)).toEqual([mail('Dear Ben\n\nFrom now on we meet at noon.\n'), mail('Two\n')]);
});

test('A7: whatever its messages are, a mailbox file gives them back, and goes on after each place', async () => {
  const line = fc.oneof(fc.constantFrom('', 'From a', '>From b', '>>From c', 'text', '\0\xff'), fc.string({ maxLength: 8 }));
  const body = fc.array(
    line.map((text) => text.replaceAll(/[\r\n\u0100-\uffff]/gu, ' ')),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 5 }), async (bodies) => {
      const { file, messages } = mailbox(
        'mboxrd',
        bodies.map((lines) => `${lines.join('\n')}\n`),
      );
      const input = [fileOf('a', file)];
      const entries = await readAll(input);
      expect(texts(entries)).toEqual(messages);
      for (const [at, { place }] of entries.entries()) expect(texts(await readAll(input, place))).toEqual(messages.slice(at + 1));
    }),
    { numRuns: 100 },
  );
});

test('A7: a piece without a header is kept with its offset, and what comes before and after it is read', async () => {
  const broken = `${LINE}\nno header at all\n\n`;
  const first = `${LINE}${mail('One\n')}\n`;
  const entries = await readAll([fileOf('a', `${first}${broken}${LINE}${mail('Two\n')}\n`)]);
  expect(outcomes(entries)).toEqual(['mail', 'import.no-header', 'mail']);
  expect(entries[1]).toMatchObject({ offset: first.length, fileName: 'a' });
  expect(texts(entries)[1]).toBe(broken);
});

test('a file that ends in the middle of a message gives what is there of it', async () => {
  const { file, messages } = mailbox('mboxcl', ['One\n', 'A longer body that is cut\n']);
  const entries = await readAll([fileOf('a', file.slice(0, -12))]);
  expect(outcomes(entries)).toEqual(['mail', 'mail']);
  expect(messages[1]?.startsWith(texts(entries)[1] ?? '-')).toBe(true);
});

test('a message of many megabytes between small ones comes whole', async () => {
  const large = `${'x'.repeat(75)}\n`.repeat(120_000);
  const { file, messages } = mailbox('mboxrd', ['One\n', large, 'Three\n']);
  expect(texts(await readAll([fileOf('a', file)]))).toEqual(messages);
});

test('files that are no mail are named for what they are', async () => {
  const files = [
    fileOf('a.eml', mail('One')),
    fileOf('b.mbox', '<!DOCTYPE html>\n<html><body>Sign in</body></html>'),
    fileOf('c.bin', Buffer.from([1, 2, 3])),
  ];
  expect(outcomes(await readAll(files))).toEqual(['mail', 'import.is-html', 'import.not-mail']);
  expect(outcomes(await readAll(files, [0, 0]))).toEqual(['import.is-html', 'import.not-mail']);
});

test('a zip gives the mail in it by folder, zips in it included, and goes on after each place', async () => {
  const { file } = mailbox('mboxrd', ['In a mailbox\n', 'Another\n']);
  const inner = await zipOf({ 'deep/x.eml': mail('Deep') });
  const zip = await zipOf({ 'Inbox/a.eml': mail('One'), 'Local.sbd/Sent.mbox': file, 'inner.zip': inner, 'readme.html': '<html></html>' });
  const entries = await readAll([fileOf('all.zip', zip)]);
  expect(outcomes(entries)).toEqual(['mail', 'mail', 'mail', 'mail', 'import.is-html']);
  expect(entries.map(({ folder }) => folder)).toEqual(['all/Inbox', 'all/Local/Sent', 'all/Local/Sent', 'all/inner/deep', 'all']);
  for (const [at, { place }] of entries.entries()) {
    expect(texts(await readAll([fileOf('all.zip', zip)], place))).toEqual(texts(entries).slice(at + 1));
  }
});

test('zips that are cut, nested without end or unpack to far too much are named and not opened further', async () => {
  const zip = await zipOf({ 'a.eml': mail('One') });
  expect(outcomes(await readAll([fileOf('cut.zip', zip.subarray(0, zip.byteLength - 30))]))).toEqual(['import.damaged']);
  let nested: Buffer = zip;
  for (let depth = 0; depth < 3; depth += 1) nested = await zipOf({ 'in.zip': nested });
  expect(outcomes(await readAll([fileOf('deep.zip', nested)]))).toEqual(['import.too-deep']);
  const bomb = await zipOf({ 'bomb.eml': Buffer.alloc(70 * 1024 * 1024), 'after.eml': mail('Two') });
  expect(outcomes(await readAll([fileOf('bomb.zip', bomb)]))).toEqual(['import.bomb', 'mail']);
}, 60_000);

test('names of folders never lead out of where they are put', () => {
  expect(folderOf('../../etc/Inbox.mbox', 'mboxrd')).toBe('etc/Inbox');
  expect(folderOf('C:\\Mail\\Sent', 'mboxo')).toBe('C:/Mail/Sent');
});
