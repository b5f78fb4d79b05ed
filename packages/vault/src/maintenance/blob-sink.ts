import { createBatcher, inOnePart } from '../write/batcher.ts';
import type { WritePathMember } from '../write/write-path.ts';
import type { MaintenanceContext } from './context.ts';

/** Takes blobs as they are into new packs. */
export interface BlobSink {
  /** 1 when the blob was new, 0 when a pack that stays has it. */
  add(blobId: string, plain: Buffer): Promise<number>;
  /** Everything added is durable and indexed. */
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** A sink; blobs in `leaving` packs count as not stored, because those packs go. */
export async function createBlobSink(context: MaintenanceContext, purpose: string, leaving: ReadonlySet<string>): Promise<BlobSink> {
  const path = context.path();
  let failure: { error: unknown } | undefined;
  const member: WritePathMember = {
    writerId: path.nextId(),
    reliesOn: new Set(),
    usedPacks: new Set(),
    avoids: leaving,
    countNew: () => undefined,
    countStored: () => undefined,
    fail(error) {
      failure ??= { error };
    },
  };
  path.join(member);
  const batcher = createBatcher(path, member);
  const check = (): void => {
    if (failure) throw failure.error;
  };
  context.options.logger.debug({ purpose }, 'rewriting blobs');
  return {
    async add(blobId, plain) {
      check();
      const [place] = await context.index.find([blobId]);
      if (place && !leaving.has(place.packId)) return 0;
      await batcher.add(inOnePart(plain), 'blob');
      return 1;
    },
    async close() {
      await batcher.idle();
      await path.flush(member);
      path.leave(member);
      check();
    },
    async abort() {
      await batcher.idle();
      path.leave(member);
      await path.flush(member);
    },
  };
}
