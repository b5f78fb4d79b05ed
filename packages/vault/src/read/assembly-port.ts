import type { VaultKeys } from '../crypto/vault-keys.ts';
import { startVaultThread } from '../shared/vault-thread.ts';
import { createPackCheck, type PackFile } from '../pack/pack-check.ts';
import { createAssembly, type AssemblyTask } from './assembly.ts';

/** An assembly somewhere: in this thread or in another. */
export interface AssemblyPort {
  /** Takes the memory of the task's frames; gives the places of the contents that could not be written. */
  run(task: AssemblyTask): Promise<readonly number[]>;
  /** Whether a whole pack is what was written: its bytes, whose memory is taken, or a file, which is read there. */
  check(packId: string, pack: Buffer | PackFile): Promise<boolean>;
  close(): Promise<void>;
}

type SmallParts = 'contents' | 'frames' | 'kept';

/** The memory of a task that is handed over. */
function memoryOf({ sources }: AssemblyTask): ArrayBuffer[] {
  return sources.filter((source) => source instanceof ArrayBuffer);
}

/** A task on its way to a thread: what is made of many small values travels as JSON, which is read ten times as fast as a clone of them. */
export type SentTask = Omit<AssemblyTask, SmallParts> & { readonly small: string };

function sendTask({ contents, frames, kept, ...large }: AssemblyTask): SentTask {
  return { ...large, small: JSON.stringify({ contents, frames, kept }) };
}

export function receiveTask({ small, ...large }: SentTask): AssemblyTask {
  return { ...large, ...(JSON.parse(small) as Pick<AssemblyTask, SmallParts>) };
}

export type AssemblyRequest =
  | { readonly call: 'run'; readonly task: SentTask }
  | { readonly call: 'check'; readonly packId: string; readonly pack: Uint8Array | PackFile };

export function createInlineAssemblyPort(keys: VaultKeys): AssemblyPort {
  const assembly = createAssembly(keys);
  const check = createPackCheck(keys);
  return {
    run: async (task) => assembly.run(task),
    check: async (packId, pack) => check(packId, pack),
    close: async () => undefined,
  };
}

export function createThreadAssemblyPort(keys: VaultKeys): AssemblyPort {
  const settings = { vaultId: keys.vaultId, vaultKey: keys.vaultKey };
  const thread = startVaultThread<AssemblyRequest>(new URL('assembly.thread.ts', import.meta.url), settings);
  return {
    run: (task) => thread.ask({ call: 'run', task: sendTask(task) }, memoryOf(task)),
    check(packId, pack) {
      if (!Buffer.isBuffer(pack)) return thread.ask({ call: 'check', packId, pack });
      const isOwn = pack.buffer instanceof ArrayBuffer && pack.byteLength === pack.buffer.byteLength;
      const given = isOwn ? pack : new Uint8Array(pack);
      return thread.ask({ call: 'check', packId, pack: given }, [given.buffer as ArrayBuffer]);
    },
    close: () => thread.close(),
  };
}
