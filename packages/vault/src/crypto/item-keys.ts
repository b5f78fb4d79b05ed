import type { KeyObject } from 'node:crypto';

/** Keys of single items. Lies outside immutable storage, so that a key can really be destroyed. */
export interface ItemKeyStore {
  /** Durable when it resolves. */
  put(keyId: string, key: KeyObject): Promise<void>;
  /** `undefined` once it was destroyed. */
  get(keyId: string): Promise<KeyObject | undefined>;
  /** After it resolved nothing can open what this key sealed. Repeatable. */
  destroy(keyId: string): Promise<void>;
  list(): AsyncIterable<string>;
}
