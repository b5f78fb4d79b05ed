import type { VaultKeys } from '../crypto/vault-keys.ts';
import type { FinishedPack } from '../pack/pack-builder.ts';
import { startThread } from '../thread-calls.ts';
import { createIntake, type Digest, type IntakeBatch } from './intake.ts';

/** An intake somewhere: in this thread or in another. */
export interface IntakePort {
  /** Takes the batch's memory away from the caller; `store` gives it back. */
  digest(batch: IntakeBatch): Promise<Digest>;
  store(batchId: number, wanted: Uint8Array): Promise<{ packs: FinishedPack[]; bytes?: ArrayBuffer }>;
  flush(writerIds: readonly number[]): Promise<FinishedPack[]>;
  forget(contentIds: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

export type IntakeRequest =
  | { readonly call: 'digest'; readonly batch: IntakeBatch }
  | { readonly call: 'store'; readonly batchId: number; readonly wanted: Uint8Array }
  | { readonly call: 'flush'; readonly writerIds: readonly number[] }
  | { readonly call: 'forget'; readonly contentIds: readonly number[] };

/** An intake on the calling thread. */
export function createInlineIntakePort(keys: VaultKeys, packTargetBytes?: number): IntakePort {
  const intake = createIntake(keys, packTargetBytes);
  const bytes = new Map<number, ArrayBuffer>();
  return {
    async digest(batch) {
      bytes.set(batch.batchId, batch.bytes);
      return intake.digest(batch);
    },
    async store(batchId, wanted) {
      const given = bytes.get(batchId);
      bytes.delete(batchId);
      return { packs: intake.store(batchId, wanted), ...(given ? { bytes: given } : {}) };
    },
    flush: async (writerIds) => intake.flush(writerIds),
    forget: async (contentIds) => intake.forget(contentIds),
    close: async () => undefined,
  };
}

/** An intake in a worker thread of its own. */
export function createThreadIntakePort(keys: VaultKeys, packTargetBytes?: number): IntakePort {
  const settings = { vaultId: keys.vaultId, vaultKey: keys.vaultKey, packTargetBytes };
  const thread = startThread<IntakeRequest>(new URL('intake.thread.ts', import.meta.url), settings);
  return {
    digest: (batch) => thread.ask({ call: 'digest', batch }, [batch.bytes]),
    store: (batchId, wanted) => thread.ask({ call: 'store', batchId, wanted }),
    flush: (writerIds) => thread.ask({ call: 'flush', writerIds }),
    forget: (contentIds) => thread.ask({ call: 'forget', contentIds }),
    close: () => thread.close(),
  };
}
