import { isAppError } from '@holdfast/foundation/errors';
import { open, seal } from '@holdfast/foundation/secrets';
import { vaultError } from '../shared/errors.ts';
import type { VaultKeys } from './vault-keys.ts';

/** Seals a small JSON object under its own name (FORMAT.md section 9): another name does not open it. */
export function sealObject(keys: VaultKeys, name: string, value: unknown): Buffer {
  return seal(keys.smallKey, Buffer.from(JSON.stringify(value)), `holdfast/1/small/${keys.vaultId}/${name}`);
}

/** The reverse of `sealObject`; `vault.damaged` names the object. */
export function openObject<Value>(keys: VaultKeys, name: string, data: Buffer): Value {
  try {
    return JSON.parse(open(keys.smallKey, data, `holdfast/1/small/${keys.vaultId}/${name}`).toString('utf8')) as Value;
  } catch (cause) {
    if (!isAppError(cause, 'secrets.cannot-open') && !(cause instanceof SyntaxError)) throw cause;
    throw vaultError('vault.damaged', `${name} is not what was written.`, { object: name }, cause);
  }
}
