import type { MessageProof } from '@holdfast/contract/message-proof';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { eventLeaf, leafHash, readCheckpoint, rootFromPath, verifierKey } from '../audit/index.ts';

/** What of a proof does not hold. */
export type ProofFault = 'message' | 'capture' | 'event' | 'log' | 'signature' | 'key';

/** What somebody has besides the proof. */
export interface ProofGround {
  /** The key that checkpoints are signed with, got another way than the proof. */
  readonly key: string;
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

/** Checks a proof by itself and a key alone. Answers everything that does not hold. */
export function verifyMessageProof(proof: MessageProof, { key, message }: ProofGround): readonly ProofFault[] {
  const { capture, event, log } = proof;
  const faults: ProofFault[] = [];
  if (message && sha256Hex(message) !== proof.message) faults.push('message');
  const leaf = leafHash(hex(proof.message));
  if (rootOf({ at: capture.at, size: capture.of, leaf }, capture.path) !== capture.root) faults.push('capture');
  if (event.event !== CAPTURED || event.subjectId !== capture.root) faults.push('event');
  const verifier = verifierKey(key);
  if (!verifier) return [...faults, 'key'];
  const signed = readCheckpoint(log.checkpoint.note, verifier);
  if (!signed) return [...faults, 'signature'];
  const root = rootOf({ at: event.sequence - 1, size: signed.size, leaf: leafOf(proof) }, log.path);
  return root === signed.root.toString('hex') ? faults : [...faults, 'log'];
}
