import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { AppError } from './errors.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const REDACTED = '[secret]';

/** A value that prints as `[secret]` wherever it ends up; only `reveal()` gives it out. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return REDACTED;
  }
  toJSON(): string {
    return REDACTED;
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return REDACTED;
  }
}

/** A 32-byte AES key as a KeyObject: several times faster than a Buffer for small messages. */
export function aesKey(bytes: Uint8Array): KeyObject {
  if (bytes.byteLength !== 32) throw new AppError('secrets.bad-key', { message: 'A key has 32 bytes.' });
  return createSecretKey(Buffer.from(bytes));
}

/** A key derived from another for one purpose (HKDF-SHA-256). The same inputs give the same key. */
export function deriveKey(parent: KeyObject, purpose: string, salt: Uint8Array = new Uint8Array(0)): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', parent, salt, purpose, 32)));
}

/** AES-256-GCM with a random nonce: nonce ‖ ciphertext ‖ tag. `context` must be the same when opening. */
export function seal(key: KeyObject, plaintext: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** The reverse of `seal`; `secrets.cannot-open` when key, context or a single bit differs. */
export function open(key: KeyObject, sealed: Uint8Array, context: string): Buffer {
  if (sealed.byteLength < NONCE_BYTES + TAG_BYTES) throw new AppError('secrets.cannot-open');
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tagAt = sealed.byteLength - TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce);
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(tagAt));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, tagAt)), decipher.final()]);
  } catch (cause) {
    throw new AppError('secrets.cannot-open', { cause });
  }
}
