import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Scope } from '@holdfast/database';
import type { Ids } from '@holdfast/foundation/ids';
import { AppError } from '@holdfast/foundation/errors';
import { deriveKey, open, seal } from '@holdfast/foundation/secrets';
import type { KeysStore, StoredKey } from './keys.store.ts';
import type { MasterKeys } from './master-keys.ts';

/** Where a sealed value stands; it opens nowhere else. */
export interface Place {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

export interface DataKey {
  readonly keyId: string;
  readonly key: KeyObject;
}

/**
 * Envelope encryption of fields: master key → one key for each organisation and realm, one for the
 * installation → AES-256-GCM with table, column, row and organisation bound to the value.
 */
export interface Sealing {
  seal(scope: Scope, plaintext: string, place: Place): Promise<Buffer>;
  /** `secrets.cannot-open` when a bit differs or the value was moved. */
  open(scope: Scope, sealed: Buffer, place: Place): Promise<string>;
  /** The same for what belongs to no organisation (accounts, mails). */
  sealOwn(plaintext: string, place: Place): Promise<Buffer>;
  openOwn(sealed: Buffer, place: Place): Promise<string>;
  /** The key of an organisation, made at its first use; vault keys are derived below it. */
  organisationKey(scope: Scope): Promise<DataKey>;
  /** 32 bytes for one purpose of the installation, always the same. */
  installationSecret(purpose: string): Promise<Buffer>;
}

/** Version of the stored form: one byte, 16 bytes key id, then the sealed value. */
const FORM = 1;
const HEADER_BYTES = 17;

function keyIdBytes(keyId: string): Buffer {
  return Buffer.from(keyId.replaceAll('-', ''), 'hex');
}

function contextOf(place: Place, owner: string): string {
  return ['holdfast/field', place.table, place.column, place.row, owner].join('\n');
}

function close(data: DataKey, plaintext: string, context: string): Buffer {
  return Buffer.concat([Buffer.from([FORM]), keyIdBytes(data.keyId), seal(data.key, Buffer.from(plaintext), context)]);
}

function disclose(data: DataKey, sealed: Buffer, context: string): string {
  const fits = sealed[0] === FORM && sealed.subarray(1, HEADER_BYTES).equals(keyIdBytes(data.keyId));
  if (!fits) throw new AppError('secrets.cannot-open');
  return open(data.key, sealed.subarray(HEADER_BYTES), context).toString();
}

/** What a wrapping is bound to, so that wrapped keys can't be swapped between organisations. */
export function wrappingContext(owner: Scope | string): string {
  return typeof owner === 'string' ? `installation\n${owner}` : `organisation\n${owner.organisationId}\n${owner.realm}`;
}

export function createSealing(options: { readonly masterKeys: MasterKeys; readonly store: KeysStore; readonly ids: Ids }): Sealing {
  const { masterKeys, store, ids } = options;
  const cache = new Map<string, Promise<DataKey>>();

  function fresh(context: string): StoredKey {
    return { keyId: ids.uuid(), ...masterKeys.wrap(createSecretKey(randomBytes(32)), context) };
  }

  function cached(context: string, load: () => Promise<StoredKey>): Promise<DataKey> {
    const known = cache.get(context);
    if (known) return known;
    const loading = load().then((found) => ({ keyId: found.keyId, key: masterKeys.unwrap(found, context) }));
    loading.catch(() => cache.delete(context));
    cache.set(context, loading);
    return loading;
  }

  function organisationKey(scope: Scope): Promise<DataKey> {
    const context = wrappingContext(scope);
    return cached(context, async () => (await store.organisationKey(scope)) ?? store.addOrganisationKey(scope, fresh(context)));
  }

  function installationKey(): Promise<DataKey> {
    const context = wrappingContext('fields');
    return cached(context, async () => (await store.installationKey('fields')) ?? store.addInstallationKey('fields', fresh(context)));
  }

  return Object.freeze<Sealing>({
    organisationKey,
    async seal(scope, plaintext, place) {
      return close(await organisationKey(scope), plaintext, contextOf(place, `${scope.organisationId}/${scope.realm}`));
    },
    async open(scope, sealed, place) {
      return disclose(await organisationKey(scope), sealed, contextOf(place, `${scope.organisationId}/${scope.realm}`));
    },
    async sealOwn(plaintext, place) {
      return close(await installationKey(), plaintext, contextOf(place, 'installation'));
    },
    async openOwn(sealed, place) {
      return disclose(await installationKey(), sealed, contextOf(place, 'installation'));
    },
    async installationSecret(purpose) {
      const { key } = await installationKey();
      return createHmac('sha256', deriveKey(key, 'holdfast/installation-secret')).update(purpose).digest();
    },
  });
}
