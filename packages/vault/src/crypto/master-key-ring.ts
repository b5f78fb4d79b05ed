import { createSecretKey, type KeyObject } from 'node:crypto';
import { isAppError } from '@holdfast/foundation/errors';
import { open, seal } from '@holdfast/foundation/secrets';
import { vaultError } from '../shared/errors.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * A key ring of master keys held in memory (from a file or the environment). `current` wraps; the
 * older ones still unwrap, so that a rotation can be stopped and taken up again.
 */
export function createMasterKeyRing(options: {
  readonly current: string;
  readonly keys: { readonly [keyId: string]: KeyObject };
}): KeyRing {
  const current = options.keys[options.current];
  if (!current) throw vaultError('vault.bad-input', 'The current master key is not in the ring.', { field: 'current' });
  return Object.freeze({
    currentKeyId: options.current,
    async wrap(key: KeyObject, context: string) {
      return { keyId: options.current, sealed: seal(current, key.export(), context).toString('base64url') };
    },
    async unwrap(wrapped: { readonly keyId: string; readonly sealed: string }, context: string) {
      const key = options.keys[wrapped.keyId];
      if (!key) throw vaultError('vault.wrong-key', `No master key "${wrapped.keyId}" in the ring.`, { keyId: wrapped.keyId });
      try {
        return createSecretKey(open(key, Buffer.from(wrapped.sealed, 'base64url'), context));
      } catch (cause) {
        if (!isAppError(cause, 'secrets.cannot-open')) throw cause;
        throw vaultError('vault.wrong-key', `Master key "${wrapped.keyId}" does not open this.`, { keyId: wrapped.keyId }, cause);
      }
    },
  });
}
