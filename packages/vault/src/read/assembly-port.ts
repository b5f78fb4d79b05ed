import type { VaultKeys } from '../crypto/vault-keys.ts';
import { startThread } from '../thread-calls.ts';
import { badFrames } from '../pack/pack-check.ts';
import type { PackFrame } from '../pack/pack.ts';
import { createAssembly, type Assembled, type AssemblyContent, type GivenFrame } from './assembly.ts';
import type { FrameAddress } from './frame-cache.ts';

/** An assembly somewhere: in this thread or in another. */
export interface AssemblyPort {
  missing(contents: readonly AssemblyContent[]): Promise<FrameAddress[]>;
  run(contents: readonly AssemblyContent[], frames: readonly GivenFrame[], buffers: readonly ArrayBuffer[]): Promise<Assembled>;
  /** Numbers of the frames of a whole pack that are not what was written. Takes the pack's memory. */
  check(packId: string, data: Buffer, frames: readonly PackFrame[]): Promise<number[]>;
  close(): Promise<void>;
}

export type AssemblyRequest =
  | { readonly call: 'missing'; readonly contents: readonly AssemblyContent[] }
  | {
      readonly call: 'run';
      readonly contents: readonly AssemblyContent[];
      readonly frames: readonly GivenFrame[];
      readonly buffers: readonly ArrayBuffer[];
    }
  | { readonly call: 'check'; readonly packId: string; readonly data: Uint8Array; readonly frames: readonly PackFrame[] };

/** Opened frames that one assembly keeps. */
export const ASSEMBLY_CACHE_BYTES = 48 * 1024 * 1024;

export function createInlineAssemblyPort(keys: VaultKeys): AssemblyPort {
  const assembly = createAssembly(keys, ASSEMBLY_CACHE_BYTES);
  return {
    missing: async (contents) => assembly.missing(contents),
    run: async (contents, frames, buffers) => assembly.run(contents, frames, buffers),
    check: async (packId, data, frames) => badFrames(keys, packId, data, frames),
    close: async () => undefined,
  };
}

export function createThreadAssemblyPort(keys: VaultKeys): AssemblyPort {
  const settings = { vaultId: keys.vaultId, vaultKey: keys.vaultKey, cacheBytes: ASSEMBLY_CACHE_BYTES };
  const thread = startThread<AssemblyRequest>(new URL('assembly.thread.ts', import.meta.url), settings);
  return {
    missing: (contents) => thread.ask({ call: 'missing', contents }),
    run: (contents, frames, buffers) => thread.ask({ call: 'run', contents, frames, buffers }, buffers),
    check(packId, data, frames) {
      const isOwn = data.buffer instanceof ArrayBuffer && data.byteLength === data.buffer.byteLength;
      const given = isOwn ? data : new Uint8Array(data);
      return thread.ask({ call: 'check', packId, data: given, frames }, [given.buffer as ArrayBuffer]);
    },
    close: () => thread.close(),
  };
}
