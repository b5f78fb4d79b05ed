import { hash, type KeyObject } from 'node:crypto';
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import type { Piece } from '../chunk/content-ref.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError } from '../shared/errors.ts';
import { openFrame } from '../pack/frame.ts';
import { release, releaseSlice } from '../shared/release.ts';
import { createAssembler, openWithItemKey } from './assemble.ts';
import type { FileSpan } from './fetch-frames.ts';
import { createPackKeys, type FrameAddress } from './frame-cache.ts';
import type { KeptBlob, TakenBlob } from './plan.ts';
import { inTurn, type SharedMemory } from './shared-memory.ts';
import type { CopiedStretch } from './stretches.ts';

/** One whole content to be put together. */
export interface AssemblyContent {
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Those that are not copied. */
  readonly pieces: readonly Piece[];
  /** What of it is copied from files that were written before, in order, and before which of the pieces it comes. */
  readonly copies: readonly (Pick<CopiedStretch, 'file' | 'fileOffset' | 'length'> & { readonly before: number })[];
  /** Where it is written to. */
  readonly file: string;
}

/** A sealed frame (bytes `offset`…`+frameLength` of `sources[source]`) and the blobs to take out of it. */
export interface GivenFrame extends FrameAddress {
  readonly source: number;
  readonly offset: number;
  readonly blobs: readonly TakenBlob[];
}

/** Contents, the frames that are opened for them, and what they need of earlier tasks of the same plan. */
export interface AssemblyTask {
  readonly shared: SharedMemory;
  /** Its place in the plan. Whoever runs it has ended the one that was given to it before. */
  readonly number: number;
  readonly contents: readonly AssemblyContent[];
  /** The keys of their own that contents have, by their place. */
  readonly itemKeys: ReadonlyMap<number, KeyObject>;
  readonly frames: readonly GivenFrame[];
  readonly kept: readonly KeptBlob[];
  readonly sources: readonly (ArrayBuffer | FileSpan)[];
}

/** The work of one core when many contents are read. Synchronous; leaves in the shared memory what the plan says. */
export interface Assembly {
  /** Writes the contents of a task to their files; gives the places of those that could not be put together. */
  run(task: AssemblyTask): number[];
}

type Blobs = Map<string, Buffer>;

/** Fills `out` with what a file has from `start` on. */
function readFrom(file: string, start: number, out: Buffer): void {
  const descriptor = openSync(file, 'r');
  try {
    for (let at = 0; at < out.byteLength;) {
      const size = readSync(descriptor, out, at, out.byteLength - at, start + at);
      if (size === 0) throw vaultError('vault.damaged', `${file} is shorter than it was.`);
      at += size;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Puts one content together in `out`, which is as long as it. */
function assembleInto(out: Buffer, content: AssemblyContent, itemKey: KeyObject | undefined, blobOf: (blobId: string) => Buffer): void {
  const { pieces, copies } = content;
  let to = 0;
  const advance = (bytes: number): Buffer => {
    if (to + bytes > content.sizeBytes) throw vaultError('vault.damaged', 'A content is longer than it was.');
    to += bytes;
    return out.subarray(to - bytes, to);
  };
  const assembler = createAssembler((part) => void part.copy(advance(part.byteLength)), { isPassing: true });
  let copied = 0;
  const copyBefore = (number: number): void => {
    for (let copy = copies[copied]; copy?.before === number; copy = copies[copied]) {
      assembler.finish();
      readFrom(copy.file, copy.fileOffset, advance(copy.length));
      copied += 1;
    }
  };
  for (const [number, piece] of pieces.entries()) {
    copyBefore(number);
    const blob = blobOf(piece[0]);
    assembler.add(piece, itemKey ? openWithItemKey(itemKey, number, piece[1], blob) : blob);
  }
  assembler.finish();
  copyBefore(pieces.length);
  if (to !== content.sizeBytes || hash('sha256', out) !== content.sha256) {
    throw vaultError('vault.damaged', 'A content put together again is not what was taken in.', { sha256: content.sha256 });
  }
}

/** The bytes of a source, good until the next one is asked for. Nothing where they can't be read. */
function createSealedBytes(): (source: ArrayBuffer | FileSpan) => Buffer {
  let memory: Buffer = Buffer.allocUnsafeSlow(0);
  return (source) => {
    if (source instanceof ArrayBuffer) return Buffer.from(source);
    const { file, start, length } = source;
    if (memory.byteLength < length) memory = Buffer.allocUnsafeSlow(length);
    try {
      readFrom(file, start, memory.subarray(0, length));
      return memory.subarray(0, length);
    } catch {
      return Buffer.alloc(0);
    }
  };
}

/** Contents lie here one after the other; the few that are longer have memory of their own for a moment. */
const FILE_MEMORY_BYTES = 1024 * 1024;

export function createAssembly(keys: VaultKeys): Assembly {
  const placeOf = createPackKeys(keys);
  const sealedBytes = createSealedBytes();
  let fileMemory: Buffer | undefined;

  function memoryFor(bytes: number): Buffer {
    if (bytes >= FILE_MEMORY_BYTES) return Buffer.allocUnsafeSlow(bytes);
    fileMemory ??= Buffer.allocUnsafeSlow(FILE_MEMORY_BYTES);
    return fileMemory.subarray(0, bytes);
  }

  /** The blobs of the task's frames. The contents that need a frame which does not open fail one by one. */
  function openAll(task: AssemblyTask): Blobs {
    const opened: Blobs = new Map();
    const bySource = Map.groupBy(task.frames, ({ source }) => source);
    for (const [source, given] of task.sources.entries()) {
      const bytes = sealedBytes(given);
      for (const { packId, frame, offset, frameLength, blobs } of bySource.get(source) ?? []) {
        try {
          const plain = openFrame(placeOf(packId), frame, bytes.subarray(offset, offset + frameLength));
          for (const blob of blobs) opened.set(blob.blobId, plain.subarray(blob.offset, blob.offset + blob.length));
        } catch {
          // Said above.
        }
      }
      if (given instanceof ArrayBuffer) release(given);
    }
    return opened;
  }

  /** Leaves what later tasks need where the plan says, as soon as all before have. */
  function keep({ shared, number, frames }: AssemblyTask, opened: Blobs): void {
    inTurn(shared, number, () => {
      for (const { blobs } of frames) {
        for (const { blobId, keptAt } of blobs) {
          const blob = keptAt === undefined ? undefined : opened.get(blobId);
          // Not `set`, here and where it is read: in shared memory that moves word by word.
          blob?.copy(Buffer.from(shared.memory, keptAt, blob.byteLength));
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
      const failed: number[] = [];
      for (const [place, content] of task.contents.entries()) {
        try {
          const out = memoryFor(content.sizeBytes);
          assembleInto(out, content, task.itemKeys.get(place), blobOf);
          writeFileSync(content.file, out);
          release(out);
        } catch {
          failed.push(place);
        }
      }
      for (const blob of opened.values()) releaseSlice(blob);
      return failed;
    },
  };
}
