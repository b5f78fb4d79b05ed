import type { Database, Scope } from '@holdfast/database';
import type { Wrapped } from './master-keys.ts';

/** A data key as it is stored. */
export interface StoredKey extends Wrapped {
  readonly keyId: string;
}

/** Where data keys are kept: one for the installation's own secrets by purpose, one for each organisation and realm. */
export interface KeysStore {
  installationKey(purpose: string): Promise<StoredKey | undefined>;
  /** Keeps the first key for a purpose; a second process that comes too late gets the one that is there. */
  addInstallationKey(purpose: string, key: StoredKey): Promise<StoredKey>;
  organisationKey(scope: Scope): Promise<StoredKey | undefined>;
  addOrganisationKey(scope: Scope, key: StoredKey): Promise<StoredKey>;
  installationPurposes(): Promise<string[]>;
  scopes(): Promise<Scope[]>;
  /** Replaces a wrapping if it still is the one that was read. */
  rewrapInstallation(purpose: string, from: string, to: Wrapped): Promise<void>;
  rewrapOrganisation(scope: Scope, from: string, to: Wrapped): Promise<void>;
}

function stored(row: { key_id: string; master_key_id: string; wrapped: Buffer } | undefined): StoredKey | undefined {
  return row && { keyId: row.key_id, masterKeyId: row.master_key_id, wrapped: row.wrapped };
}

const columns = ['key_id', 'master_key_id', 'wrapped'] as const;

function row(key: StoredKey): { key_id: string; master_key_id: string; wrapped: Buffer } {
  return { key_id: key.keyId, master_key_id: key.masterKeyId, wrapped: key.wrapped };
}

export function createKeysStore(database: Database): KeysStore {
  async function installationKey(purpose: string): Promise<StoredKey | undefined> {
    return database.installation(async (tx) =>
      stored(await tx.selectFrom('installation_keys').select(columns).where('purpose', '=', purpose).executeTakeFirst()),
    );
  }
  async function organisationKey(scope: Scope): Promise<StoredKey | undefined> {
    return database.within(scope, async (tx) => stored(await tx.selectFrom('organisation_keys').select(columns).executeTakeFirst()));
  }
  return Object.freeze<KeysStore>({
    installationKey,
    organisationKey,
    async addInstallationKey(purpose, key) {
      await database.installation((tx) =>
        tx
          .insertInto('installation_keys')
          .values({ purpose, ...row(key) })
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
      return (await installationKey(purpose)) ?? key;
    },
    async addOrganisationKey(scope, key) {
      await database.within(scope, (tx) =>
        tx
          .insertInto('organisation_keys')
          .values(row(key))
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
      return (await organisationKey(scope)) ?? key;
    },
    installationPurposes: () =>
      database.installation(async (tx) =>
        (await tx.selectFrom('installation_keys').select('purpose').execute()).map((found) => found.purpose),
      ),
    scopes: () =>
      database.acrossOrganisations(async (tx) =>
        (await tx.selectFrom('organisations').select(['organisation_id', 'realm']).orderBy('organisation_id').execute()).map((found) => ({
          organisationId: found.organisation_id as Scope['organisationId'],
          realm: found.realm,
        })),
      ),
    async rewrapInstallation(purpose, from, to) {
      await database.installation((tx) =>
        tx
          .updateTable('installation_keys')
          .set({ master_key_id: to.masterKeyId, wrapped: to.wrapped })
          .where('purpose', '=', purpose)
          .where('master_key_id', '=', from)
          .execute(),
      );
    },
    async rewrapOrganisation(scope, from, to) {
      await database.within(scope, (tx) =>
        tx
          .updateTable('organisation_keys')
          .set({ master_key_id: to.masterKeyId, wrapped: to.wrapped })
          .where('master_key_id', '=', from)
          .execute(),
      );
    },
  });
}
