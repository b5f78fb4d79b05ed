import { createHash } from 'node:crypto';
import type { Bytes } from '@holdfast/foundation/streams';
import { encodedLength, parseLayout } from '../chunk/base64-lines.ts';
import type { ContentRef, Piece } from '../chunk/content-ref.ts';
import { vaultError } from '../shared/errors.ts';
import type { BlobReader } from '../read/blobs.ts';

/** Hands out exact amounts of a stream. */
function createTaker(source: Bytes) {
  const iterator = source[Symbol.asyncIterator]();
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  return async (wanted: number): Promise<Buffer> => {
    while (heldBytes < wanted) {
      const next = await iterator.next();
      if (next.done) break;
      held.push(next.value);
      heldBytes += next.value.byteLength;
    }
    const all = Buffer.concat(held);
    const taken = all.subarray(0, wanted);
    held = [all.subarray(taken.byteLength)];
    heldBytes -= taken.byteLength;
    return taken;
  };
}

/** Pieces with those that make up one base64 text together. */
function groupsOf(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    if (piece[2] === '+') groups.at(-1)?.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

/**
 * Cuts a content that was fetched again exactly as its reference says, and gives the plaintext of
 * every blob. The whole must have the reference's hash, otherwise `vault.damaged` after the last
 * blob: the source has changed, and what was stored of it is of no use.
 */
export async function* blobsOfContent(blobs: BlobReader, content: ContentRef, source: Bytes): AsyncGenerator<Buffer, void, undefined> {
  const take = createTaker(source);
  const hash = createHash('sha256');
  const pieces: Piece[] = [];
  for await (const piece of blobs.pieces(content)) pieces.push(piece);
  for (const group of groupsOf(pieces)) {
    const layout = parseLayout(group[0]?.[2] ?? '');
    const plainBytes = group.reduce((sum, piece) => sum + piece[1], 0);
    const given = await take(layout ? encodedLength(plainBytes, layout) : plainBytes);
    hash.update(given);
    const plain = layout ? Buffer.from(given.toString('latin1'), 'base64') : given;
    let at = 0;
    for (const piece of group) {
      yield plain.subarray(at, at + piece[1]);
      at += piece[1];
    }
  }
  const rest = await take(1);
  if (rest.byteLength > 0 || hash.digest('hex') !== content.sha256) {
    throw vaultError('vault.damaged', 'What the source gave is not what was taken in.', { sha256: content.sha256 });
  }
}
