const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const base64: Uint8Array = Buffer.from(`${SIGNS}+/`);
export const base64Url: Uint8Array = Buffer.from(`${SIGNS}-_`);

/** Writes the lowest 24 bits of `value` as four signs of `alphabet`, in place. */
export function putBase64(out: Uint8Array, at: number, value: number, alphabet: Uint8Array): void {
  out[at] = alphabet[(value >>> 18) & 63] ?? 0;
  out[at + 1] = alphabet[(value >>> 12) & 63] ?? 0;
  out[at + 2] = alphabet[(value >>> 6) & 63] ?? 0;
  out[at + 3] = alphabet[value & 63] ?? 0;
}
