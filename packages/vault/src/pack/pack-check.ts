import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isAppError } from '@holdfast/foundation/errors';
import type { BlobStore } from '../blob/blob-store.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import type { IndexedBlob } from '../index/blob-index.ts';
import { openFrame, readBlobTable } from './frame.ts';
import { releaseSlice } from '../shared/release.ts';
import { framePlace, readPackIndex, scanFrames } from './pack-reader.ts';
import {
  indexedBlobs,
  isPackHead,
  openPackIndex,
  PACK_HEAD_BYTES,
  PACK_TRAILER_BYTES,
  packName,
  readTrailer,
  type PackFrame,
} from './pack.ts';

/** What is left of a pack. */
export interface PackState {
  readonly packId: string;
  /** A sentence when something is wrong. */
  readonly problem?: string;
  readonly readable: readonly IndexedBlob[];
  /** Blobs that its own index names and that can't be read. */
  readonly lost: readonly string[];
}

/** Numbers of the frames of a whole pack that do not open, or do not hold the blobs that the index says. */
export function badFrames(keys: VaultKeys, packId: string, data: Buffer, frames: readonly PackFrame[]): number[] {
  const place = framePlace(keys, packId);
  const bad: number[] = [];
  for (const [number, frame] of frames.entries()) {
    try {
      const plain = openFrame(place, number, data.subarray(frame.offset, frame.offset + frame.length));
      const table = readBlobTable(plain);
      const isGood =
        table?.length === frame.blobs.length &&
        frame.blobs.every((blob, at) => {
          const held = table[at];
          if (held?.offset !== blob.offset || held.length !== blob.length) return false;
          return keys.blobId(plain.subarray(blob.offset, blob.offset + blob.length)) === blob.blobId;
        });
      if (!isGood) bad.push(number);
      releaseSlice(plain);
    } catch (error) {
      if (!isAppError(error, 'vault.damaged') && !(error instanceof RangeError)) throw error;
      bad.push(number);
    }
  }
  return bad;
}

/** Whether the frames lie one after the other from the head to the index. */
function framesFill(frames: readonly PackFrame[], packBytes: number): boolean {
  let at = PACK_HEAD_BYTES;
  for (const frame of frames) {
    if (frame.offset !== at) return false;
    at += frame.length;
  }
  return at < packBytes;
}

/** Whether a pack that was read whole is what was written: head, trailer, own index, and every frame with its blobs. */
function isIntactPack(keys: VaultKeys, packId: string, data: Buffer): boolean {
  const place = framePlace(keys, packId);
  const trailer = readTrailer(data);
  if (trailer?.packBytes !== data.byteLength || !isPackHead(data, place.packId)) return false;
  const indexEnd = data.byteLength - PACK_TRAILER_BYTES;
  try {
    const frames = openPackIndex(place, data.subarray(indexEnd - trailer.indexBytes, indexEnd), trailer.frameCount);
    return framesFill(frames, data.byteLength) && badFrames(keys, packId, data, frames).length === 0;
  } catch (error) {
    if (!isAppError(error, 'vault.damaged') && !(error instanceof RangeError)) throw error;
    return false;
  }
}

/** A pack that is in a file of this machine. */
export interface PackFile {
  readonly file: string;
}

/** A whole file, in memory that the next one is read into; `undefined` when it can't be read. */
function createFileMemory(): (file: string) => Buffer | undefined {
  let memory: Buffer = Buffer.allocUnsafeSlow(0);
  return (file) => {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(file, 'r');
      const { size } = fstatSync(descriptor);
      if (memory.byteLength < size) memory = Buffer.allocUnsafeSlow(size);
      let at = 0;
      for (let read = -1; read !== 0 && at < size; at += read) read = readSync(descriptor, memory, at, size - at, at);
      return memory.subarray(0, at);
    } catch {
      return undefined;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  };
}

/**
 * Says of whole packs whether they are what was written. Of a file that can't be read as well it says
 * no: who asks looks closer through the store, which tells why.
 */
export function createPackCheck(keys: VaultKeys): (packId: string, pack: Buffer | PackFile) => boolean {
  const read = createFileMemory();
  return (packId, pack) => {
    const data = Buffer.isBuffer(pack) ? pack : read(pack.file);
    return data !== undefined && isIntactPack(keys, packId, data);
  };
}

/** Size, head, own index and layout of a pack; `undefined` when all is well. */
async function structureProblem(store: BlobStore, keys: VaultKeys, packId: string): Promise<{ frames: PackFrame[]; problem?: string }> {
  try {
    const { frames, packBytes } = await readPackIndex(store, keys, packId);
    const info = await store.stat(packName(packId));
    const head = await store.get(packName(packId), { offset: 0, length: PACK_HEAD_BYTES });
    if (info?.sizeBytes !== packBytes) return { frames, problem: 'It has another length than it says.' };
    if (!isPackHead(head, Buffer.from(packId, 'hex'))) return { frames, problem: 'Its head is not what was written.' };
    return framesFill(frames, packBytes) ? { frames } : { frames, problem: 'Its frames do not fill it.' };
  } catch (error) {
    if (!isAppError(error, 'vault.damaged', 'vault.object-missing')) throw error;
    return { frames: [], problem: error.message };
  }
}

interface PackSource {
  readonly store: BlobStore;
  readonly keys: VaultKeys;
  readonly packId: string;
}

/** The frames of a damaged pack that still open, by its index where that opens, else by their heads. */
async function salvage(source: PackSource, frames: PackFrame[], problem: string): Promise<PackState> {
  const { store, keys, packId } = source;
  const data = await store.get(packName(packId)).catch((error: unknown) => {
    if (isAppError(error, 'vault.object-missing')) return Buffer.alloc(0);
    throw error;
  });
  const known = frames.length > 0 ? frames : scanFrames(keys, packId, data);
  const bad = new Set(badFrames(keys, packId, data, known));
  const blobs = indexedBlobs(packId, known);
  return {
    packId,
    problem,
    readable: blobs.filter((blob) => !bad.has(blob.place.frame)),
    lost: blobs.filter((blob) => bad.has(blob.place.frame)).map((blob) => blob.blobId),
  };
}

/** Checks what can be told without reading the data. A problem is looked at twice before it counts. */
export async function checkPackStructure(
  store: BlobStore,
  keys: VaultKeys,
  packId: string,
): Promise<PackState & { frames: readonly PackFrame[] }> {
  let state = await structureProblem(store, keys, packId);
  if (state.problem !== undefined) state = await structureProblem(store, keys, packId);
  if (state.problem === undefined) return { packId, frames: state.frames, readable: [], lost: [] };
  return { frames: state.frames, ...(await salvage({ store, keys, packId }, state.frames, state.problem)) };
}

/** After `bad` frames were found in data: reads once more, and says what is lost. */
export async function confirmBadFrames(
  store: BlobStore,
  keys: VaultKeys,
  packId: string,
  frames: PackFrame[],
): Promise<PackState | undefined> {
  const state = await salvage({ store, keys, packId }, frames, 'Frames of it are not what was written.');
  return state.lost.length === 0 && state.readable.length === frames.flatMap((frame) => frame.blobs).length ? undefined : state;
}
