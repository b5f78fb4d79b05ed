import type { KeyObject } from 'node:crypto';
import { rechunk, type Bytes } from '@holdfast/foundation/streams';
import type { Piece } from '../chunk/content-ref.ts';
import type { PutContentOptions } from '../vault.ts';
import { BATCH_BYTES, type Batcher, type DigestedContent } from './batcher.ts';
import { createPieceTree } from './piece-tree.ts';
import type { WritePath } from './write-path.ts';

/** Parts of a long content. */
const PART_BYTES = 4 * 1024 * 1024;

export type PutContent = DigestedContent & { readonly depth: number };

/** Takes up to `BATCH_BYTES`; the iterator stands after what was taken. */
async function takeFirst(source: AsyncIterator<Uint8Array>): Promise<{ head: Uint8Array; isWhole: boolean }> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const next = await source.next();
    if (next.done) return { head: Buffer.concat(parts), isWhole: bytes <= BATCH_BYTES };
    parts.push(next.value);
    bytes += next.value.byteLength;
    if (bytes > BATCH_BYTES) return { head: Buffer.concat(parts), isWhole: false };
  }
}

async function* after(head: Uint8Array, rest: AsyncIterator<Uint8Array>): Bytes {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* inParts(data: Uint8Array): Bytes {
  for (let at = 0; at < data.byteLength; at += PART_BYTES) yield data.subarray(at, at + PART_BYTES);
}

/** Puts contents of any length: short ones in batches, long ones part by part through one intake. */
export function createContentPutter(options: { readonly path: WritePath; readonly batcher: Batcher; readonly check: () => void }) {
  const { path, batcher, check } = options;

  async function storeList(pieces: readonly Piece[]): Promise<Piece> {
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece[1], 0);
    const list = await batcher.add(Buffer.from(JSON.stringify(pieces)), 'blob');
    return [(list.pieces[0] as Piece)[0], sizeBytes];
  }

  async function putLong(source: Bytes, put: PutContentOptions, itemKey: KeyObject | undefined): Promise<PutContent> {
    const { port, release } = path.borrowPort();
    const contentId = path.nextId();
    const tree = createPieceTree(storeList);
    const part = { contentId, kind: put.kind, ...(itemKey ? { itemKey } : {}) };
    try {
      let held: Uint8Array = new Uint8Array(0);
      for await (const data of source) {
        put.signal?.throwIfAborted();
        check();
        if (held.byteLength > 0) await tree.add((await batcher.addPart(port, { ...part, isLast: false }, held)).pieces);
        held = data;
      }
      const { pieces, whole = { sha256: '', sizeBytes: 0 } } = await batcher.addPart(port, { ...part, isLast: true }, held);
      await tree.add(pieces);
      return { ...whole, ...(await tree.finish()) };
    } catch (error) {
      await port.forget([contentId]).catch(() => undefined);
      throw error;
    } finally {
      release();
    }
  }

  async function putShort(data: Uint8Array, put: PutContentOptions, itemKey: KeyObject | undefined): Promise<PutContent> {
    const digested = await batcher.add(data, put.kind, itemKey);
    const tree = createPieceTree(storeList);
    await tree.add(digested.pieces);
    return { ...digested, ...(await tree.finish()) };
  }

  return async (content: Bytes | Uint8Array, put: PutContentOptions, itemKey: KeyObject | undefined): Promise<PutContent> => {
    if (content instanceof Uint8Array) {
      return content.byteLength <= BATCH_BYTES ? putShort(content, put, itemKey) : putLong(inParts(content), put, itemKey);
    }
    const source = content[Symbol.asyncIterator]();
    const { head, isWhole } = await takeFirst(source);
    return isWhole ? putShort(head, put, itemKey) : putLong(rechunk(after(head, source), PART_BYTES), put, itemKey);
  };
}
