import type { Options } from '@node-rs/argon2';

/** What a thread that hashes is asked for. */
export type HashOrder =
  | { readonly kind: 'hash'; readonly secret: string; readonly settings: Options }
  | { readonly kind: 'raw'; readonly secret: string; readonly settings: Options }
  | { readonly kind: 'compare'; readonly stored: string; readonly secret: string };

/** A hash as text, a raw one, whether it is right, or why there is none. */
export type HashAnswer = { readonly result: string | Uint8Array | boolean } | { readonly problem: string };
