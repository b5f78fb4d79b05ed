import type { VaultKeys } from '../crypto/vault-keys.ts';
import type { FinishedPack } from '../pack/pack-builder.ts';
import { startVaultThread } from '../shared/vault-thread.ts';
import { createIntake, type Digest, type IntakeBatch } from './intake.ts';

/** An intake somewhere: in this thread or in another. */
export interface IntakePort {
  /** The batch's memory is the intake's until `store` has said what becomes of its blobs. */
  digest(batch: IntakeBatch): Promise<Digest>;
  store(batchId: number, wanted: Uint8Array): Promise<FinishedPack[]>;
  flush(writerIds: readonly number[]): Promise<FinishedPack[]>;
  forget(contentIds: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

export type IntakeRequest =
  | { readonly call: 'digest'; readonly batch: IntakeBatch }
  | { readonly call: 'store'; readonly batchId: number; readonly wanted: Uint8Array }
  | { readonly call: 'flush'; readonly writerIds: readonly number[] }
  | { readonly call: 'forget'; readonly contentIds: readonly number[] };

/**
 * A pack on its way between threads. What is made of many small values travels as JSON, here and with
 * digests: to clone them one by one takes ten times as long.
 */
export type SentPack = Omit<FinishedPack, 'frames'> & { readonly frames: string };

export function sendPack(pack: FinishedPack): SentPack {
  return { ...pack, frames: JSON.stringify(pack.frames) };
}

function receivePack(pack: SentPack): FinishedPack {
  return { ...pack, frames: JSON.parse(pack.frames) as FinishedPack['frames'] };
}

/** An intake on the calling thread. */
export function createInlineIntakePort(keys: VaultKeys, packTargetBytes?: number): IntakePort {
  const intake = createIntake(keys, packTargetBytes);
  return {
    digest: async (batch) => intake.digest(batch),
    store: async (batchId, wanted) => intake.store(batchId, wanted),
    flush: async (writerIds) => intake.flush(writerIds),
    forget: async (contentIds) => intake.forget(contentIds),
    close: async () => undefined,
  };
}

/** An intake in a worker thread of its own. */
export function createThreadIntakePort(keys: VaultKeys, packTargetBytes?: number): IntakePort {
  const settings = { vaultId: keys.vaultId, vaultKey: keys.vaultKey, packTargetBytes };
  const thread = startVaultThread<IntakeRequest>(new URL('intake.thread.ts', import.meta.url), settings);
  return {
    digest: async (batch) => JSON.parse(await thread.ask<string>({ call: 'digest', batch })) as Digest,
    store: async (batchId, wanted) => (await thread.ask<SentPack[]>({ call: 'store', batchId, wanted })).map(receivePack),
    flush: async (writerIds) => (await thread.ask<SentPack[]>({ call: 'flush', writerIds })).map(receivePack),
    forget: (contentIds) => thread.ask({ call: 'forget', contentIds }),
    close: () => thread.close(),
  };
}
