import type { KeyObject } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { deriveVaultKeys } from '../crypto/vault-keys.ts';
import { badFrames } from '../pack/pack-check.ts';
import { answerCalls } from '../thread-calls.ts';
import type { AssemblyRequest } from './assembly-port.ts';
import { createAssembly } from './assembly.ts';

const settings = workerData as { vaultId: string; vaultKey: KeyObject; cacheBytes: number };
const keys = deriveVaultKeys(settings.vaultId, settings.vaultKey);
const assembly = createAssembly(keys, settings.cacheBytes);

answerCalls<AssemblyRequest>(parentPort, (request) => {
  switch (request.call) {
    case 'missing':
      return { result: assembly.missing(request.contents), transfer: [] };
    case 'run': {
      const assembled = assembly.run(request.contents, request.frames, request.buffers);
      return { result: assembled, transfer: [assembled.bytes] };
    }
    case 'check': {
      const { buffer, byteOffset, byteLength } = request.data;
      return { result: badFrames(keys, request.packId, Buffer.from(buffer, byteOffset, byteLength), request.frames), transfer: [] };
    }
  }
});
