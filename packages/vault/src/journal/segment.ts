import { createCipheriv, createDecipheriv, randomBytes, sign, verify } from 'node:crypto';
import { sha256Hex } from '@holdfast/foundation/bytes';
import type { ContentRef } from '../chunk/content-ref.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError, type VaultError } from '../shared/errors.ts';
import { compressed, inflated, nonceOf, TAG_BYTES } from '../pack/frame.ts';
import type { ItemChange, Json, ResourceHead } from './journal.ts';

/** Segments (FORMAT.md section 8): sealed, signed, chained. */
const MAGIC = Buffer.from('HFSEGM\0\x01', 'latin1');
const SALT_BYTES = 16;
const HEAD_BYTES = MAGIC.byteLength + SALT_BYTES + 4;
const SIGNATURE_BYTES = 64;
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

/** The sealed body of a segment, in the order of its fields. */
export interface SegmentBody {
  readonly resourceId: string;
  readonly sequence: number;
  readonly previousHash: string | null;
  readonly runId: string;
  readonly at: string;
  readonly cursor: Json;
  readonly restorePoint: boolean;
  readonly fence: number;
  readonly summary: Json;
  readonly changeCount: number;
  /** The changes themselves, or the content (JSON lines) that holds them. */
  readonly changes: readonly ItemChange[] | ContentRef;
  /** The whole state after this segment: JSON lines in order of SHA-256 of the item id. */
  readonly checkpoint?: { readonly content: ContentRef; readonly itemCount: number };
  /** Of the last checkpoint before or in this segment: what has come since. */
  readonly since: { readonly segments: number; readonly changes: number; readonly itemCount: number };
  /** The minor version of the format that wrote it; absent: 0. From 1 on a segment has a copy. */
  readonly minor?: number;
  /** The store that it was written into decides by marker: there is one before the next commit. */
  readonly isMarked?: true;
}

/** Minor version of the format that this code writes (FORMAT.md section 1). */
export const FORMAT_MINOR = 1;

export interface OpenedSegment {
  readonly name: string;
  readonly body: SegmentBody;
  /** SHA-256 of the object. */
  readonly hash: string;
}

function label(keys: VaultKeys, name: string): Buffer {
  return Buffer.from(`holdfast/1/segment/${keys.vaultId}/${name}`);
}

/** The object of a segment. It opens under this name only. */
export function encodeSegment(keys: VaultKeys, name: string, body: SegmentBody): Buffer {
  const plain = Buffer.from(JSON.stringify(body));
  const packed = compressed(plain);
  const salt = randomBytes(SALT_BYTES);
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(plain.byteLength, 0);
  sizes[4] = packed ? 1 : 0;
  const cipher = createCipheriv('aes-256-gcm', keys.segmentKey(salt), nonceOf(0));
  cipher.setAAD(label(keys, name));
  const sealed = Buffer.concat([cipher.update(Buffer.concat([sizes, packed ?? plain])), cipher.final(), cipher.getAuthTag()]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(sealed.byteLength);
  const signed = Buffer.concat([MAGIC, salt, length, sealed]);
  return Buffer.concat([signed, sign(null, Buffer.concat([label(keys, name), signed]), keys.signingKey)]);
}

function damaged(name: string, problem: string, cause?: unknown): VaultError {
  return vaultError('vault.damaged', `Segment ${name} ${problem}.`, { object: name }, cause);
}

/** Opens a segment and checks seal and signature. `vault.damaged` names it. */
export function decodeSegment(keys: VaultKeys, name: string, data: Buffer): OpenedSegment {
  if (data.byteLength < HEAD_BYTES + TAG_BYTES + SIGNATURE_BYTES || !data.subarray(0, MAGIC.byteLength).equals(MAGIC)) {
    throw damaged(name, 'does not begin as a segment does');
  }
  const salt = data.subarray(MAGIC.byteLength, MAGIC.byteLength + SALT_BYTES);
  const end = HEAD_BYTES + data.readUInt32BE(MAGIC.byteLength + SALT_BYTES);
  if (end + SIGNATURE_BYTES !== data.byteLength) throw damaged(name, 'has another length than it says');
  const signed = Buffer.concat([label(keys, name), data.subarray(0, end)]);
  if (!verify(null, signed, keys.verifyingKey, data.subarray(end))) throw damaged(name, 'is not signed by this vault');
  try {
    const decipher = createDecipheriv('aes-256-gcm', keys.segmentKey(salt), nonceOf(0));
    decipher.setAAD(label(keys, name));
    decipher.setAuthTag(data.subarray(end - TAG_BYTES, end));
    const opened = Buffer.concat([decipher.update(data.subarray(HEAD_BYTES, end - TAG_BYTES)), decipher.final()]);
    const plainBytes = Math.min(opened.readUInt32BE(0), BODY_LIMIT_BYTES);
    const plain = opened[4] === 1 ? inflated(opened.subarray(5), plainBytes) : opened.subarray(5);
    return { name, body: JSON.parse(plain.toString('utf8')) as SegmentBody, hash: sha256Hex(data) };
  } catch (cause) {
    throw damaged(name, 'does not open', cause);
  }
}

export function headOf(segment: OpenedSegment): ResourceHead {
  const { sequence, runId, at, cursor, restorePoint, fence } = segment.body;
  return { sequence, hash: segment.hash, runId, at, cursor, restorePoint, fence };
}
