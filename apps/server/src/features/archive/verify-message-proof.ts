import type { X509Certificate } from 'node:crypto';
import type { MessageProof } from '@holdfast/contract/message-proof';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { eventLeaf, leafHash, readCheckpoint, rootFromPath, verifierKey } from '../audit/index.ts';
import { checkTimestamp } from '../timestamps/index.ts';

/** What of a proof does not hold. */
export type ProofFault = 'message' | 'capture' | 'event' | 'log' | 'signature' | 'key' | 'timestamp';

/** What somebody has besides the proof. */
export interface ProofGround {
  /** The key that checkpoints are signed with, got another way than the proof. */
  readonly key: string;
  /** The authorities whose time stamps are believed; without any, a stamp is not looked at. */
  readonly roots?: readonly X509Certificate[];
  /** The message as it is now. */
  readonly message?: Uint8Array;
}

const CAPTURED = 'archive.captured';
const hex = (value: string): Buffer => Buffer.from(value, 'hex');

/** A leaf with its place in a tree. */
interface Placed {
  readonly at: number;
  readonly size: number;
  readonly leaf: Buffer;
}

const rootOf = ({ at, size, leaf }: Placed, path: readonly string[]): string | undefined =>
  at < size ? rootFromPath(at, size, leaf, path.map(hex)).toString('hex') : undefined;

function leafOf({ event }: MessageProof): Buffer {
  const { at, payloadHash, ...fields } = event;
  return eventLeaf({ ...fields, at: new Date(at) }, hex(payloadHash));
}

/** Whether the time stamp of the proof is one of its checkpoint, by an authority that is believed, at the time that it names. */
function isStamped({ timestamp, log }: MessageProof, roots: readonly X509Certificate[]): boolean {
  if (!timestamp) return false;
  const verdict = checkTimestamp(Buffer.from(timestamp.token, 'base64'), { content: Buffer.from(log.checkpoint.note), roots });
  return 'stamp' in verdict && verdict.stamp.at.getTime() === Date.parse(timestamp.at);
}

/** Checks a proof by itself and a key alone. Answers everything that does not hold. */
export function verifyMessageProof(proof: MessageProof, { key, message, roots }: ProofGround): readonly ProofFault[] {
  const { capture, event, log } = proof;
  const faults: ProofFault[] = [];
  if (message && sha256Hex(message) !== proof.message) faults.push('message');
  const leaf = leafHash(hex(proof.message));
  if (rootOf({ at: capture.at, size: capture.of, leaf }, capture.path) !== capture.root) faults.push('capture');
  if (event.event !== CAPTURED || event.subjectId !== capture.root) faults.push('event');
  if (roots && !isStamped(proof, roots)) faults.push('timestamp');
  const verifier = verifierKey(key);
  if (!verifier) return [...faults, 'key'];
  const signed = readCheckpoint(log.checkpoint.note, verifier);
  if (!signed) return [...faults, 'signature'];
  const root = rootOf({ at: event.sequence - 1, size: signed.size, leaf: leafOf(proof) }, log.path);
  return root === signed.root.toString('hex') ? faults : [...faults, 'log'];
}
