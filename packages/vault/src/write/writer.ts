import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Ids } from '@holdfast/foundation/ids';
import type { Bytes } from '@holdfast/foundation/streams';
import type { ContentRef } from '../chunk/content-ref.ts';
import type { ItemKeyStore } from '../crypto/item-keys.ts';
import { vaultError } from '../shared/errors.ts';
import type { PutContentOptions, VaultWriter, WriterStatistics } from '../content/content.ts';
import { createBatcher } from './batcher.ts';
import { createContentPutter } from './put-content.ts';
import type { WritePath, WritePathMember } from './write-path.ts';

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
  const putContent = createContentPutter({ path, batcher, check });
  const longPuts = new Set<Promise<unknown>>();
  let isClosed = false;
  path.join(member);

  function check(): void {
    signal?.throwIfAborted();
    const failed = member.failure();
    if (failed) throw failed.error;
    if (isClosed) throw vaultError('vault.writer-closed', `The writer of ${resourceId} is closed.`, { resourceId });
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
    const work = putContent(content, putOptions, own?.key);
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
