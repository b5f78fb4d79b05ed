import type { KeyObject } from 'node:crypto';

/** A key sealed by a master key. `keyId` says by which. */
export interface WrappedKey {
  readonly keyId: string;
  /** base64url */
  readonly sealed: string;
}

/**
 * The master keys: a file, the environment, or a service that never gives them out. Wraps and
 * unwraps organisation keys; `context` is bound to the result.
 */
export interface KeyRing {
  /** The id of the key that new wrappings use. */
  readonly currentKeyId: string;
  wrap(key: KeyObject, context: string): Promise<WrappedKey>;
  /** `vault.wrong-key` when this ring has no such key or it does not fit. */
  unwrap(wrapped: WrappedKey, context: string): Promise<KeyObject>;
}
