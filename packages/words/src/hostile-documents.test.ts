import CFB from 'cfb';
import { systemClock } from '@holdfast/foundation/clock';
import { afterAll, expect, test } from 'vitest';
import yazl from 'yazl';
import { createDocumentReader } from './create-document-reader.ts';
import type { Document, DocumentPart } from './part/document-part.ts';
import { MOST_PARTS } from './part/limits.ts';
import { readDocument } from './read-document.ts';

/** Documents that somebody has made to stop whoever reads them. Each fails alone, says why, and the next one is read. */
const reader = createDocumentReader({ clock: systemClock, mostMs: 30_000 });
afterAll(() => reader.close());

async function zipOf(names: readonly string[]): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const name of names) zip.addBuffer(Buffer.from('a'), name, { compress: false });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const part = '\r\n--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\na';
const mailOf = (parts: number): Buffer =>
  Buffer.from(`Subject: Many\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n${part.repeat(parts)}\r\n--b--\r\n`);

/** A file of Office from 2003 whose table of sectors leads from each sector to the one before: its chains have no end. */
function endlessOle(): Buffer {
  const file = CFB.utils.cfb_new();
  CFB.utils.cfb_add(file, '/WordDocument', Buffer.alloc(64 * 1024, 1));
  const bytes = CFB.write(file, { type: 'buffer' }) as Buffer;
  const table = 512 * (bytes.readUInt32LE(0x4c) + 1);
  for (let sector = 0; sector < 100; sector += 1) bytes.writeUInt32LE((sector + 99) % 100, table + sector * 4);
  return bytes;
}

/** Two hundred million pages, each of which is all of them. */
const endlessPdf = Buffer.from(
  [
    '%PDF-1.4',
    '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
    '2 0 obj <</Type/Pages/Kids[2 0 R 2 0 R]/Count 200000000/MediaBox[0 0 9 9]>> endobj',
    'trailer <</Root 1 0 R>>',
    '%%EOF',
  ].join('\n'),
);

/** Paints itself in itself. */
const endlessForm = Buffer.from(
  [
    '%PDF-1.4',
    '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
    '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj',
    '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</F 4 0 R>>>>>> endobj',
    '4 0 obj <</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 4 0 R>>>>/Length 8>> stream\n/F Do /F Do\nendstream endobj',
    'trailer <</Root 1 0 R>>',
    '%%EOF',
  ].join('\n'),
);

test('A18: of a mail with more parts than are read, those are read that may be, and one says that there are more', async () => {
  const parts = await readDocument({ name: 'many.eml', bytes: mailOf(MOST_PARTS + 500) });
  expect(parts).toHaveLength(MOST_PARTS + 1);
  expect(parts.at(-2)).toMatchObject({ state: 'indexed', text: expect.stringMatching(/^a\s*$/u) as string });
  expect(parts.at(-1)).toMatchObject({ state: 'tooLarge', text: '', reason: 'there are more documents in it than are read' });
});

test('A18: a zip of more files than are read is not taken apart, and says so', async () => {
  const [only, ...more] = await readDocument({
    name: 'many.zip',
    bytes: await zipOf(Array.from({ length: MOST_PARTS + 1 }, (_, n) => `${n}`)),
  });
  expect([only?.state, only?.reason, more]).toEqual(['tooLarge', 'it holds too many files', []]);
});

const hostile: readonly (readonly [string, DocumentPart['state'], () => Document])[] = [
  ['a mail of a million parts', 'failed', () => ({ name: 'million.eml', bytes: mailOf(1_000_000) })],
  ['an older document whose sectors have no end', 'failed', () => ({ name: 'endless.doc', bytes: endlessOle() })],
  ['a PDF whose pages are themselves', 'noText', () => ({ name: 'pages.pdf', bytes: endlessPdf })],
  ['a PDF that paints itself in itself', 'noText', () => ({ name: 'form.pdf', bytes: endlessForm })],
];

test.each(hostile)(
  'A18: %s is %s, and the document after it is read',
  async (_what, state, document) => {
    const [part, ...more] = await reader.read(document());
    const says = state === 'failed' ? 'string' : 'undefined';
    expect([part?.state, typeof part?.reason, part?.text.trim(), more]).toEqual([state, says, '', []]);
    expect((await reader.read({ name: 'after.txt', bytes: Buffer.from('danach') })).map(({ text }) => text)).toEqual(['danach']);
  },
  60_000,
);
