import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { systemClock } from '@holdfast/foundation/clock';
import { describe, expect, test } from 'vitest';
import { pdfProblem } from './pdf-check.ts';
import { checkPdf } from './pdf-checker.ts';
import { aPdf, anObjectStream } from './testing/pdf.ts';

const check = (bytes: Buffer, allowsActive = false) => pdfProblem(bytes, { allowsActive });

test('a plain PDF is taken, also one whose objects are packed or which begins with a byte order mark', () => {
  expect(check(aPdf())).toBeUndefined();
  expect(check(aPdf({ objects: [anObjectStream('<< /Title (Launch plan: JavaScript) >>')] }))).toBeUndefined();
  expect(check(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), aPdf()]))).toBeUndefined();
});

describe('what is no PDF', () => {
  const pdf = aPdf();
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a script', Buffer.from('#!/bin/sh\nrm -rf /\n')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a program', Buffer.concat([Buffer.from('MZ\u0090\u0000', 'latin1'), Buffer.alloc(2_000)])],
    ['a cut file', pdf.subarray(0, pdf.byteLength - 40)],
    ['a header alone', Buffer.from('%PDF-1.7\n%%EOF')],
    ['a picture before the PDF', Buffer.concat([Buffer.from('GIF89a\u0001\u0000', 'latin1'), pdf])],
    ['a page before the PDF', Buffer.concat([Buffer.from('<script>1</script>'), pdf])],
    ['a ZIP archive behind the PDF', Buffer.concat([pdf, Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)])],
    ['a million objects', aPdf({ objects: [anObjectStream('<<>> '.repeat(1_000_000))] })],
    ['a bomb', aPdf({ objects: [anObjectStream(' '.repeat(80 * 1024 * 1024))] })],
    [
      'objects packed twice',
      aPdf({ objects: [anObjectStream('<<>>', '/Filter [/FlateDecode /FlateDecode]', (plain) => deflateSync(deflateSync(plain)))] }),
    ],
    [
      'objects in another packing',
      aPdf({ objects: [anObjectStream('<<>>', '/Filter /ASCIIHexDecode', (plain) => Buffer.from(plain.toString('hex')))] }),
    ],
  ])('%s is refused', (_name, bytes) => {
    expect(check(bytes)).toBe('content-mismatch');
  });
});

describe('what acts when it is opened', () => {
  const actions = [
    '/S /Launch',
    '/S /JavaScript',
    '/Type /EmbeddedFile',
    '/EmbeddedFiles 9 0 R',
    '/Subtype /RichMedia',
    '/XFA 9 0 R',
    '/S /J#61vaScript',
    '/S /#4c#61unch',
  ];
  test.each(actions)('%s is refused in plain sight and in an object stream, unless it is allowed', (action) => {
    const plain = aPdf({ objects: [`<< ${action} >>`] });
    const packed = aPdf({ objects: [anObjectStream(`<< ${action} >>`)] });
    const hidden = aPdf({ objects: [anObjectStream(`<< ${action} >>`, `/Filter /FlateDecode ${' '.repeat(9_000)} % 9 0 obj\n`)] });
    for (const bytes of [plain, packed, hidden]) {
      expect(check(bytes)).toBe('active-content');
      expect(check(bytes, true)).toBeUndefined();
    }
  });
});

test('an encrypted file is refused: nobody could say what it does', () => {
  expect(check(aPdf({ trailer: '/Encrypt 9 0 R' }))).toBe('encrypted');
});

test('the thread answers as the check itself does', async () => {
  expect(await checkPdf(systemClock, { bytes: aPdf(), allowsActive: false })).toBeUndefined();
  expect(await checkPdf(systemClock, { bytes: aPdf({ catalog: '/OpenAction << /S /JavaScript >>' }), allowsActive: false })).toBe(
    'active-content',
  );
});

const corpus = path.resolve(import.meta.dirname, '../../../../../../shared/corpora');
const real = (() => {
  try {
    return readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.pdf'));
  } catch {
    return [];
  }
})();
test.skipIf(real.length === 0)('PDF files of other programs are judged without failing', () => {
  for (const name of real)
    expect([undefined, 'active-content', 'encrypted', 'content-mismatch'], name).toContain(check(readFileSync(path.join(corpus, name))));
});
