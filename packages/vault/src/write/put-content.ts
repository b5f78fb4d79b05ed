import type { KeyObject } from 'node:crypto';
import type { Bytes } from '@holdfast/foundation/streams';
import type { Piece } from '../chunk/content-ref.ts';
import type { PutContentOptions } from '../content/content.ts';
import { BATCH_BYTES, type GatheredMemory } from './batch-memory.ts';
import { inOnePart, type Batcher, type DigestedContent, type GatheredBytes } from './batcher.ts';
import type { DigestedPart } from './intake.ts';
import { createPieceTree } from './piece-tree.ts';
import type { WritePath } from './write-path.ts';

export type PutContent = DigestedContent & { readonly depth: number };

/** What a source gives next, at most `BATCH_BYTES`. `isLast`: there is no more. */
interface Taken extends GatheredBytes {
  readonly isLast: boolean;
}

/** The same bytes in lists of at most `BATCH_BYTES` together, as they are in the source's own memory. */
async function* inBatches(source: Bytes | Iterable<Uint8Array>, gathered: GatheredMemory): AsyncGenerator<Taken, void, undefined> {
  let parts: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const data of source) {
      for (let at = 0; at < data.byteLength;) {
        if (gathered.isEnough(sizeBytes)) {
          yield { parts, sizeBytes, isLast: false };
          gathered.giveBack(sizeBytes);
          parts = [];
          sizeBytes = 0;
        }
        const part = data.subarray(at, at + BATCH_BYTES - sizeBytes);
        parts.push(part);
        sizeBytes += part.byteLength;
        gathered.hold(part.byteLength);
        at += part.byteLength;
      }
    }
    yield { parts, sizeBytes, isLast: true };
  } finally {
    gathered.giveBack(sizeBytes);
  }
}

/** Puts contents of any length: short ones in batches, long ones part by part through one intake. */
export function createContentPutter(options: { readonly path: WritePath; readonly batcher: Batcher; readonly check: () => void }) {
  const { path, batcher, check } = options;

  async function storeList(pieces: readonly Piece[]): Promise<Piece> {
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece[1], 0);
    const list = await batcher.add(inOnePart(Buffer.from(JSON.stringify(pieces))), 'blob');
    return [(list.pieces[0] as Piece)[0], sizeBytes];
  }

  async function putLong(first: Taken, rest: AsyncIterable<Taken>, put: PutContentOptions, itemKey?: KeyObject): Promise<PutContent> {
    const { port, release } = path.borrowPort();
    const contentId = path.nextId();
    const tree = createPieceTree(storeList);
    const addPart = async ({ isLast, ...data }: Taken): Promise<DigestedPart> => {
      put.signal?.throwIfAborted();
      check();
      const part = await batcher.addPart(port, { contentId, kind: put.kind, isLast, ...(itemKey ? { itemKey } : {}) }, data);
      await tree.add(part.pieces);
      return part;
    };
    try {
      let last = await addPart(first);
      for await (const taken of rest) last = await addPart(taken);
      const { whole = { sha256: '', sizeBytes: 0 } } = last;
      return { ...whole, ...(await tree.finish()) };
    } catch (error) {
      await port.forget([contentId]).catch(() => undefined);
      throw error;
    } finally {
      release();
    }
  }

  async function putShort(data: GatheredBytes, put: PutContentOptions, itemKey?: KeyObject): Promise<PutContent> {
    const digested = await batcher.add(data, put.kind, itemKey);
    const tree = createPieceTree(storeList);
    await tree.add(digested.pieces);
    return { ...digested, ...(await tree.finish()) };
  }

  return async (content: Bytes | Uint8Array, put: PutContentOptions, itemKey: KeyObject | undefined): Promise<PutContent> => {
    if (content instanceof Uint8Array && content.byteLength <= BATCH_BYTES) return putShort(inOnePart(content), put, itemKey);
    const batches = inBatches(content instanceof Uint8Array ? [content] : content, path.gathered);
    try {
      const first = (await batches.next()).value as Taken;
      return await (first.isLast ? putShort(first, put, itemKey) : putLong(first, batches, put, itemKey));
    } finally {
      // A source that is not read to its end is closed.
      await batches.return();
    }
  };
}
