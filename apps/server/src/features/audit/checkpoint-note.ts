import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { ed25519Key } from '../../keys/ed25519.ts';

const SPKI_PREFIX_BYTES = 12;
const NAME = 'holdfast-audit';
/** The signature type of Ed25519 in signed notes. */
const ED25519 = Buffer.from([1]);

/** The key that signs checkpoints, and what others check them with. */
export interface CheckpointKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** In the form of signed notes: name, key hash, key. */
  readonly verifier: string;
  readonly keyHash: Buffer;
}

export function checkpointKey(seed: Uint8Array): CheckpointKey {
  const { privateKey, publicKey } = ed25519Key(seed);
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX_BYTES);
  const typed = Buffer.concat([ED25519, raw]);
  const keyHash = createHash('sha256').update(`${NAME}\n`).update(typed).digest().subarray(0, 4);
  return { privateKey, publicKey, keyHash, verifier: `${NAME}+${keyHash.toString('hex')}+${typed.toString('base64')}` };
}

/** A statement about the log at one moment. */
export interface Checkpoint {
  readonly size: number;
  readonly root: Buffer;
  readonly at: Date;
}

function bodyOf(checkpoint: Checkpoint): string {
  return `${NAME}\n${checkpoint.size}\n${checkpoint.root.toString('base64')}\n${checkpoint.at.toISOString()}\n`;
}

/** The checkpoint as a signed note (C2SP tlog-checkpoint): text, an empty line, a signature line. */
export function signCheckpoint(checkpoint: Checkpoint, key: CheckpointKey): string {
  const body = bodyOf(checkpoint);
  const signature = sign(null, Buffer.from(body), key.privateKey);
  return `${body}\n\u2014 ${NAME} ${Buffer.concat([key.keyHash, signature]).toString('base64')}\n`;
}

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

/** What a note is checked with. */
export type NoteVerifier = Pick<CheckpointKey, 'publicKey' | 'keyHash'>;

/** The key of a verifier as signed notes write it: name, key hash, key. Undefined where it is none of ours. */
export function verifierKey(verifier: string): NoteVerifier | undefined {
  const [, hash = '', typed = ''] = /^holdfast-audit\+([0-9a-f]{8})\+(\S+)$/u.exec(verifier.trim()) ?? [];
  const bytes = Buffer.from(typed, 'base64');
  if (bytes.byteLength !== 33 || bytes[0] !== ED25519[0]) return undefined;
  const keyHash = createHash('sha256').update(`${NAME}\n`).update(bytes).digest().subarray(0, 4);
  if (keyHash.toString('hex') !== hash) return undefined;
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI_ED25519, bytes.subarray(1)]), format: 'der', type: 'spki' });
  return { publicKey, keyHash };
}

/** Reads a note that this key signed; undefined for anything else. */
export function readCheckpoint(note: string, key: NoteVerifier): Checkpoint | undefined {
  const end = note.indexOf('\n\n');
  if (end < 0) return undefined;
  const body = note.slice(0, end + 1);
  const [name, size, root, at] = body.split('\n');
  const signed = /^\u2014 \S+ (\S+)\n$/.exec(note.slice(end + 2))?.[1];
  if (name !== NAME || signed === undefined || root === undefined || at === undefined) return undefined;
  const signature = Buffer.from(signed, 'base64');
  const isOurs = signature.subarray(0, 4).equals(key.keyHash) && verify(null, Buffer.from(body), key.publicKey, signature.subarray(4));
  if (!isOurs || !/^\d{1,15}$/.test(size ?? '')) return undefined;
  return { size: Number(size), root: Buffer.from(root, 'base64'), at: new Date(at) };
}
