import { isAppError } from '@holdfast/foundation/errors';
import type { ContentRef, Piece } from '../chunk/content-ref.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError, type VaultError } from '../shared/errors.ts';
import type { BlobIndex, BlobPlace } from '../index/blob-index.ts';
import type { FrameCache } from './frame-cache.ts';

const PIECES_AT_ONCE = 256;

/** Blobs by id. */
export interface BlobReader {
  /** The plaintext; `vault.blob-missing` when no pack has it, `vault.damaged` when it is not what its id says. */
  read(blobId: string, signal?: AbortSignal): Promise<Buffer>;
  at(blobId: string, place: BlobPlace, signal?: AbortSignal): Promise<Buffer>;
  /** As `at`, for who checks the whole that it is part of: the frame is what was written, but the index may say a wrong place. */
  uncheckedAt(blobId: string, place: BlobPlace, signal?: AbortSignal): Promise<Buffer>;
  find(blobIds: readonly string[]): Promise<BlobPlace[]>;
  /** As `find` where the places are not wanted: half the work. */
  checkThere(blobIds: readonly string[]): Promise<void>;
  /** As `find`, but says `undefined` where no pack has a blob. */
  locate(blobIds: readonly string[]): Promise<(BlobPlace | undefined)[]>;
  /** The lowest-level pieces of a content, in order, read as they are needed. */
  pieces(content: Pick<ContentRef, 'depth' | 'pieces'>): AsyncGenerator<Piece, void, undefined>;
}

function parseList(blobId: string, data: Buffer): Piece[] {
  try {
    const value = JSON.parse(data.toString('utf8')) as unknown;
    if (Array.isArray(value)) return value as Piece[];
  } catch {
    // Said below.
  }
  throw vaultError('vault.damaged', `Blob ${blobId} is not a list of pieces.`, { blobId });
}

function missing(blobId = ''): VaultError {
  return vaultError('vault.blob-missing', `No pack has blob ${blobId}.`, { blobId });
}

/** `lookAgain` brings the index in line with the packs: another process may have written some since. */
export function createBlobReader(options: {
  readonly keys: VaultKeys;
  readonly index: BlobIndex;
  readonly frames: FrameCache;
  lookAgain(): Promise<void>;
}): BlobReader {
  const { keys, index, frames } = options;

  async function locate(blobIds: readonly string[]): Promise<(BlobPlace | undefined)[]> {
    const places = await index.find(blobIds);
    if (!places.includes(undefined)) return places;
    await options.lookAgain();
    return index.find(blobIds);
  }

  async function checkThere(blobIds: readonly string[]): Promise<void> {
    let lacking = await index.lacking(blobIds);
    if (lacking.length === 0) return;
    await options.lookAgain();
    lacking = await index.lacking(lacking);
    if (lacking.length > 0) throw missing(lacking[0]);
  }

  async function find(blobIds: readonly string[]): Promise<BlobPlace[]> {
    return (await locate(blobIds)).map((place, at) => {
      if (!place) throw missing(blobIds[at]);
      return place;
    });
  }

  /** The opened frame of a place, or of where the blob lies now: prune may have moved it since the index was looked at. */
  async function frameOf(blobId: string, place: BlobPlace, signal?: AbortSignal): Promise<{ plain: Buffer; place: BlobPlace }> {
    try {
      return { plain: await frames.get(place, signal), place };
    } catch (error) {
      if (!isAppError(error, 'vault.object-missing')) throw error;
      await options.lookAgain();
      const [now] = (await find([blobId])) as [BlobPlace];
      return { plain: await frames.get(now, signal), place: now };
    }
  }

  /** A copy of its own: the memory of the frame is given back, and a small blob would hold all of it. */
  async function fetched(blobId: string, known: BlobPlace, signal?: AbortSignal): Promise<{ blob: Buffer; packId: string }> {
    const { plain, place } = await frameOf(blobId, known, signal);
    return { blob: Buffer.from(plain.subarray(place.blobOffset, place.blobOffset + place.blobLength)), packId: place.packId };
  }

  async function at(blobId: string, place: BlobPlace, signal?: AbortSignal): Promise<Buffer> {
    const { blob, packId } = await fetched(blobId, place, signal);
    if (keys.blobId(blob) !== blobId) {
      throw vaultError('vault.damaged', `Blob ${blobId} is not what its id says.`, { blobId, packId });
    }
    return blob;
  }

  async function uncheckedAt(blobId: string, place: BlobPlace, signal?: AbortSignal): Promise<Buffer> {
    return (await fetched(blobId, place, signal)).blob;
  }

  async function read(blobId: string, signal?: AbortSignal): Promise<Buffer> {
    const [place] = await find([blobId]);
    return at(blobId, place as BlobPlace, signal);
  }

  async function* pieces(content: Pick<ContentRef, 'depth' | 'pieces'>): AsyncGenerator<Piece, void, undefined> {
    if (content.depth === 0) {
      yield* content.pieces;
      return;
    }
    for (const [blobId] of content.pieces) {
      yield* pieces({ depth: content.depth - 1, pieces: parseList(blobId, await read(blobId)) });
    }
  }

  return { read, at, uncheckedAt, find, checkThere, locate, pieces };
}

/** The pieces in groups, for questions that are cheaper asked together. */
export async function* inGroups(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece[], void, undefined> {
  let group: Piece[] = [];
  for await (const piece of pieces) {
    group.push(piece);
    if (group.length < PIECES_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
