import { createSecretKey, type KeyObject } from 'node:crypto';
import { AppError } from '@holdfast/foundation/errors';
import { open, seal } from '@holdfast/foundation/secrets';

/** A key sealed by a master key; `masterKeyId` says by which. */
export interface Wrapped {
  readonly masterKeyId: string;
  readonly wrapped: Buffer;
}

export interface NamedKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** The master keys of this installation: the current one wraps, older ones still open. */
export interface MasterKeys {
  readonly currentId: string;
  wrap(key: KeyObject, context: string): Wrapped;
  /** `keys.master-key-missing` when the ring has no such key, `keys.master-key-wrong` when it does not fit. */
  unwrap(sealed: Wrapped, context: string): KeyObject;
}

/** A ring: the first key is the current one, the others belong to a rotation that is not finished. */
export function createMasterKeys(current: NamedKey, others: readonly NamedKey[] = []): MasterKeys {
  const ring = new Map([...others, current].map((named) => [named.id, named.key]));
  return Object.freeze({
    currentId: current.id,
    wrap(key: KeyObject, context: string) {
      return { masterKeyId: current.id, wrapped: seal(current.key, key.export(), context) };
    },
    unwrap(sealed: Wrapped, context: string) {
      const master = ring.get(sealed.masterKeyId);
      if (!master) throw new AppError('keys.master-key-missing', { details: { masterKeyId: sealed.masterKeyId } });
      try {
        return createSecretKey(open(master, sealed.wrapped, context));
      } catch (cause) {
        throw new AppError('keys.master-key-wrong', { details: { masterKeyId: sealed.masterKeyId }, cause });
      }
    },
  });
}
