import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addRow, emptyRow, finishRow, foldInto, quickXorHash } from './quick-xor-hash.ts';

/** The hash as its description has it, bit by bit: slow and plain. */
function plainHash(data: Uint8Array): string {
  let bits = 0n;
  const mask = (1n << 160n) - 1n;
  for (const [index, byte] of data.entries()) {
    const shift = BigInt((index * 11) % 160);
    const wide = BigInt(byte) << shift;
    bits ^= (wide & mask) | (wide >> 160n);
  }
  bits ^= BigInt(data.length) << 96n;
  const out = Buffer.alloc(20);
  for (let index = 0; index < 20; index += 1) out[index] = Number((bits >> BigInt(index * 8)) & 0xffn);
  return out.toString('base64');
}

describe('quickXorHash', () => {
  it.each([
    ['', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='],
    ['Sg==', 'SgAAAAAAAAAAAAAAAQAAAAAAAAA='],
    ['tbQ=', 'taAFAAAAAAAAAAAAAgAAAAAAAAA='],
    ['0pZP', '0rDEEwAAAAAAAAAAAwAAAAAAAAA='],
  ])('of %j is the published value', (content, hash) => {
    expect(quickXorHash(Buffer.from(content, 'base64'))).toBe(hash);
  });

  it('equals the plain description for any content', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), (data) => quickXorHash(data) === plainHash(data)));
  });

  it('is the same whatever pieces the content comes in', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 8 }), (pieces) => {
        const row = emptyRow();
        let offset = 0;
        for (const piece of pieces) {
          const part = emptyRow();
          foldInto(part, piece, offset);
          addRow(row, part);
          offset += piece.length;
        }
        return finishRow(row, offset) === quickXorHash(Buffer.concat(pieces));
      }),
    );
  });
});
