import type { Scope } from '@holdfast/database';
import type { Vault } from '@holdfast/vault';
import { createVaultOpener, type VaultOpener, type VaultsOptions } from './vault-opener.ts';

/** Open vaults of this process. */
export interface Vaults extends Pick<VaultOpener, 'renewKeys' | 'takeOver'> {
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
  const { clock, logger } = options;
  const opener = createVaultOpener(options);
  const entries = new Map<string, Entry>();

  async function shut(key: string, entry: Entry): Promise<void> {
    if (entries.get(key) === entry) entries.delete(key);
    const vault = await entry.opening.catch(() => undefined);
    await vault?.close();
  }

  return Object.freeze<Vaults>({
    ...opener,
    async apart(scope, locationId, work) {
      const vault = await opener.open(scope, locationId);
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
        entry = { opening: opener.open(scope, locationId), users: 0 };
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
