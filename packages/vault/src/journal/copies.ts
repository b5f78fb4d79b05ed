import { sha256Hex } from '@holdfast/foundation/bytes';
import { isAppError } from '@holdfast/foundation/errors';
import { open, seal } from '@holdfast/foundation/secrets';
import type { BlobStore } from '../blob/blob-store.ts';
import type { ContentRef } from '../chunk/content-ref.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError } from '../shared/errors.ts';
import { inflated } from '../pack/frame.ts';
import { copyName } from './segment-names.ts';
import { decodeSegment, type OpenedSegment } from './segment.ts';
import { zstdCompressSync } from 'node:zlib';

/** Copies of segments (FORMAT.md section 8). */
const MAGIC = Buffer.from('HFCOPY\0\x01', 'latin1');
const HEAD_BYTES = MAGIC.byteLength + 4;

/** Changes outside their segment go into its copy up to this much JSON: it is in memory while it is written. */
export const COPIED_LINES_BYTES = 32 * 1024 * 1024;

function contextOf(keys: VaultKeys, name: string): string {
  return `holdfast/1/small/${keys.vaultId}/${copyName(name)}`;
}

/** The copy of a segment, with the lines of its changes where those are stored outside it. */
export function encodeCopy(keys: VaultKeys, name: string, segment: Buffer, lines?: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(segment.byteLength);
  const sealed = lines ? seal(keys.smallKey, zstdCompressSync(lines), contextOf(keys, name)) : Buffer.alloc(0);
  return Buffer.concat([MAGIC, length, segment, sealed]);
}

export interface OpenedCopy {
  readonly segment: OpenedSegment;
  /** The object of the segment itself, byte for byte. */
  readonly data: Buffer;
  readonly sealedLines: Buffer;
}

/** Opens the copy of the segment `name`; `vault.damaged` names the copy. */
export function decodeCopy(keys: VaultKeys, name: string, copy: Buffer): OpenedCopy {
  const isWhole = copy.byteLength > HEAD_BYTES && copy.subarray(0, MAGIC.byteLength).equals(MAGIC);
  const end = isWhole ? HEAD_BYTES + copy.readUInt32BE(MAGIC.byteLength) : 0;
  if (!isWhole || end > copy.byteLength) {
    throw vaultError('vault.damaged', `${copyName(name)} does not begin as a copy does.`, { object: copyName(name) });
  }
  const data = copy.subarray(HEAD_BYTES, end);
  return { segment: decodeSegment(keys, name, data), data, sealedLines: copy.subarray(end) };
}

/** The lines in a copy, compared with the reference in the signed segment; `undefined` when the copy has none. */
export function openLines(keys: VaultKeys, name: string, sealed: Buffer, content: ContentRef): Buffer | undefined {
  if (sealed.byteLength === 0) return undefined;
  try {
    const lines = inflated(open(keys.smallKey, sealed, contextOf(keys, name)), content.sizeBytes);
    if (sha256Hex(lines) === content.sha256) return lines;
  } catch {
    // Reported below.
  }
  throw vaultError('vault.damaged', `The changes in ${copyName(name)} are not those that were committed.`, { object: copyName(name) });
}

/** Errors that say that an object is lost, and not that it can't be reached now. */
export function isLoss(error: unknown): error is Error {
  return isAppError(error, 'vault.damaged', 'vault.object-missing', 'vault.blob-missing');
}

/** The copy of a segment; `undefined` when there is none that opens. */
export async function readCopy(store: BlobStore, keys: VaultKeys, name: string): Promise<OpenedCopy | undefined> {
  try {
    return decodeCopy(keys, name, await store.get(copyName(name)));
  } catch (error) {
    if (isLoss(error)) return undefined;
    throw error;
  }
}

/** Opens a segment from its own object or, where that is lost, from its copy. `vault.damaged` when neither opens. */
export async function openSegment(store: BlobStore, keys: VaultKeys, name: string): Promise<OpenedSegment> {
  try {
    return decodeSegment(keys, name, await store.get(name));
  } catch (error) {
    if (!isLoss(error)) throw error;
    const copy = await readCopy(store, keys, name);
    if (copy) return copy.segment;
    if (!isAppError(error, 'vault.object-missing')) throw error;
    throw vaultError('vault.damaged', `Segment ${name} is missing, and its copy as well.`, { object: name }, error);
  }
}
