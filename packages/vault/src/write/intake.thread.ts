import type { KeyObject } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { deriveVaultKeys } from '../crypto/vault-keys.ts';
import type { FinishedPack } from '../pack/pack-builder.ts';
import { answerCalls } from '../thread-calls.ts';
import type { IntakeRequest } from './intake-port.ts';
import { createIntake } from './intake.ts';

const settings = workerData as { vaultId: string; vaultKey: KeyObject; packTargetBytes?: number };
const intake = createIntake(deriveVaultKeys(settings.vaultId, settings.vaultKey), settings.packTargetBytes);

function memoryOf(packs: readonly FinishedPack[]): ArrayBuffer[] {
  return packs.flatMap((pack) => pack.parts.map((part) => part.buffer));
}

function answer(request: IntakeRequest): { result: unknown; transfer: ArrayBuffer[] } {
  switch (request.call) {
    case 'digest':
      return { result: intake.digest(request.batch), transfer: [] };
    case 'store': {
      const packs = intake.store(request.batchId, request.wanted);
      return { result: packs, transfer: memoryOf(packs) };
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
