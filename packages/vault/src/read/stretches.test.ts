import { expect, it } from 'vitest';
import type { Piece } from '../chunk/content-ref.ts';
import { createAssembler } from './assemble.ts';
import { piecesBeside, stretchesOf } from './stretches.ts';

const idOf = (byte: number): string => byte.toString(16).padStart(2, '0').repeat(20);

/** Puts pieces together; each is its own byte again and again. */
function bytesOf(pieces: readonly Piece[]): Buffer {
  const parts: Buffer[] = [];
  const assembler = createAssembler((part) => void parts.push(Buffer.from(part)));
  for (const piece of pieces) assembler.add(piece, Buffer.alloc(piece[1], piece[0].slice(0, 2), 'hex'));
  assembler.finish();
  return Buffer.concat(parts);
}

const text: readonly Piece[] = [
  [idOf(1), 1000, 'b76c'],
  [idOf(2), 2000, '+'],
  [idOf(3), 301, '+'],
];

it('a whole base64 text is one stretch, the same bytes wherever it stands', () => {
  const one: readonly Piece[] = [[idOf(4), 700], ...text, [idOf(5), 20]];
  const two: readonly Piece[] = [[idOf(6), 5], [idOf(7), 900], ...text];
  const [ofOne, ofTwo] = [stretchesOf(one), stretchesOf(two)];
  expect(ofOne.map(({ firstPiece, pieceCount }) => [firstPiece, pieceCount])).toEqual([
    [0, 1],
    [1, 3],
  ]);
  expect(ofTwo.map(({ firstPiece, pieceCount }) => [firstPiece, pieceCount])).toEqual([
    [1, 1],
    [2, 3],
  ]);
  const [a, b] = [ofOne[1], ofTwo[1]];
  expect(a?.key).toBe(b?.key);
  const cut = (pieces: readonly Piece[], at = a): Buffer => bytesOf(pieces).subarray(at?.offset, (at?.offset ?? 0) + (at?.length ?? 0));
  expect(cut(one)).toEqual(cut(two, b));
  expect(cut(one)).toEqual(bytesOf(text));
});

it('texts in other layouts, or cut elsewhere, are other stretches', () => {
  const variants: readonly (readonly Piece[])[] = [
    text,
    [[idOf(1), 1000, 'b64c'], ...text.slice(1)],
    [[idOf(1), 1000, 'b76l'], ...text.slice(1)],
    text.slice(0, 2),
    [[idOf(1), 1000]],
  ];
  expect(new Set(variants.map((pieces) => stretchesOf(pieces)[0]?.key)).size).toBe(variants.length);
});

it('nothing is said of pieces that no writer makes', () => {
  expect(stretchesOf([[idOf(1), 5000, '+']])).toEqual([]);
  expect(
    stretchesOf([
      [idOf(1), 5000, 'q80'],
      [idOf(2), 5000],
    ]),
  ).toEqual([]);
});

it('the pieces beside stretches are all the others', () => {
  expect(
    piecesBeside(6, [
      { firstPiece: 1, pieceCount: 2 },
      { firstPiece: 4, pieceCount: 1 },
    ]),
  ).toEqual([0, 3, 5]);
  expect(piecesBeside(2, [])).toEqual([0, 1]);
  expect(piecesBeside(2, [{ firstPiece: 0, pieceCount: 2 }])).toEqual([]);
});
