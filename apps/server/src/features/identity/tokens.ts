import { sha256 } from '@holdfast/foundation/bytes';
import type { Random } from '@holdfast/foundation/random';

export type TokenAudience = 'main' | 'staging' | 'legacy' | 'portal';
export type TokenKind = 'access' | 'refresh' | 'cookie' | 'download';

const AUDIENCE = { main: 'm', staging: 's', legacy: 'l', portal: 'p' } as const satisfies Record<TokenAudience, string>;
const KIND = { access: 'a', refresh: 'r', cookie: 'c', download: 'd' } as const satisfies Record<TokenKind, string>;

const TOKEN_BYTES = 32;

/**
 * An opaque token of 256 bits. The prefix is for people and secret scanners only: audience and kind
 * are looked up, never read from it.
 */
export function createToken(random: Random, audience: TokenAudience, kind: TokenKind): string {
  return `hf_${AUDIENCE[audience]}${KIND[kind]}_${random.bytes(TOKEN_BYTES).toString('base64url')}`;
}

/** A secret for a link, a challenge or a machine: 256 bits, base64url. */
export function createSecretText(random: Random): string {
  return random.bytes(TOKEN_BYTES).toString('base64url');
}

/** What the database holds instead of a token. */
export function tokenHash(token: string): Buffer {
  return sha256(token);
}

/** The same of a token for one address alone: at any other it is as unknown as one that was made up. */
export function tokenHashFor(token: string, address: string): Buffer {
  return sha256(`${token} ${address}`);
}
