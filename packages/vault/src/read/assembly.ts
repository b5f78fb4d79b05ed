import { createHash, type KeyObject } from 'node:crypto';
import type { Piece } from '../chunk/content-ref.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError } from '../errors.ts';
import { openFrame } from '../pack/frame.ts';
import { release, releaseSlice } from '../release.ts';
import { createAssembler, openWithItemKey } from './assemble.ts';
import { createPackKeys, type FrameAddress } from './frame-cache.ts';
import type { KeptBlob, TakenBlob } from './plan.ts';
import { inTurn, type SharedMemory } from './shared-memory.ts';

/** One whole content to be put together. */
export interface AssemblyContent {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly pieces: readonly Piece[];
  readonly itemKey?: KeyObject;
}

/** A sealed frame (bytes `offset`…`+frameLength` of `buffers[buffer]`) and the blobs to take out of it. */
export interface GivenFrame extends FrameAddress {
  readonly buffer: number;
  readonly offset: number;
  readonly blobs: readonly TakenBlob[];
}

/** Contents, the frames that are opened for them, and what they need of earlier tasks of the same plan. */
export interface AssemblyTask {
  readonly shared: SharedMemory;
  /** Its place in the plan. Whoever runs it has ended the one that was given to it before. */
  readonly number: number;
  readonly contents: readonly AssemblyContent[];
  readonly frames: readonly GivenFrame[];
  readonly kept: readonly KeptBlob[];
  readonly buffers: readonly ArrayBuffer[];
}

/** Where each content lies in the result, or that it could not be put together. */
export interface Assembled {
  readonly bytes: ArrayBuffer;
  readonly contents: readonly ({ readonly offset: number; readonly length: number } | { readonly failed: string })[];
}

/** The work of one core when many contents are read. Synchronous; leaves in the shared memory what the plan says. */
export interface Assembly {
  run(task: AssemblyTask): Assembled;
}

type Blobs = Map<string, Buffer>;

/** Puts one content together at `at`; where it ends. */
function assembleInto(out: Buffer, at: number, content: AssemblyContent, blobOf: (blobId: string) => Buffer): number {
  let to = at;
  const take = (part: Buffer): void => {
    if (to - at + part.byteLength > content.sizeBytes) throw vaultError('vault.damaged', 'A content is longer than it was.');
    to += part.copy(out, to);
  };
  const assembler = createAssembler(take, { isPassing: true });
  for (const [number, piece] of content.pieces.entries()) {
    const blob = blobOf(piece[0]);
    assembler.add(piece, content.itemKey ? openWithItemKey(content.itemKey, number, piece[1], blob) : blob);
  }
  assembler.finish();
  const hash = createHash('sha256').update(out.subarray(at, to)).digest('hex');
  if (to - at !== content.sizeBytes || hash !== content.sha256) {
    throw vaultError('vault.damaged', 'A content put together again is not what was taken in.', { sha256: content.sha256 });
  }
  return to;
}

export function createAssembly(keys: VaultKeys): Assembly {
  const placeOf = createPackKeys(keys);

  /** The blobs of the task's frames. The contents that need a frame which does not open fail one by one. */
  function openAll(task: AssemblyTask): Blobs {
    const opened: Blobs = new Map();
    for (const frame of task.frames) {
      const sealed = Buffer.from(task.buffers[frame.buffer] as ArrayBuffer, frame.offset, frame.frameLength);
      try {
        const plain = openFrame(placeOf(frame.packId), frame.frame, sealed);
        for (const { blobId, offset, length } of frame.blobs) opened.set(blobId, plain.subarray(offset, offset + length));
      } catch {
        // Said above.
      }
    }
    return opened;
  }

  /** Leaves what later tasks need where the plan says, as soon as all before have. */
  function keep({ shared, number, frames }: AssemblyTask, opened: Blobs): void {
    inTurn(shared, number, () => {
      for (const { blobs } of frames) {
        for (const { blobId, keptAt } of blobs) {
          const blob = keptAt === undefined ? undefined : opened.get(blobId);
          if (blob) Buffer.from(shared.memory, keptAt, blob.byteLength).set(blob);
        }
      }
    });
  }

  return {
    run(task) {
      const opened = openAll(task);
      keep(task, opened);
      const kept: Blobs = new Map(task.kept.map(({ blobId, keptAt, length }) => [blobId, Buffer.from(task.shared.memory, keptAt, length)]));
      const blobOf = (blobId: string): Buffer => {
        const blob = opened.get(blobId) ?? kept.get(blobId);
        if (!blob) throw vaultError('vault.damaged', `The frame of blob ${blobId} does not open.`, { blobId });
        return blob;
      };
      const bytes = new ArrayBuffer(task.contents.reduce((sum, content) => sum + content.sizeBytes, 0));
      const out = Buffer.from(bytes);
      let at = 0;
      const contents = task.contents.map((content) => {
        try {
          const end = assembleInto(out, at, content, blobOf);
          const placed = { offset: at, length: end - at };
          at = end;
          return placed;
        } catch (error) {
          return { failed: String(error) };
        }
      });
      for (const blob of opened.values()) releaseSlice(blob);
      for (const buffer of task.buffers) release(buffer);
      return { bytes, contents };
    },
  };
}
