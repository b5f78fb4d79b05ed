import type { KeyObject } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { deriveVaultKeys } from '../crypto/vault-keys.ts';
import { createPackCheck } from '../pack/pack-check.ts';
import { release } from '../shared/release.ts';
import { answerCalls } from '@holdfast/foundation/thread-calls';
import { receiveTask, type AssemblyRequest } from './assembly-port.ts';
import { createAssembly } from './assembly.ts';

const settings = workerData as { vaultId: string; vaultKey: KeyObject };
const keys = deriveVaultKeys(settings.vaultId, settings.vaultKey);
const assembly = createAssembly(keys);
const check = createPackCheck(keys);

answerCalls<AssemblyRequest>(parentPort, (request) => {
  switch (request.call) {
    case 'run':
      return { result: assembly.run(receiveTask(request.task)), transfer: [] };
    case 'check': {
      const { packId, pack } = request;
      if ('file' in pack) return { result: check(packId, pack), transfer: [] };
      const isIntact = check(packId, Buffer.from(pack.buffer, pack.byteOffset, pack.byteLength));
      release(pack.buffer);
      return { result: isIntact, transfer: [] };
    }
  }
});
