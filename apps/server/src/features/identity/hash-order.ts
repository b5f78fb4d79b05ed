import type { Options } from '@node-rs/argon2';

/** What a thread that hashes is asked for. */
export type HashOrder =
  | { readonly kind: 'hash'; readonly secret: string; readonly settings: Options }
  | { readonly kind: 'raw'; readonly secret: string; readonly settings: Options }
  | { readonly kind: 'compare'; readonly stored: string; readonly secret: string };

/** A hash as text, a raw one, or whether it is right. */
export type HashResult = string | Uint8Array | boolean;
