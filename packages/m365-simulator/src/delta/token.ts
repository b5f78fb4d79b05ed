import { createCipheriv, createDecipheriv, hash } from 'node:crypto';

/** What a page or delta token says. Opaque outside: sealed with the key of the tenant, the same bytes for the same content. */
export interface TokenContent {
  /** What it is for, in short: resource, query and preferences. */
  readonly for: string;
  /** `all`: in the enumeration; `changes`: in the log. */
  readonly in: 'all' | 'changes';
  /** Position or place of the next entry. */
  readonly next: number;
  /** The place in the log at which this round ends; -1 in a deltaLink, whose round has not begun. */
  readonly until: number;
  /** The query that the token keeps, as it was in the first request. */
  readonly query: string;
  readonly madeMs: number;
  /** Counts up when all tokens of the tenant are made to expire. */
  readonly generation: number;
  /** Size of the enumeration when the round began, for a random order. */
  readonly size: number;
  /** The order in which this round shows positions: knobs may change between its pages. */
  readonly order: 'plain' | 'random' | 'backwards';
  /** An empty page has just been sent for this place. */
  readonly afterEmpty?: boolean;
}

const TAG_BYTES = 16;

/** Seals: AES-256-GCM with a nonce derived from the content, so that the same token has the same bytes. */
export function sealToken(key: Buffer, content: TokenContent): string {
  const plain = Buffer.from(JSON.stringify(content));
  const nonce = hash('sha256', Buffer.concat([key, plain]), 'buffer').subarray(0, 12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Opens what `sealToken` made; `undefined` for anything else. */
export function openToken(key: Buffer, token: string): TokenContent | undefined {
  const data = Buffer.from(token, 'base64url');
  if (data.byteLength <= 12 + TAG_BYTES) return undefined;
  try {
    const opener = createDecipheriv('aes-256-gcm', key, data.subarray(0, 12));
    opener.setAuthTag(data.subarray(12, 12 + TAG_BYTES));
    const plain = Buffer.concat([opener.update(data.subarray(12 + TAG_BYTES)), opener.final()]);
    return JSON.parse(plain.toString()) as TokenContent;
  } catch {
    return undefined;
  }
}
