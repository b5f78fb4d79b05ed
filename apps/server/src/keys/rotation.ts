import { crashPoint } from '@holdfast/foundation/crash-point';
import type { KeysStore, StoredKey } from './keys.store.ts';
import type { MasterKeys, Wrapped } from './master-keys.ts';
import { wrappingContext } from './sealing.ts';

/** What a rotation found and did. */
export interface RotationReport {
  readonly rewrapped: number;
  readonly alreadyCurrent: number;
}

/**
 * Re-wraps every data key with the current master key. Data is not rewritten. May be killed at any
 * step and run again: a key that is wrapped by the current master key already is left as it is, and
 * until the last one is done all master keys stay in the ring.
 */
export async function rotateKeys(options: { readonly masterKeys: MasterKeys; readonly store: KeysStore }): Promise<RotationReport> {
  const { masterKeys, store } = options;
  let rewrapped = 0;
  let alreadyCurrent = 0;

  async function turn(found: StoredKey | undefined, context: string, replace: (from: string, to: Wrapped) => Promise<void>): Promise<void> {
    if (!found) return;
    if (found.masterKeyId === masterKeys.currentId) {
      alreadyCurrent += 1;
      return;
    }
    await crashPoint('keys.before-rewrap');
    await replace(found.masterKeyId, masterKeys.wrap(masterKeys.unwrap(found, context), context));
    await crashPoint('keys.after-rewrap');
    rewrapped += 1;
  }

  for (const purpose of await store.installationPurposes()) {
    await turn(await store.installationKey(purpose), wrappingContext(purpose), (from, to) => store.rewrapInstallation(purpose, from, to));
  }
  for (const scope of await store.scopes()) {
    await turn(await store.organisationKey(scope), wrappingContext(scope), (from, to) => store.rewrapOrganisation(scope, from, to));
  }
  return { rewrapped, alreadyCurrent };
}
