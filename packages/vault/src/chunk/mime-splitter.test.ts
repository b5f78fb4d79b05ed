import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAssembler } from '../read/assemble.ts';
import { freshRoom } from './batch-room.ts';
import { encodedLength, encodeLines, layoutName, parseLayout } from './base64-lines.ts';
import { createMimeSplitter, type MimeSegment } from './mime-splitter.ts';

const CORPORA = path.join(import.meta.dirname, '..', '..', '..', '..', '..', 'shared', 'corpora');

function split(message: Buffer, windowBytes = Number.POSITIVE_INFINITY): MimeSegment[] {
  const splitter = createMimeSplitter();
  const segments: MimeSegment[] = [];
  let held = Buffer.alloc(0);
  for (let at = 0; ;) {
    const next = message.subarray(at, Math.min(message.byteLength, at + windowBytes));
    at += next.byteLength;
    const isLast = at >= message.byteLength;
    held = Buffer.concat([held, next]);
    const { segments: more, consumed } = splitter.push(held, isLast, freshRoom);
    segments.push(...more.map((segment) => ({ ...segment, data: Buffer.from(segment.data) })));
    held = Buffer.from(held.subarray(consumed));
    if (isLast) return segments;
  }
}

function join(segments: readonly MimeSegment[]): Buffer {
  const parts: Buffer[] = [];
  const assembler = createAssembler((part) => void parts.push(part));
  for (const segment of segments) {
    const encoding = segment.type === 'raw' ? undefined : segment.continues ? '+' : layoutName(segment.layout);
    assembler.add(encoding === undefined ? ['', segment.data.byteLength] : ['', segment.data.byteLength, encoding], segment.data);
  }
  assembler.finish();
  return Buffer.concat(parts);
}

const decodedBytes = (segments: readonly MimeSegment[]): number =>
  segments.reduce((sum, segment) => sum + (segment.type === 'base64' ? segment.data.byteLength : 0), 0);

function aMessage(lines: string, encoding = 'base64'): Buffer {
  return Buffer.from(
    `Subject: x\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${lines}\r\n--b--\r\n`,
  );
}

function inLines(data: Buffer, width: number, end = '\r\n'): string {
  return encodeLines(data, { width, crlf: end === '\r\n' }).toString();
}

describe('the MIME splitter', () => {
  it('stores a base64 part decoded', () => {
    const attachment = Buffer.alloc(5000, 'attachment ');
    const message = aMessage(inLines(attachment, 76));
    const segments = split(message);
    expect(segments.find((segment) => segment.type === 'base64')?.data.equals(attachment)).toBe(true);
    expect(join(segments).equals(message)).toBe(true);
  });

  it.each([60, 64, 72, 76, 0, 1000])('knows lines of %i characters', (width) => {
    const message = aMessage(inLines(Buffer.alloc(4001, 'abc'), width));
    expect(decodedBytes(split(message))).toBe(4001);
    expect(join(split(message)).equals(message)).toBe(true);
  });

  it.each([
    ['a character that is none', (text: string) => text.replace('Y', '!')],
    ['the URL alphabet', (text: string) => text.replace('Y', '-')],
    ['an underscore', (text: string) => text.replace('Y', '_')],
    ['bits after the end', (text: string) => `${text.slice(0, -4)}YR==`],
    ['padding in the middle', (text: string) => text.replace('Y', '=')],
    ['a space within a line', (text: string) => text.replace('YWJj', 'YWJ ')],
    ['lines of odd length', (text: string) => text.replaceAll(/.{76}\r\n/g, (line) => `${line.slice(0, 75)}\r\n`)],
    ['a missing character at the end', (text: string) => text.slice(0, -1)],
  ])('leaves a text with %s byte for byte what it was', (_, spoil) => {
    const message = aMessage(spoil(inLines(Buffer.alloc(4000, 'abc'), 76)));
    expect(join(split(message)).equals(message)).toBe(true);
  });

  it('takes mixed line ends, blank lines and short lines within base64 as they are', () => {
    const text = inLines(Buffer.alloc(4000, 'xyz'), 76);
    for (const odd of [text.replace('\r\n', '\n'), text.replace('\r\n', '\r\n\r\n'), `${text}\r\n\r\n`, text.replaceAll('\r\n', '\n')]) {
      expect(join(split(aMessage(odd))).equals(aMessage(odd))).toBe(true);
    }
  });

  it('goes on with a long attachment over many windows as one text', () => {
    const attachment = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7919) & 255));
    const message = aMessage(inLines(attachment, 76));
    for (const windowBytes of [2000, 4096, 65_536]) {
      const segments = split(message, windowBytes);
      expect(decodedBytes(segments)).toBe(attachment.byteLength);
      expect(segments.filter((segment) => segment.type === 'base64' && !segment.continues)).toHaveLength(1);
      expect(join(segments).equals(message)).toBe(true);
    }
  });

  it('finds attachments in messages within messages and below many levels', () => {
    const inner = aMessage(inLines(Buffer.alloc(3000, 'deep'), 76)).toString();
    const outer = Buffer.from(`Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: message/rfc822\n\n${inner}\n--o--\n`);
    expect(decodedBytes(split(outer))).toBe(3000);
    let deep = inner;
    for (let level = 0; level < 60; level += 1)
      deep = `Content-Type: multipart/mixed; boundary=l${level}\r\n\r\n--l${level}\r\n${deep}\r\n--l${level}--\r\n`;
    expect(join(split(Buffer.from(deep))).equals(Buffer.from(deep))).toBe(true);
  });

  it('is not impressed by headers without end or a hundred thousand parts', () => {
    const endless = Buffer.from(`Subject: ${'x'.repeat(300_000)}`);
    expect(join(split(endless, 10_000)).equals(endless)).toBe(true);
    const parts = Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(100_000)}--b--`);
    const segments = split(parts);
    expect(segments.length).toBeLessThan(1000);
    expect(join(segments).equals(parts)).toBe(true);
  });

  it('puts anything at all together again, whatever the windows', () => {
    const word = fc.constantFrom(
      '--b',
      '--b--',
      '\r\n',
      '\n',
      '\r\n\r\n',
      'Content-Type: multipart/mixed; boundary=b',
      'Content-Transfer-Encoding: base64',
      inLines(Buffer.alloc(600, 'q'), 76),
      'QUJD',
      '=',
      '-',
      'text',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.integer({ min: 1, max: 2000 }), (words, windowBytes) => {
        const message = Buffer.from(words.join(''));
        expect(join(split(message, windowBytes)).equals(message)).toBe(true);
        expect(join(split(message)).equals(message)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('encodes and measures any bytes in any layout', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.constantFrom(0, 4, 60, 76), fc.boolean(), (data, width, crlf) => {
        const layout = { width, crlf };
        const lines = encodeLines(data, layout);
        expect(lines.byteLength).toBe(encodedLength(data.byteLength, layout));
        expect(Buffer.from(lines.toString(), 'base64').equals(data)).toBe(true);
        expect(parseLayout(layoutName(layout))).toEqual(layout);
      }),
    );
    for (const name of ['b75c', 'b76', 'x76c', '+', 'b076c']) expect(parseLayout(name)).toBeUndefined();
  });

  it('is byte-exact for every file of every corpus', ({ skip }) => {
    if (!existsSync(CORPORA)) skip('the corpora are not on this machine');
    let files = 0;
    for (const entry of readdirSync(CORPORA, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const message = readFileSync(path.join(entry.parentPath, entry.name));
      files += 1;
      for (const windowBytes of [Number.POSITIVE_INFINITY, 4096]) {
        if (!join(split(message, windowBytes)).equals(message)) expect.fail(`${entry.name} came back differently`);
      }
    }
    expect(files).toBeGreaterThan(1000);
  });
});
