import type { KeyObject } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { deriveVaultKeys } from '../crypto/vault-keys.ts';
import type { FinishedPack } from '../pack/pack-builder.ts';
import { answerCalls } from '@holdfast/foundation/thread-calls';
import { sendPack, type IntakeRequest } from './intake-port.ts';
import { createIntake } from './intake.ts';

const settings = workerData as { vaultId: string; vaultKey: KeyObject; packTargetBytes?: number };
const intake = createIntake(deriveVaultKeys(settings.vaultId, settings.vaultKey), settings.packTargetBytes);

function handOver(packs: readonly FinishedPack[]): { result: unknown; transfer: ArrayBuffer[] } {
  return { result: packs.map(sendPack), transfer: packs.flatMap((pack) => pack.parts.map((part) => part.buffer)) };
}

function answer(request: IntakeRequest): { result: unknown; transfer: ArrayBuffer[] } {
  switch (request.call) {
    case 'digest':
      return { result: JSON.stringify(intake.digest(request.batch)), transfer: [] };
    case 'store':
      return handOver(intake.store(request.batchId, request.wanted));
    case 'flush':
      return handOver(intake.flush(request.writerIds));
    case 'forget':
      intake.forget(request.contentIds);
      return { result: undefined, transfer: [] };
  }
}

answerCalls(parentPort, answer);
