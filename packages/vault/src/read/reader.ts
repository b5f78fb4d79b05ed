import { createHash, type KeyObject } from 'node:crypto';
import { isAppError } from '@holdfast/foundation/errors';
import type { ContentRef, Piece } from '../chunk/content-ref.ts';
import type { ItemKeyStore } from '../crypto/item-keys.ts';
import { vaultError, type VaultError } from '../shared/errors.ts';
import type { BlobPlace } from '../index/blob-index.ts';
import type { ReadOptions, VaultReader } from '../content/content.ts';
import { createAssembler, isPlain, openWithItemKey } from './assemble.ts';
import { inGroups, type BlobReader } from './blobs.ts';

/** Blobs that are on their way while one is used, as long as they are short together. */
const PIECES_AHEAD = 32;
const AHEAD_BYTES = 1024 * 1024;
/** `readAll` without a limit of its own stops here. */
const READ_ALL_LIMIT_BYTES = 256 * 1024 * 1024;

export interface ReaderOptions {
  readonly blobs: BlobReader;
  readonly itemKeys: ItemKeyStore;
  readonly many: Pick<VaultReader, 'writeMany'>;
}

/** The key of its own of a content, if it has one; `vault.item-key-destroyed` once it was shredded. */
export async function itemKeyOf(itemKeys: ItemKeyStore, content: ContentRef): Promise<KeyObject | undefined> {
  if (content.itemKeyId === undefined) return undefined;
  const key = await itemKeys.get(content.itemKeyId);
  if (!key) {
    throw vaultError('vault.item-key-destroyed', 'The key of this content was destroyed: nothing can open it.', {
      itemKeyId: content.itemKeyId,
    });
  }
  return key;
}

interface PlainPiece {
  readonly piece: Piece;
  readonly plain: Buffer;
}

/** Every piece with its plaintext; the next ones are fetched while this one is used. */
async function* plainPieces(
  blobs: BlobReader,
  content: ContentRef,
  {
    key,
    signal,
    fetch,
  }: { readonly key: KeyObject | undefined; readonly signal?: AbortSignal | undefined; readonly fetch: BlobReader['at'] },
): AsyncGenerator<PlainPiece, void, undefined> {
  let number = 0;
  const open = (piece: Piece, blob: Buffer): PlainPiece => {
    const plain = key ? openWithItemKey(key, number, piece[1], blob) : blob;
    number += 1;
    return { piece, plain };
  };
  const ahead: { piece: Piece; blob: Promise<Buffer> }[] = [];
  let bytesAhead = 0;
  try {
    for await (const group of inGroups(blobs.pieces(content))) {
      const places = await blobs.find(group.map((piece) => piece[0]));
      for (const [at, piece] of group.entries()) {
        signal?.throwIfAborted();
        const blob = fetch(piece[0], places[at] as BlobPlace);
        blob.catch(() => undefined);
        ahead.push({ piece, blob });
        bytesAhead += piece[1];
        while (ahead.length > PIECES_AHEAD || (ahead.length > 1 && bytesAhead > AHEAD_BYTES)) {
          const current = ahead.shift() as (typeof ahead)[number];
          bytesAhead -= current.piece[1];
          yield open(current.piece, await current.blob);
        }
      }
    }
    for (const next of ahead) yield open(next.piece, await next.blob);
  } finally {
    await Promise.allSettled(ahead.map((next) => next.blob));
  }
}

async function* whole(options: ReaderOptions, content: ContentRef, signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  const { blobs, itemKeys } = options;
  const key = await itemKeyOf(itemKeys, content);
  const parts: Buffer[] = [];
  const assembler = createAssembler((part) => void parts.push(part));
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let held: Buffer | undefined;
  const taken = function* (): Generator<Buffer, void, undefined> {
    for (const part of parts.splice(0)) {
      hash.update(part);
      sizeBytes += part.byteLength;
      if (held) yield held;
      held = part;
    }
  };
  const fetch: BlobReader['at'] = (blobId, place) => blobs.at(blobId, place, signal);
  for await (const { piece, plain } of plainPieces(blobs, content, { key, signal, fetch })) {
    assembler.add(piece, plain);
    yield* taken();
  }
  assembler.finish();
  yield* taken();
  if (sizeBytes !== content.sizeBytes || hash.digest('hex') !== content.sha256) throw notTheSame(content);
  if (held && held.byteLength > 0) yield held;
}

function notTheSame({ sha256 }: ContentRef): VaultError {
  return vaultError('vault.damaged', 'A content put together again is not what was taken in.', { sha256 });
}

/** A whole content in one buffer. Nothing of it is given out before its hash is right, so that its blobs are not checked one by one. */
async function wholeAtOnce({ blobs, itemKeys }: ReaderOptions, content: ContentRef): Promise<Buffer> {
  const key = await itemKeyOf(itemKeys, content);
  const out = Buffer.allocUnsafeSlow(content.sizeBytes);
  const hash = createHash('sha256');
  let end = 0;
  let hashed = 0;
  const assembler = createAssembler(
    (part) => {
      if (end + part.byteLength > out.byteLength) throw notTheSame(content);
      end += part.copy(out, end);
    },
    { isPassing: true },
  );
  const hashOn = (): void => {
    hash.update(out.subarray(hashed, end));
    hashed = end;
  };
  const fetch: BlobReader['at'] = (blobId, place) => blobs.uncheckedAt(blobId, place);
  for await (const { piece, plain } of plainPieces(blobs, content, { key, fetch })) {
    assembler.add(piece, plain);
    hashOn();
  }
  assembler.finish();
  hashOn();
  if (end !== content.sizeBytes || hash.digest('hex') !== content.sha256) throw notTheSame(content);
  return out;
}

/** Pieces that overlap the range, without reading those before it where lists say how long they are. */
async function* piecesWithin(
  options: ReaderOptions,
  content: ContentRef,
  range: { start: number; end: number },
): AsyncGenerator<{ piece: Piece; start: number }, void, undefined> {
  async function* descend(
    depth: number,
    pieces: readonly Piece[],
    from: number,
  ): AsyncGenerator<{ piece: Piece; start: number }, void, undefined> {
    let start = from;
    for (const piece of pieces) {
      const end = start + piece[1];
      if (end > range.start && start < range.end) {
        if (depth === 0) yield { piece, start };
        else {
          const inner: Piece[] = [];
          for await (const below of options.blobs.pieces({ depth: 1, pieces: [piece] })) inner.push(below);
          yield* descend(depth - 1, inner, start);
        }
      }
      start = end;
    }
  }
  yield* descend(content.depth, content.pieces, 0);
}

async function* rangeOfPlain(
  options: ReaderOptions,
  content: ContentRef,
  range: { start: number; end: number },
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const { piece, start } of piecesWithin(options, content, range)) {
    signal?.throwIfAborted();
    const blob = await options.blobs.read(piece[0], signal);
    yield blob.subarray(Math.max(0, range.start - start), Math.min(piece[1], range.end - start));
  }
}

async function* rangeOfAny(
  options: ReaderOptions,
  content: ContentRef,
  range: { start: number; end: number },
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  let at = 0;
  for await (const part of whole(options, content, signal)) {
    const from = Math.max(0, range.start - at);
    const to = Math.min(part.byteLength, range.end - at);
    if (from < to) yield part.subarray(from, to);
    at += part.byteLength;
    if (at >= range.end) return;
  }
}

/** Refuses a reference that no writer made, naming the field. */
export function checkContentRef(content: ContentRef): void {
  const isGood =
    /^[0-9a-f]{64}$/.test(content.sha256) &&
    Number.isSafeInteger(content.sizeBytes) &&
    content.sizeBytes >= 0 &&
    Number.isSafeInteger(content.depth) &&
    content.depth >= 0 &&
    content.depth < 10 &&
    Array.isArray(content.pieces);
  if (!isGood) throw vaultError('vault.bad-input', 'This is no content reference.', { field: 'content' });
}

export function createReader(options: ReaderOptions): VaultReader {
  function read(content: ContentRef, readOptions: ReadOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    checkContentRef(content);
    const { range, signal } = readOptions;
    if (!range) return whole(options, content, signal);
    if (range.offset < 0 || range.length < 0) throw vaultError('vault.bad-input', 'A range begins at 0 or later.', { field: 'range' });
    const bounds = { start: range.offset, end: Math.min(content.sizeBytes, range.offset + range.length) };
    const canSkip = content.itemKeyId === undefined && (content.depth > 0 || isPlain(content.pieces));
    return canSkip ? skipOrNot(content, bounds, signal) : rangeOfAny(options, content, bounds, signal);
  }

  /** Lists of pieces do not tell before they are read whether all of them are plain: their sizes do. */
  async function* skipOrNot(
    content: ContentRef,
    bounds: { start: number; end: number },
    signal?: AbortSignal,
  ): AsyncGenerator<Buffer, void, undefined> {
    const plainSize = content.pieces.reduce((sum, piece) => sum + piece[1], 0);
    yield* plainSize === content.sizeBytes ? rangeOfPlain(options, content, bounds, signal) : rangeOfAny(options, content, bounds, signal);
  }

  return {
    read,
    async readAll(content, limitBytes = READ_ALL_LIMIT_BYTES) {
      checkContentRef(content);
      if (content.sizeBytes > limitBytes) {
        throw vaultError('vault.bad-input', `The content is longer than ${limitBytes} bytes.`, {
          field: 'content',
          sizeBytes: content.sizeBytes,
        });
      }
      try {
        return await wholeAtOnce(options, content);
      } catch (error) {
        if (!isAppError(error, 'vault.damaged')) throw error;
        // Blob by blob once more, which says what is wrong.
        const parts: Uint8Array[] = [];
        for await (const part of whole(options, content)) parts.push(part);
        return Buffer.concat(parts);
      }
    },
    ...options.many,
  };
}
