import type { Realm } from '@holdfast/database';

/** Mounts something for production and for staging, which rehearses over data of its own. */
export function inEachRealm(mountOne: (realm: Realm) => void): void {
  for (const realm of ['production', 'staging'] as const) mountOne(realm);
}
