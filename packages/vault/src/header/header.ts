import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { equalBytes } from '@holdfast/foundation/bytes';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { isAppError } from '@holdfast/foundation/errors';
import { open, seal } from '@holdfast/foundation/secrets';
import type { BlobStore } from '../blob/blob-store.ts';
import type { KeyRing, WrappedKey } from '../crypto/key-ring.ts';
import { deriveVaultKeys, type VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError } from '../shared/errors.ts';

/** Version of the format this code writes (FORMAT.md section 1). */
export const FORMAT_VERSION = 1;
export const HEADER_NAME = 'vault.json';
export const HEADER_COPY_NAME = 'vault.copy.json';

/** The header object (FORMAT.md section 2), in the order of its fields. */
export interface VaultHeader {
  readonly format: 'holdfast-vault';
  readonly version: number;
  readonly vaultId: string;
  readonly organisationId: string;
  readonly name: string;
  readonly createdAt: string;
  /** Counts rotations: of two headers the one with the higher number is the newer. */
  readonly keyVersion: number;
  readonly organisationKey: WrappedKey;
  /** The vault key sealed by the organisation key, base64url. */
  readonly vaultKey: string;
  /** Ed25519 public key (SPKI, base64url) that signs segments and witnesses. */
  readonly verifyingKey: string;
}

export const organisationContext = (organisationId: string): string => `holdfast/1/organisation/${organisationId}`;
const vaultContext = (vaultId: string): string => `holdfast/1/vault/${vaultId}`;

function macOf(keys: VaultKeys, header: VaultHeader): Buffer {
  return createHmac('sha256', keys.headerKey).update(JSON.stringify(header)).digest();
}

/** Writes the header and its copy: the copy first, so that at any moment one whole header is there. */
export async function writeHeader(store: BlobStore, keys: VaultKeys, header: VaultHeader): Promise<void> {
  const text = `${JSON.stringify({ ...header, mac: macOf(keys, header).toString('hex') }, null, 2)}\n`;
  await crashPoint('vault.header.before-copy');
  await store.put(HEADER_COPY_NAME, [Buffer.from(text)]);
  await crashPoint('vault.header.between');
  await store.put(HEADER_NAME, [Buffer.from(text)]);
  await crashPoint('vault.header.after');
}

/** A new header with new keys. */
export async function makeHeader(options: {
  readonly vaultId: string;
  readonly organisationId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly keyRing: KeyRing;
  /** An old vault key, when a lost header is made anew. */
  readonly vaultKey?: KeyObject;
}): Promise<{ header: VaultHeader; keys: VaultKeys }> {
  const organisationKey = createSecretKey(randomBytes(32));
  const vaultKey = options.vaultKey ?? createSecretKey(randomBytes(32));
  const keys = deriveVaultKeys(options.vaultId, vaultKey);
  const header: VaultHeader = {
    format: 'holdfast-vault',
    version: FORMAT_VERSION,
    vaultId: options.vaultId,
    organisationId: options.organisationId,
    name: options.name,
    createdAt: options.createdAt,
    keyVersion: 1,
    organisationKey: await options.keyRing.wrap(organisationKey, organisationContext(options.organisationId)),
    vaultKey: seal(organisationKey, vaultKey.export(), vaultContext(options.vaultId)).toString('base64url'),
    verifyingKey: keys.verifyingKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
  };
  return { header, keys };
}

const TEXT_FIELDS = ['vaultId', 'organisationId', 'name', 'createdAt', 'vaultKey', 'verifyingKey'] as const;

function isHeaderShape(value: Record<string, unknown>): boolean {
  const organisationKey = value['organisationKey'] as Partial<WrappedKey> | undefined;
  return (
    TEXT_FIELDS.every((field) => typeof value[field] === 'string') &&
    Number.isSafeInteger(value['keyVersion']) &&
    typeof organisationKey?.keyId === 'string' &&
    typeof organisationKey.sealed === 'string'
  );
}

/** Parses a header object; `vault.newer-format` and `vault.damaged` name it. The MAC is checked later, with the key. */
export function parseHeader(name: string, data: Buffer): { header: VaultHeader; mac: Buffer } {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(data.toString('utf8')) as Record<string, unknown>;
  } catch (cause) {
    throw vaultError('vault.damaged', `${name} is not readable.`, { object: name }, cause);
  }
  if (value['format'] !== 'holdfast-vault' || !Number.isSafeInteger(value['version'])) {
    throw vaultError('vault.damaged', `${name} is not the header of a vault.`, { object: name });
  }
  if ((value['version'] as number) > FORMAT_VERSION) {
    throw vaultError(
      'vault.newer-format',
      `The vault has format ${value['version'] as number}; this version reads up to ${FORMAT_VERSION}.`,
      {
        version: value['version'] as number,
      },
    );
  }
  if (!isHeaderShape(value)) throw vaultError('vault.damaged', `${name} lacks a field.`, { object: name });
  const { mac, ...header } = value;
  return { header: header as unknown as VaultHeader, mac: Buffer.from(typeof mac === 'string' ? mac : '', 'hex') };
}

/** Opens the keys of a header and checks its MAC. */
export async function openHeader(
  name: string,
  data: Buffer,
  keyRing: KeyRing,
): Promise<{ header: VaultHeader; keys: VaultKeys; organisationKey: KeyObject }> {
  const { header, mac } = parseHeader(name, data);
  const organisationKey = await keyRing.unwrap(header.organisationKey, organisationContext(header.organisationId));
  let vaultKey: KeyObject;
  try {
    vaultKey = createSecretKey(open(organisationKey, Buffer.from(header.vaultKey, 'base64url'), vaultContext(header.vaultId)));
  } catch (cause) {
    throw vaultError('vault.damaged', `${name} holds a vault key that does not open.`, { object: name }, cause);
  }
  const keys = deriveVaultKeys(header.vaultId, vaultKey);
  if (!equalBytes(mac, macOf(keys, header))) {
    throw vaultError('vault.damaged', `${name} was changed: its seal does not fit.`, { object: name });
  }
  return { header, keys, organisationKey };
}

export interface OpenedHeader {
  readonly header: VaultHeader;
  readonly keys: VaultKeys;
  readonly organisationKey: KeyObject;
  /** Which of the two objects is damaged, missing or older, with the reason. */
  readonly problems: readonly { readonly name: string; readonly problem: string }[];
}

/**
 * Reads the header and its copy; the newer intact one counts. `vault.not-found` when neither is
 * there, otherwise the error of the first when none opens.
 */
export async function readHeader(store: BlobStore, keyRing: KeyRing): Promise<OpenedHeader> {
  const problems: { name: string; problem: string }[] = [];
  const opened: { name: string; header: VaultHeader; keys: VaultKeys; organisationKey: KeyObject }[] = [];
  let failure: unknown;
  for (const name of [HEADER_NAME, HEADER_COPY_NAME]) {
    try {
      opened.push({ name, ...(await openHeader(name, await store.get(name), keyRing)) });
    } catch (error) {
      // Of a newer format as well: a damaged number says so, too, and the other header tells.
      if (!isAppError(error, 'vault.object-missing', 'vault.damaged', 'vault.wrong-key', 'vault.newer-format')) throw error;
      problems.push({ name, problem: error.message });
      if (failure === undefined || isAppError(failure, 'vault.object-missing') || isAppError(error, 'vault.newer-format')) failure = error;
    }
  }
  const best = opened.reduce<(typeof opened)[number] | undefined>(
    (newest, one) => (newest && newest.header.keyVersion >= one.header.keyVersion ? newest : one),
    undefined,
  );
  if (!best) {
    if (isAppError(failure, 'vault.object-missing')) throw vaultError('vault.not-found', `There is no vault at ${store.description}.`);
    throw failure;
  }
  for (const one of opened) {
    if (one.header.vaultId !== best.header.vaultId) problems.push({ name: one.name, problem: `${one.name} belongs to another vault.` });
    else if (one.header.keyVersion < best.header.keyVersion) {
      problems.push({ name: one.name, problem: `${one.name} is an older version.` });
    }
  }
  return { header: best.header, keys: best.keys, organisationKey: best.organisationKey, problems };
}

/** The same header with its organisation key wrapped by the current master key of `keyRing`, for another organisation if one is named. */
export async function rewrapHeader(
  current: OpenedHeader,
  keyRing: KeyRing,
  organisationId: string = current.header.organisationId,
): Promise<VaultHeader> {
  const { header, organisationKey } = current;
  return {
    ...header,
    organisationId,
    keyVersion: header.keyVersion + 1,
    organisationKey: await keyRing.wrap(organisationKey, organisationContext(organisationId)),
  };
}
