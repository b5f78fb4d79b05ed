import type { KeyObject } from 'node:crypto';
import { createBatchRooms, type BatchRoom, type ReusedRoom } from '../chunk/batch-room.ts';
import type { Piece } from '../chunk/content-ref.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { FRAME_MOST_BLOBS, FRAME_TABLE_BYTES, FRAME_TARGET_BYTES, type FrameClass } from '../pack/frame.ts';
import { createPackBuilder, type FinishedPack, type PackBuilder } from '../pack/pack-builder.ts';
import { PACK_TARGET_BYTES } from '../pack/pack.ts';
import { createContentDigester, type ContentDigester, type DigestedBlob, type DigestKind } from './content-digester.ts';

/** A part of a content on its way in. Parts of one content come in order and to the same intake. */
export interface IntakePart {
  readonly contentId: number;
  readonly kind: DigestKind;
  readonly offset: number;
  readonly length: number;
  readonly isLast: boolean;
  readonly itemKey?: KeyObject;
}

export interface IntakeBatch {
  readonly batchId: number;
  readonly writerId: number;
  /** The parts' bytes, one after the other; `ROOM_BEFORE_BYTES` are free before the first. */
  readonly bytes: SharedArrayBuffer;
  readonly parts: readonly IntakePart[];
}

export interface DigestedPart {
  readonly contentId: number;
  /** Pieces that became complete with this part. */
  readonly pieces: readonly Piece[];
  /** With the last part: of the whole content. */
  readonly whole?: { readonly sha256: string; readonly sizeBytes: number };
}

export interface Digest {
  readonly parts: readonly DigestedPart[];
  /** Length of the blob of each piece, all parts' pieces in order. */
  readonly blobBytes: readonly number[];
}

/**
 * The work of one core: splits, hashes, compresses, seals. Synchronous, so that it runs as well in a
 * worker thread as in place. A batch is digested first; the caller says which blobs the vault lacks.
 * Until then the batch's bytes stay as they are.
 */
export interface Intake {
  digest(batch: IntakeBatch): Digest;
  /** Takes the blobs of a digested batch for which `wanted` is 1, and forgets the batch. Gives packs that are full. */
  store(batchId: number, wanted: Uint8Array): FinishedPack[];
  /** Closes the frames of these writers and the pack. */
  flush(writerIds: readonly number[]): FinishedPack[];
  /** Forgets contents that will never be finished. */
  forget(contentIds: readonly number[]): void;
}

const FRAME_CLASSES: readonly FrameClass[] = ['text', 'binary', 'meta'];

/** A frame that is being filled: blobs are copied behind each other into memory that is used again and again. */
function createOpenFrame() {
  let memory: Buffer = Buffer.alloc(0);
  let used = 0;
  let blobs: { blobId: string; length: number }[] = [];
  return {
    add(blob: DigestedBlob): void {
      const needed = FRAME_TABLE_BYTES + used + blob.data.byteLength;
      if (needed > memory.byteLength) {
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, memory.byteLength * 2, 64 * 1024));
        memory.copy(larger, 0, 0, FRAME_TABLE_BYTES + used);
        memory = larger;
      }
      blob.data.copy(memory, FRAME_TABLE_BYTES + used);
      used += blob.data.byteLength;
      blobs.push({ blobId: blob.blobId, length: blob.data.byteLength });
    },
    get isFull() {
      return used >= FRAME_TARGET_BYTES || blobs.length >= FRAME_MOST_BLOBS;
    },
    get isEmpty() {
      return blobs.length === 0;
    },
    /** Table and blobs; the memory is good until the next `add`. */
    take(): { plain: Buffer; blobs: { blobId: string; length: number }[] } {
      const start = FRAME_TABLE_BYTES - 4 - blobs.length * 4;
      memory.writeUInt32BE(blobs.length, start);
      for (const [at, blob] of blobs.entries()) memory.writeUInt32BE(blob.length, start + 4 + at * 4);
      const taken = { plain: memory.subarray(start, FRAME_TABLE_BYTES + used), blobs };
      blobs = [];
      used = 0;
      return taken;
    },
  };
}

type OpenFrame = ReturnType<typeof createOpenFrame>;

const SPARE_FRAMES = 6;

/** Frames of each writer, and the pack they go into when they are full. */
function createFramer(keys: VaultKeys, packTargetBytes: number) {
  const frames = new Map<number, Map<FrameClass, OpenFrame>>();
  /** Frames whose writer is done: the next one gets their memory. */
  const spare: OpenFrame[] = [];
  let pack: PackBuilder | undefined;

  function finishPack(): FinishedPack[] {
    const finished = pack ? [pack.finish()] : [];
    pack = undefined;
    return finished;
  }

  function closeFrame(frameClass: FrameClass, frame: OpenFrame): void {
    pack ??= createPackBuilder(keys);
    pack.addFrame(frameClass, frame.take());
  }

  function frameOf(writerId: number, frameClass: FrameClass): OpenFrame {
    const ofWriter = frames.get(writerId) ?? new Map<FrameClass, OpenFrame>();
    frames.set(writerId, ofWriter);
    const frame = ofWriter.get(frameClass) ?? spare.pop() ?? createOpenFrame();
    ofWriter.set(frameClass, frame);
    return frame;
  }

  return {
    add(writerId: number, blob: DigestedBlob): FinishedPack[] {
      const frame = frameOf(writerId, blob.frameClass);
      frame.add(blob);
      if (frame.isFull) closeFrame(blob.frameClass, frame);
      return pack && pack.sizeBytes >= packTargetBytes ? finishPack() : [];
    },
    flush(writerIds: readonly number[]): FinishedPack[] {
      for (const writerId of writerIds) {
        for (const frameClass of FRAME_CLASSES) {
          const frame = frames.get(writerId)?.get(frameClass);
          if (!frame) continue;
          if (!frame.isEmpty) closeFrame(frameClass, frame);
          if (spare.length < SPARE_FRAMES) spare.push(frame);
        }
        frames.delete(writerId);
      }
      return finishPack();
    },
  };
}

/** An intake for one vault. `packTargetBytes` says when a pack is full. */
export function createIntake(keys: VaultKeys, packTargetBytes: number = PACK_TARGET_BYTES): Intake {
  const gear = keys.gearTable();
  const contents = new Map<number, ContentDigester>();
  const waiting = new Map<number, { writerId: number; blobs: DigestedBlob[]; room: ReusedRoom }>();
  const roomFor = createBatchRooms();
  const framer = createFramer(keys, packTargetBytes);

  function digestPart(part: IntakePart, bytes: SharedArrayBuffer, room: BatchRoom, blobs: DigestedBlob[]): DigestedPart {
    const { contentId } = part;
    const data = Buffer.from(bytes, part.offset, part.length);
    const content = contents.get(contentId) ?? createContentDigester(keys, gear, part);
    const made = content.push(data, part.isLast, room);
    blobs.push(...made.blobs);
    if (part.isLast) contents.delete(contentId);
    else contents.set(contentId, content);
    return { contentId, pieces: made.pieces, ...(part.isLast ? { whole: content.finish() } : {}) };
  }

  return {
    digest(batch) {
      const blobs: DigestedBlob[] = [];
      const room = roomFor(batch.bytes);
      const parts = batch.parts.map((part) => digestPart(part, batch.bytes, room, blobs));
      waiting.set(batch.batchId, { writerId: batch.writerId, blobs, room });
      return { parts, blobBytes: blobs.map((blob) => blob.data.byteLength) };
    },
    store(batchId, wanted) {
      const batch = waiting.get(batchId);
      waiting.delete(batchId);
      if (!batch) return [];
      const packs: FinishedPack[] = [];
      for (const [place, blob] of batch.blobs.entries()) if (wanted[place] === 1) packs.push(...framer.add(batch.writerId, blob));
      batch.room.end();
      return packs;
    },
    flush: (writerIds) => framer.flush(writerIds),
    forget(contentIds) {
      for (const contentId of contentIds) contents.delete(contentId);
    },
  };
}
