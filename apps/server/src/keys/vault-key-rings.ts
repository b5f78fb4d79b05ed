import type { KeyObject } from 'node:crypto';
import type { Scope } from '@holdfast/database';
import { createMasterKeyRing, type KeyRing } from '@holdfast/vault';
import type { NamedKey } from './master-keys.ts';
import type { Sealing } from './sealing.ts';

/**
 * The keys that open the vaults of this installation. The master key itself wraps, so that a vault and
 * `master.key` are enough on the day the database is lost; the key of the organisation, which is in the
 * database, only opens what it wrapped in earlier versions.
 */
export function createVaultKeyRings(options: {
  readonly masterKey: NamedKey & { readonly others?: readonly NamedKey[] };
  readonly sealing: Pick<Sealing, 'organisationKey'>;
}): (scope: Scope) => Promise<KeyRing> {
  const { masterKey, sealing } = options;
  return async (scope) => {
    const organisation = await sealing.organisationKey(scope);
    const keys: Record<string, KeyObject> = { [organisation.keyId]: organisation.key };
    for (const named of [...(masterKey.others ?? []), masterKey]) keys[named.id] = named.key;
    return createMasterKeyRing({ current: masterKey.id, keys });
  };
}
