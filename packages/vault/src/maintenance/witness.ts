import { sign, verify } from 'node:crypto';
import { nowIso, type Clock } from '@holdfast/foundation/clock';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError } from '../shared/errors.ts';
import type { JournalContext } from '../journal/context.ts';
import { listResources } from '../journal/resources.ts';
import type { HeadsWitness, SignedStatement } from './maintenance.ts';

function signedText(witness: Omit<HeadsWitness, 'signature'>): Buffer {
  const { vaultId, at, heads } = witness;
  return Buffer.from(`holdfast/1/witness\n${JSON.stringify({ vaultId, at, heads })}`);
}

/** Signs a list of heads. */
export function signWitness(keys: VaultKeys, at: string, heads: HeadsWitness['heads']): HeadsWitness {
  const statement = { vaultId: keys.vaultId, at, heads };
  return { ...statement, signature: sign(null, signedText(statement), keys.signingKey).toString('base64url') };
}

/** A signed statement of all heads as they are now. */
export async function makeWitness(context: Pick<JournalContext, 'store' | 'keys'>, clock: Clock): Promise<HeadsWitness> {
  const heads: { resourceId: string; sequence: number; hash: string }[] = [];
  for await (const { resourceId, head } of listResources(context)) heads.push({ resourceId, sequence: head.sequence, hash: head.hash });
  return signWitness(context.keys, nowIso(clock), heads);
}

/** Reads a witness from its text; undefined when it is none. Whose it is, and whether it is signed, is checked by a verify. */
export function parseWitness(text: string): HeadsWitness | undefined {
  let value: Partial<HeadsWitness> | null;
  try {
    value = JSON.parse(text) as Partial<HeadsWitness> | null;
  } catch {
    return undefined;
  }
  const isWitness = typeof value?.vaultId === 'string' && typeof value.signature === 'string' && Array.isArray(value.heads);
  return isWitness ? (value as HeadsWitness) : undefined;
}

/** Whether a witness is of this vault and signed by it. */
export function isOwnWitness(keys: VaultKeys, witness: HeadsWitness): boolean {
  return witness.vaultId === keys.vaultId && isSigned(keys, witness);
}

function isSigned(keys: VaultKeys, witness: HeadsWitness): boolean {
  return verify(null, signedText(witness), keys.verifyingKey, Buffer.from(witness.signature, 'base64url'));
}

/** Refuses a witness of another vault, or one that this vault did not sign. */
export function checkWitness(keys: VaultKeys, witness: HeadsWitness): void {
  if (witness.vaultId !== keys.vaultId) throw vaultError('vault.foreign', 'The witness is of another vault.', { vaultId: witness.vaultId });
  if (!isSigned(keys, witness)) {
    throw vaultError('vault.bad-input', 'The witness is not signed by this vault.', { field: 'witness' });
  }
}

/** Signs what an export says of itself (FORMAT.md section 9). */
export function signExport(keys: VaultKeys, statement: string): SignedStatement {
  const text = `holdfast/1/export\n${statement}`;
  return {
    text,
    signature: sign(null, Buffer.from(text), keys.signingKey),
    verifyingKey: keys.verifyingKey.export({ format: 'pem', type: 'spki' }),
  };
}
