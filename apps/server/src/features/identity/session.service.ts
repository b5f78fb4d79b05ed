import { now } from '@holdfast/foundation/clock';
import { addSession, addTokens, endSession, liveSessions, type Session } from './sessions.store.ts';
import type { Account, AnyTx } from './accounts.store.ts';
import { later, type Caller, type IdentityParts } from './identity-parts.ts';
import { createToken, tokenHash, tokenHashFor, type TokenAudience, type TokenKind } from './tokens.ts';

export type Amr = 'pwd' | 'mfa';
type AccessAudience = 'main' | 'staging' | 'legacy';

/** How a session is held: bearer tokens, one cookie, or the portal's three tokens and refresh cookie. */
export interface SessionWish {
  readonly kind: 'bearer' | 'cookie' | 'portal';
  readonly audiences: readonly AccessAudience[];
  readonly amr: Amr;
  readonly persistent: boolean;
  readonly caller: Caller;
  /** What it was begun with, where that says more than `amr`. */
  readonly by?: 'passkey';
  /** The organisation that the session opens, where its provider vouched for the person. */
  readonly onlyFor?: string;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresIn: number;
}

/** The secrets of a new session. They are shown once; the database holds their hashes. */
export interface IssuedSession {
  readonly sessionId: string;
  readonly access: Partial<Record<AccessAudience, IssuedToken>>;
  readonly refresh?: IssuedToken;
  readonly cookie?: IssuedToken;
}

/** A session with whose it is, and the audiences that were asked for. */
export interface PortalSession {
  readonly account: Account;
  readonly session: IssuedSession;
  readonly audiences: readonly AccessAudience[];
}

interface TokenWish {
  readonly audience: TokenAudience;
  readonly kind: TokenKind;
  readonly expiresAt: Date;
  /** The one address at which it opens anything. */
  readonly onlyAt?: string;
}

export async function issueToken(
  parts: IdentityParts,
  tx: AnyTx,
  holder: { readonly account: Account; readonly sessionId: string; readonly amr: Amr },
  wish: TokenWish,
): Promise<IssuedToken> {
  const token = createToken(parts.random, wish.audience, wish.kind);
  const nowMs = parts.clock.nowMs();
  await addTokens(tx, [
    {
      token_hash: wish.onlyAt === undefined ? tokenHash(token) : tokenHashFor(token, wish.onlyAt),
      session_id: holder.sessionId,
      audience: wish.audience,
      kind: wish.kind,
      security_stamp: holder.account.security_stamp,
      user_name: holder.account.user_name,
      email: holder.account.email,
      amr: holder.amr,
      created_at: new Date(nowMs),
      expires_at: wish.expiresAt,
      replaced_at: null,
    },
  ]);
  return { token, expiresIn: Math.round((wish.expiresAt.getTime() - nowMs) / 1_000) };
}

/** The access tokens of a session, and the refresh token or cookie that goes with its kind. */
export async function issueTokens(
  parts: IdentityParts,
  tx: AnyTx,
  account: Account,
  session: Pick<Session, 'id' | 'kind' | 'audiences' | 'amr' | 'ends_at'>,
): Promise<IssuedSession> {
  const holder = { account, sessionId: session.id, amr: session.amr };
  const ends = session.ends_at;
  if (session.kind === 'cookie') {
    const audience = session.audiences[0] ?? 'main';
    return {
      sessionId: session.id,
      access: {},
      cookie: await issueToken(parts, tx, holder, { audience, kind: 'cookie', expiresAt: ends }),
    };
  }
  const access: Partial<Record<AccessAudience, IssuedToken>> = {};
  const isLegacyAlone = session.audiences.length === 1 && session.audiences[0] === 'legacy';
  const soon = later(parts, parts.options.accessLifetimeMs);
  const expiresAt = isLegacyAlone || (soon > ends && parts.options.absoluteLifetimeMs !== undefined) ? ends : soon;
  for (const audience of session.audiences) access[audience] = await issueToken(parts, tx, holder, { audience, kind: 'access', expiresAt });
  if (isLegacyAlone) return { sessionId: session.id, access };
  const audience = session.kind === 'portal' ? 'portal' : (session.audiences[0] ?? 'main');
  return { sessionId: session.id, access, refresh: await issueToken(parts, tx, holder, { audience, kind: 'refresh', expiresAt: ends }) };
}

/** When a session ends whatever happens; in `conformance` each refresh moves it on. */
export function sessionEnd(parts: IdentityParts): Date {
  return later(parts, parts.options.absoluteLifetimeMs ?? parts.options.refreshLifetimeMs);
}

/** The oldest idle sessions make room, so that an account never has more than it may. */
async function makeRoom(parts: IdentityParts, tx: AnyTx, accountId: string): Promise<void> {
  const limit = parts.options.sessionsPerAccount;
  if (limit === undefined) return;
  const live = await liveSessions(tx, accountId, now(parts.clock));
  for (const session of live.slice(0, Math.max(0, live.length - limit + 1))) {
    await endSession(tx, session.id, now(parts.clock), 'too many sessions');
  }
}

/** Begins a session for an account that has proved who it is. */
export async function beginSession(parts: IdentityParts, tx: AnyTx, account: Account, wish: SessionWish): Promise<IssuedSession> {
  await makeRoom(parts, tx, account.id);
  const session = {
    id: parts.ids.uuid(),
    account_id: account.id,
    kind: wish.kind,
    audiences: [...wish.audiences],
    amr: wish.amr,
    persistent: wish.persistent,
    address: wish.caller.address,
    user_agent: wish.caller.userAgent.slice(0, 300),
    created_at: now(parts.clock),
    last_active_at: now(parts.clock),
    ends_at: sessionEnd(parts),
    ended_at: null,
    ended_why: null,
    only_for: wish.onlyFor ?? null,
  };
  await addSession(tx, session);
  return issueTokens(parts, tx, account, session);
}
