import type { Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import {
  createVault,
  openVault,
  withRetry,
  type BlobIndex,
  type BlobStore,
  type KeyRing,
  type ObjectLock,
  type Vault,
} from '@holdfast/vault';

import type { StorageOutages } from './storage-outages.ts';

/** Where a location's bytes are and how they are locked; implemented by the locations feature. */
export interface LocationStorage {
  /** `not-found` when the location does not exist in this scope. */
  storeOf(
    scope: Scope,
    locationId: string,
  ): Promise<{
    readonly store: BlobStore;
    readonly name: string;
    readonly lock?: { readonly mode: ObjectLock['mode']; readonly days: number };
    /** What is known of the vault that is there; nothing before its first use. */
    readonly known?: KnownVault;
  }>;
  /** Refuses a location in which, or around which, another vault lies. */
  checkPlace(scope: Scope, locationId: string): Promise<void>;
  /** Remembers which vault the location holds. */
  noteVault(scope: Scope, locationId: string, vaultId: string): Promise<void>;
}

/** A vault that a location has held before; without an id it is one from before ids were remembered. */
export interface KnownVault {
  readonly vaultId?: string;
}

export interface VaultsOptions {
  readonly storage: LocationStorage;
  keyRingOf(scope: Scope): Promise<KeyRing>;
  /** Runs `make` when no other process makes the vault of the location. */
  firstUse<T>(scope: Scope, locationId: string, make: () => Promise<T>): Promise<T>;
  /** The shared index of a location; without one each process builds its own. */
  indexOf?(scope: Scope, locationId: string): Promise<BlobIndex>;
  /** Without it a storage that is away fails requests within seconds. */
  readonly outages?: Pick<StorageOutages, 'patienceOf'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly threads?: number;
}

/** Opens vaults of locations, for as long as the caller wants; what is opened is to be closed. */
export interface VaultOpener {
  /** The vault of a location, made at its first use. */
  open(scope: Scope, locationId: string): Promise<Vault>;
  /** Wraps the keys of a vault with the current master key. False: there is no vault in this location yet. */
  renewKeys(scope: Scope, locationId: string): Promise<boolean>;
  /**
   * Makes the vault of a location this organisation's, whichever it was before, and answers which; `mayTake` is asked
   * first. For an installation made anew: `vault.not-found` when there is none.
   */
  takeOver(scope: Scope, locationId: string, mayTake: (organisationId: string) => boolean): Promise<{ readonly from: string }>;
}

/** What opens and makes the vault of a location. */
interface VaultParts {
  readonly store: BlobStore;
  readonly name: string;
  readonly keyRing: KeyRing;
  readonly known: KnownVault | undefined;
  /** Without `isOurs` the vault of another organisation opens as well. */
  readonly openIt: (wish: { readonly isOurs: boolean }) => Promise<Vault>;
}

/** A vault whose keys an older master key wraps is wrapped anew, so that the older one is not needed any more. */
async function withCurrentKey(vault: Vault, keyRing: KeyRing): Promise<Vault> {
  if (vault.info.masterKeyId === keyRing.currentKeyId) return vault;
  try {
    await vault.maintenance.rotateMasterKey();
    return vault;
  } catch (error) {
    await vault.close();
    throw error;
  }
}

/** Whether there is no vault because none was ever made. One that was there and is gone is missing, and stays so. */
function isUnused(error: unknown, { known }: VaultParts): boolean {
  return known === undefined && isAppError(error, 'vault.not-found');
}

export function createVaultOpener(options: VaultsOptions): VaultOpener {
  const { clock, ids, logger, random, storage } = options;

  async function partsOf(scope: Scope, locationId: string): Promise<VaultParts> {
    const { store: bare, name, lock, known } = await storage.storeOf(scope, locationId);
    const patience = options.outages?.patienceOf(locationId);
    const store = withRetry(bare, { clock, random, ...(patience ? { patience } : {}) });
    const keyRing = await options.keyRingOf(scope);
    const { organisationId } = scope;
    const index = await options.indexOf?.(scope, locationId);
    const openIt: VaultParts['openIt'] = ({ isOurs }) =>
      openVault({
        store,
        keyRing,
        ...(isOurs ? { organisationId } : {}),
        ...(isOurs && known?.vaultId !== undefined ? { vaultId: known.vaultId } : {}),
        clock,
        ids,
        logger,
        ...(index ? { index } : {}),
        ...(lock ? { lock } : {}),
        ...(options.threads === undefined ? {} : { threads: options.threads }),
      });
    return { store, name, keyRing, known, openIt };
  }

  /** The vault that is there. It is remembered from now on: another one, or none, is never taken for it. */
  async function openExisting(scope: Scope, locationId: string, { keyRing, known, openIt }: VaultParts): Promise<Vault> {
    const vault = await withCurrentKey(await openIt({ isOurs: true }), keyRing);
    if (known?.vaultId === undefined) await storage.noteVault(scope, locationId, vault.info.vaultId);
    return vault;
  }

  async function open(scope: Scope, locationId: string): Promise<Vault> {
    const parts = await partsOf(scope, locationId);
    try {
      return await openExisting(scope, locationId, parts);
    } catch (error) {
      if (!isUnused(error, parts)) throw error;
    }
    const { store, name, keyRing } = parts;
    await options.firstUse(scope, locationId, async () => {
      await storage.checkPlace(scope, locationId);
      try {
        await createVault({ store, keyRing, organisationId: scope.organisationId, clock, ids, name });
      } catch (error) {
        // Another process was first: its vault is the one.
        if (!isAppError(error, 'vault.already-exists')) throw error;
      }
    });
    return openExisting(scope, locationId, parts);
  }

  return Object.freeze<VaultOpener>({
    open,
    async renewKeys(scope, locationId) {
      const parts = await partsOf(scope, locationId);
      try {
        await (await openExisting(scope, locationId, parts)).close();
        return true;
      } catch (error) {
        if (isUnused(error, parts)) return false;
        throw error;
      }
    },
    async takeOver(scope, locationId, mayTake) {
      const { openIt } = await partsOf(scope, locationId);
      const vault = await openIt({ isOurs: false });
      try {
        const { vaultId, organisationId: from } = vault.info;
        if (from !== scope.organisationId) {
          if (!mayTake(from)) throw new AppError('vault.foreign', { details: { vaultId } });
          await vault.maintenance.rotateMasterKey({ organisationId: scope.organisationId });
        }
        await storage.noteVault(scope, locationId, vaultId);
        return { from };
      } finally {
        await vault.close();
      }
    },
  });
}
