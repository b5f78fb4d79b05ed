import type { KeyObject } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { deriveVaultKeys } from '../crypto/vault-keys.ts';
import type { FinishedPack } from '../pack/pack-builder.ts';
import { answerCalls } from '../thread-calls.ts';
import type { IntakeRequest } from './intake-port.ts';
import { createIntake } from './intake.ts';

const settings = workerData as { vaultId: string; vaultKey: KeyObject; packTargetBytes?: number };
const intake = createIntake(deriveVaultKeys(settings.vaultId, settings.vaultKey), settings.packTargetBytes);
const batches = new Map<number, ArrayBuffer>();

function memoryOf(packs: readonly FinishedPack[]): ArrayBuffer[] {
  return packs.flatMap((pack) => pack.parts.map((part) => part.buffer));
}

function answer(request: IntakeRequest): { result: unknown; transfer: ArrayBuffer[] } {
  switch (request.call) {
    case 'digest':
      batches.set(request.batch.batchId, request.batch.bytes);
      return { result: intake.digest(request.batch), transfer: [] };
    case 'store': {
      const bytes = batches.get(request.batchId);
      batches.delete(request.batchId);
      const packs = intake.store(request.batchId, request.wanted);
      return { result: { packs, bytes }, transfer: [...memoryOf(packs), ...(bytes ? [bytes] : [])] };
    }
    case 'flush': {
      const packs = intake.flush(request.writerIds);
      return { result: packs, transfer: memoryOf(packs) };
    }
    case 'forget':
      intake.forget(request.contentIds);
      return { result: undefined, transfer: [] };
  }
}

answerCalls(parentPort, answer);
