import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOf, decodeHeader, readMime } from '../mail/mime-reader.ts';
import { base64Lines, headerText, quotedPrintable, writeMime } from './mime-writer.ts';

describe('what is written as MIME', () => {
  it('comes back from quoted-printable, in lines of at most 76 signs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const clean = text.replaceAll(/[\r\n]/gu, ' ');
        const data = quotedPrintable(clean);
        expect(
          Math.max(
            ...data
              .toString('latin1')
              .split('\r\n')
              .map((line) => line.length),
          ),
        ).toBeLessThanOrEqual(76);
        const part = readMime(writeMime({ headers: [['Content-Transfer-Encoding', 'quoted-printable']], body: data }));
        expect(bodyOf(part).toString()).toBe(clean);
      }),
    );
  });

  it('comes back from base64 byte for byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (data) => {
        const part = readMime(writeMime({ headers: [['Content-Transfer-Encoding', 'base64']], body: base64Lines(data) }));
        expect(bodyOf(part).equals(Buffer.from(data))).toBe(true);
      }),
    );
  });

  it('keeps header text, folded into encoded words when it is not ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }), (text) => {
        const clean = text
          .replaceAll(/\p{Cc}/gu, '')
          .replaceAll(/=\?/gu, '')
          .trim();
        expect(decodeHeader(headerText(clean))).toBe(clean);
      }),
    );
  });

  it('has parts inside parts', () => {
    const leaf = (text: string) => ({ headers: [['Content-Type', 'text/plain']] as const, body: text });
    const inner = {
      headers: [['Content-Type', 'multipart/alternative; boundary="in"']] as const,
      boundary: 'in',
      body: [leaf('a'), leaf('b')],
    };
    const data = writeMime({ headers: [['Content-Type', 'multipart/mixed; boundary="out"']], boundary: 'out', body: [inner, leaf('c')] });
    const root = readMime(data);
    expect(root.children.map((child) => child.type)).toEqual(['multipart/alternative', 'text/plain']);
    expect(root.children[0]?.children.map((child) => bodyOf(child).toString())).toEqual(['a', 'b']);
  });

  it('is read without failing whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 800 }), (data) => {
        expect(typeof readMime(Buffer.from(data)).type).toBe('string');
      }),
    );
  });
});
