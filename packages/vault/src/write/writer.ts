import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Ids } from '@holdfast/foundation/ids';
import type { Bytes } from '@holdfast/foundation/streams';
import { rechunk } from '@holdfast/foundation/streams';
import type { ContentRef, Piece } from '../chunk/content-ref.ts';
import type { ItemKeyStore } from '../crypto/item-keys.ts';
import { vaultError } from '../errors.ts';
import type { PutContentOptions, VaultWriter, WriterStatistics } from '../vault.ts';
import { BATCH_BYTES, createBatcher, type DigestedContent } from './batcher.ts';
import { createPieceTree } from './piece-tree.ts';
import type { WritePath, WritePathMember } from './write-path.ts';

/** Parts of a long content. */
const PART_BYTES = 4 * 1024 * 1024;

export interface WriterOptions {
  readonly resourceId: string;
  readonly path: WritePath;
  readonly itemKeys: ItemKeyStore;
  readonly ids: Ids;
  readonly signal?: AbortSignal;
  /** Called with the packs this writer relied on when they may have been marked since: refuses or not. */
  checkUsedPacks(packIds: ReadonlySet<string>): Promise<void>;
}

interface Counters {
  contents: number;
  contentBytes: number;
  newBlobs: number;
  newBytes: number;
  storedBytes: number;
}

function totalLength(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.byteLength, 0);
}

/** Takes up to `BATCH_BYTES`; the iterator stands after what was taken. */
async function takeFirst(source: AsyncIterator<Uint8Array>): Promise<{ head: Uint8Array; isWhole: boolean }> {
  const parts: Uint8Array[] = [];
  for (;;) {
    const next = await source.next();
    if (next.done) return { head: parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts), isWhole: true };
    parts.push(next.value);
    if (totalLength(parts) > BATCH_BYTES) return { head: Buffer.concat(parts), isWhole: false };
  }
}

async function* after(head: Uint8Array, rest: AsyncIterator<Uint8Array>): Bytes {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* inParts(data: Uint8Array): Bytes {
  for (let at = 0; at < data.byteLength; at += PART_BYTES) yield data.subarray(at, at + PART_BYTES);
}

function createMember(writerId: number, counters: Counters): WritePathMember & { failure(): { error: unknown } | undefined } {
  let failure: { error: unknown } | undefined;
  return {
    writerId,
    reliesOn: new Set(),
    usedPacks: new Set(),
    countNew(blobs, bytes) {
      counters.newBlobs += blobs;
      counters.newBytes += bytes;
    },
    countStored(bytes) {
      counters.storedBytes += bytes;
    },
    fail(error) {
      failure ??= { error };
    },
    failure: () => failure,
  };
}

/** A writer of one resource over the shared path of its vault. */
export function createWriter(options: WriterOptions): VaultWriter {
  const { path, resourceId, signal } = options;
  const counters: Counters = { contents: 0, contentBytes: 0, newBlobs: 0, newBytes: 0, storedBytes: 0 };
  const member = createMember(path.nextId(), counters);
  const batcher = createBatcher(path, member);
  const longPuts = new Set<Promise<unknown>>();
  let isClosed = false;
  path.join(member);

  function check(): void {
    signal?.throwIfAborted();
    const failed = member.failure();
    if (failed) throw failed.error;
    if (isClosed) throw vaultError('vault.writer-closed', `The writer of ${resourceId} is closed.`, { resourceId });
  }

  async function storeList(pieces: readonly Piece[]): Promise<Piece> {
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece[1], 0);
    const list = await batcher.add(Buffer.from(JSON.stringify(pieces)), 'blob');
    return [(list.pieces[0] as Piece)[0], sizeBytes];
  }

  async function putLong(
    source: Bytes,
    put: PutContentOptions,
    itemKey: KeyObject | undefined,
  ): Promise<DigestedContent & { depth: number }> {
    const { port, release } = path.borrowPort();
    const contentId = path.nextId();
    const tree = createPieceTree(storeList);
    const part = { contentId, kind: put.kind, ...(itemKey ? { itemKey } : {}) };
    try {
      let held: Uint8Array | undefined;
      for await (const data of source) {
        put.signal?.throwIfAborted();
        check();
        if (held) await tree.add((await batcher.addPart(port, { ...part, isLast: false }, held)).pieces);
        held = data;
      }
      const last = await batcher.addPart(port, { ...part, isLast: true }, held ?? new Uint8Array(0));
      await tree.add(last.pieces);
      const whole = last.whole ?? { sha256: '', sizeBytes: 0 };
      return { ...whole, ...(await tree.finish()) };
    } catch (error) {
      await port.forget([contentId]).catch(() => undefined);
      throw error;
    } finally {
      release();
    }
  }

  async function putShort(
    data: Uint8Array,
    put: PutContentOptions,
    itemKey: KeyObject | undefined,
  ): Promise<DigestedContent & { depth: number }> {
    const digested = await batcher.add(data, put.kind, itemKey);
    const tree = createPieceTree(storeList);
    await tree.add(digested.pieces);
    return { ...digested, ...(await tree.finish()) };
  }

  async function putAny(
    content: Bytes | Uint8Array,
    put: PutContentOptions,
    itemKey: KeyObject | undefined,
  ): Promise<DigestedContent & { depth: number }> {
    if (content instanceof Uint8Array) {
      return content.byteLength <= BATCH_BYTES ? putShort(content, put, itemKey) : putLong(inParts(content), put, itemKey);
    }
    const source = content[Symbol.asyncIterator]();
    const { head, isWhole } = await takeFirst(source);
    return isWhole && head.byteLength <= BATCH_BYTES
      ? putShort(head, put, itemKey)
      : putLong(rechunk(after(head, isWhole ? emptySource() : source), PART_BYTES), put, itemKey);
  }

  async function newItemKey(): Promise<{ itemKeyId: string; key: KeyObject }> {
    const itemKeyId = options.ids.uuid();
    const key = createSecretKey(randomBytes(32));
    await options.itemKeys.put(itemKeyId, key);
    return { itemKeyId, key };
  }

  async function put(content: Bytes | Uint8Array, putOptions: PutContentOptions): Promise<ContentRef> {
    check();
    putOptions.signal?.throwIfAborted();
    const own = putOptions.ownKey ? await newItemKey() : undefined;
    const work = putAny(content, putOptions, own?.key);
    longPuts.add(work);
    try {
      const { sha256, sizeBytes, depth, pieces } = await work;
      check();
      counters.contents += 1;
      counters.contentBytes += sizeBytes;
      return { sha256, sizeBytes, depth, pieces, ...(own ? { itemKeyId: own.itemKeyId } : {}) };
    } finally {
      longPuts.delete(work);
    }
  }

  async function flush(): Promise<void> {
    check();
    await Promise.allSettled(longPuts);
    await batcher.idle();
    await path.flush(member);
    check();
    await options.checkUsedPacks(member.usedPacks);
    member.usedPacks.clear();
  }

  async function end(): Promise<void> {
    isClosed = true;
    await Promise.allSettled(longPuts);
    await batcher.idle();
    path.leave(member);
  }

  return {
    resourceId,
    put,
    flush,
    async close() {
      if (isClosed) return;
      await flush();
      await end();
    },
    async abort() {
      if (isClosed) return;
      member.fail(vaultError('vault.writer-closed', `The writer of ${resourceId} was given up.`, { resourceId }));
      await end();
      // What others rely on stays: the frames are closed and go into the next pack.
      await path.flush(member).catch(() => undefined);
    },
    get statistics(): WriterStatistics {
      return { ...counters, storedBytes: Math.round(counters.storedBytes) };
    },
  };
}

async function* emptySource(): AsyncGenerator<Uint8Array, void, undefined> {
  // Nothing follows.
}
