import type { Database, Lookup } from '@holdfast/database';
import type { TokenAudience, TokenKind } from './tokens.ts';

/** What a request must know of the session behind its token, and nothing more. Times are milliseconds. */
export interface OpenSession {
  readonly hash: string;
  readonly audience: TokenAudience;
  readonly kind: TokenKind;
  readonly expiresMs: number;
  readonly sessionId: string;
  readonly amr: 'pwd' | 'mfa';
  readonly lastActiveMs: number;
  readonly endsMs: number;
  readonly isEnded: boolean;
  readonly accountId: string;
  readonly email: string;
  readonly isEmailConfirmed: boolean;
  /** An organisation vouches for the person in place of a confirmed address. */
  readonly isVouched: boolean;
  /** Organisations that have ended this session for themselves. */
  readonly closedTo: readonly string[];
  readonly isDisabled: boolean;
  /** The one organisation that the session opens; null where it opens all. */
  readonly onlyFor: string | null;
}

const OPEN_SESSIONS: Lookup = {
  name: 'open-sessions',
  over: 'installation',
  text: `
    select encode(token.token_hash, 'hex') as hash, token.audience, token.kind,
      (extract(epoch from token.expires_at) * 1000)::float8 as "expiresMs",
      session.id as "sessionId", session.amr,
      (extract(epoch from session.last_active_at) * 1000)::float8 as "lastActiveMs",
      (extract(epoch from session.ends_at) * 1000)::float8 as "endsMs",
      session.ended_at is not null as "isEnded",
      account.id as "accountId", account.email, account.email_confirmed as "isEmailConfirmed",
      account.vouched_at is not null as "isVouched", session.closed_to::text[] as "closedTo",
      account.disabled_at is not null as "isDisabled", session.only_for as "onlyFor"
    from session_tokens token
    join sessions session on session.id = token.session_id
    join accounts account on account.id = session.account_id
    where token.token_hash = any($1::bytea[])`,
};

/** The sessions behind tokens, by the hash of the token in hexadecimal; ended ones too. */
export async function openSessions(database: Database, hashes: readonly string[]): Promise<ReadonlyMap<string, OpenSession>> {
  const found = await database.lookUp<OpenSession>(OPEN_SESSIONS, [hashes.map((hash) => `\\x${hash}`)]);
  return new Map(found.map((session) => [session.hash, session]));
}
