import { createSecretKey, randomBytes, scryptSync, type KeyObject } from 'node:crypto';
import { isAppError } from '@holdfast/foundation/errors';
import { aesKey, open, seal } from '@holdfast/foundation/secrets';
import { vaultError } from '../shared/errors.ts';

/** Cost of turning a passphrase into a key: about 128 MB and some tenths of a second. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const;
const SHORTEST_PASSPHRASE = 12;
const CONTEXT = 'holdfast/1/escrow';

interface EscrowText {
  readonly format: 'holdfast-escrow';
  readonly version: number;
  readonly vaultId: string;
  readonly salt: string;
  readonly sealed: string;
}

/** What an escrow holds: enough to open the vault when every header and the master key are lost. */
export interface Escrow {
  readonly vaultId: string;
  readonly organisationId: string;
  readonly vaultKey: KeyObject;
}

function keyOf(passphrase: string, salt: Buffer): KeyObject {
  return aesKey(scryptSync(passphrase.normalize('NFC'), salt, 32, SCRYPT));
}

/** The vault's key sealed with a passphrase, as text to be printed or kept in a safe. */
export function sealEscrow(escrow: Escrow, passphrase: string): string {
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    throw vaultError('vault.bad-input', `A passphrase has at least ${SHORTEST_PASSPHRASE} characters.`, { field: 'passphrase' });
  }
  const salt = randomBytes(16);
  const inner = { organisationId: escrow.organisationId, vaultKey: escrow.vaultKey.export().toString('base64url') };
  const text: EscrowText = {
    format: 'holdfast-escrow',
    version: 1,
    vaultId: escrow.vaultId,
    salt: salt.toString('base64url'),
    sealed: seal(keyOf(passphrase, salt), Buffer.from(JSON.stringify(inner)), `${CONTEXT}/${escrow.vaultId}`).toString('base64url'),
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

function parseEscrow(text: string): EscrowText {
  const none = (cause?: unknown): Error => vaultError('vault.bad-input', 'This is no escrow.', { field: 'escrow' }, cause);
  let parsed: Partial<EscrowText> | null;
  try {
    parsed = JSON.parse(text) as Partial<EscrowText> | null;
  } catch (cause) {
    throw none(cause);
  }
  const isWhole = [parsed?.vaultId, parsed?.salt, parsed?.sealed].every((field) => typeof field === 'string');
  if (parsed?.format !== 'holdfast-escrow' || !isWhole) throw none();
  if (parsed.version !== 1) throw vaultError('vault.newer-format', 'A newer version wrote this escrow.', { version: parsed.version ?? 0 });
  return parsed as EscrowText;
}

/** Opens an escrow. `vault.bad-input` when it is none, `vault.newer-format`, `vault.wrong-key` when the passphrase does not fit. */
export function openEscrow(text: string, passphrase: string): Escrow {
  const { vaultId, salt, sealed } = parseEscrow(text);
  try {
    const key = keyOf(passphrase, Buffer.from(salt, 'base64url'));
    const inner = open(key, Buffer.from(sealed, 'base64url'), `${CONTEXT}/${vaultId}`);
    const { organisationId, vaultKey } = JSON.parse(inner.toString('utf8')) as { organisationId: string; vaultKey: string };
    return { vaultId, organisationId, vaultKey: createSecretKey(Buffer.from(vaultKey, 'base64url')) };
  } catch (cause) {
    if (!isAppError(cause, 'secrets.cannot-open')) throw cause;
    throw vaultError('vault.wrong-key', 'The passphrase does not open this escrow.', { field: 'passphrase' }, cause);
  }
}
