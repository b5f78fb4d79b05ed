import type { Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { createVault, openVault, type BlobIndex, type BlobStore, type KeyRing, type ObjectLock, type Vault } from '@holdfast/vault';

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
  }>;
}

export interface VaultsOptions {
  readonly storage: LocationStorage;
  keyRingOf(scope: Scope): Promise<KeyRing>;
  /** The shared index of a location; without one each process builds its own. */
  indexOf?(scope: Scope, locationId: string): Promise<BlobIndex>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly threads?: number;
}

/** Open vaults of this process. */
export interface Vaults {
  /** Works with the vault of a location: opened, and made at its first use; kept open for a while after the last. */
  use<T>(scope: Scope, locationId: string, work: (vault: Vault) => Promise<T>): Promise<T>;
  /** Opens the vault for this work alone: nothing read before is remembered, so what is read comes from the store. */
  apart<T>(scope: Scope, locationId: string, work: (vault: Vault) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** How long an unused vault stays open. */
const IDLE_MS = 60_000;

interface Entry {
  readonly opening: Promise<Vault>;
  users: number;
  cancelClose?: () => void;
}

export function createVaults(options: VaultsOptions): Vaults {
  const { clock, ids, logger, storage } = options;
  const entries = new Map<string, Entry>();

  async function open(scope: Scope, locationId: string): Promise<Vault> {
    const { store, name, lock } = await storage.storeOf(scope, locationId);
    const keyRing = await options.keyRingOf(scope);
    const { organisationId } = scope;
    const index = await options.indexOf?.(scope, locationId);
    const openIt = (): Promise<Vault> =>
      openVault({
        store,
        keyRing,
        organisationId,
        clock,
        ids,
        logger,
        ...(index ? { index } : {}),
        ...(lock ? { lock } : {}),
        ...(options.threads === undefined ? {} : { threads: options.threads }),
      });
    try {
      return await openIt();
    } catch (error) {
      if (!isAppError(error, 'vault.not-found')) throw error;
    }
    try {
      await createVault({ store, keyRing, organisationId, clock, ids, name });
    } catch (error) {
      // Another process was first: its vault is the one.
      if (!isAppError(error, 'vault.already-exists')) throw error;
    }
    return openIt();
  }

  async function shut(key: string, entry: Entry): Promise<void> {
    if (entries.get(key) === entry) entries.delete(key);
    const vault = await entry.opening.catch(() => undefined);
    await vault?.close();
  }

  return Object.freeze<Vaults>({
    async apart(scope, locationId, work) {
      const vault = await open(scope, locationId);
      try {
        return await work(vault);
      } finally {
        await vault.close();
      }
    },
    async use(scope, locationId, work) {
      const key = `${scope.organisationId}/${scope.realm}/${locationId}`;
      let entry = entries.get(key);
      if (!entry) {
        entry = { opening: open(scope, locationId), users: 0 };
        entries.set(key, entry);
      }
      const current = entry;
      current.cancelClose?.();
      current.users += 1;
      try {
        return await work(await current.opening);
      } catch (error) {
        // One that did not open is tried again by the next user.
        await current.opening.catch(() => entries.get(key) === current && entries.delete(key));
        throw error;
      } finally {
        current.users -= 1;
        if (current.users === 0) {
          current.cancelClose = clock.after(IDLE_MS, () => {
            if (current.users === 0)
              void shut(key, current).catch((error: unknown) => logger.warn({ err: error }, 'a vault did not close'));
          });
        }
      }
    },
    async close() {
      for (const [key, entry] of entries) {
        entry.cancelClose?.();
        await shut(key, entry);
      }
    },
  });
}
