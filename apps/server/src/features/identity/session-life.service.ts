import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Actor } from '../../access/actor.ts';
import { accountById, chosenBy, type Account, type AnyTx } from './accounts.store.ts';
import { homeOf, type Caller, type IdentityParts } from './identity-parts.ts';
import { issueToken, issueTokens, sessionEnd, type IssuedSession, type IssuedToken } from './session.service.ts';
import {
  endSession,
  endSessions,
  extendSession,
  findToken,
  liveSessions,
  markReplaced,
  removeLapsedPasses,
  removeOldSessions,
  touchSession,
  type Session,
  type TokenWithSession,
} from './sessions.store.ts';
import { tokenHash } from './tokens.ts';

/** A token replaced less than this ago is answered again: tabs ask at the same time, answers get lost. */
const GRACE_MS = 10_000;
/** A pass is used by the click that asked for it. */
const PASS_MS = 60_000;
const KEEP_MS = 30 * 86_400_000;

export interface RefreshRequest {
  readonly token: string;
  readonly audience: 'main' | 'staging' | 'portal';
  /** Nobody touched the client since the last renewal. */
  readonly isBackground: boolean;
}

export interface Renewed {
  readonly session: IssuedSession;
  readonly endsAt: Date;
}

/** Renewing, listing and ending sessions. */
export interface SessionLifeService {
  /** New tokens, or undefined: unknown, expired, stamp changed, ended, used before. */
  refresh(request: RefreshRequest, caller: Caller): Promise<Renewed | undefined>;
  /** Ends the session behind a legacy token; false when there never was one. */
  logout(token: string | undefined, caller: Caller): Promise<boolean>;
  list(actor: Actor): Promise<Session[]>;
  end(actor: Actor, sessionId: string, caller: Caller): Promise<void>;
  endOthers(actor: Actor, withCurrent: boolean, caller: Caller): Promise<void>;
  /** What a browser may fetch one address with, once and within a minute, without the token of the session. */
  passFor(actor: Actor, address: string): Promise<IssuedToken>;
  /** The role of an account in the organisation it chose last. */
  roleOf(accountId: string): Promise<{ organisationId: string; role: Actor['memberships'][number]['role'] } | undefined>;
  /** Removes what has been over for a month. */
  tidy(): Promise<void>;
}

type Reason = 'reuse' | 'refused';

/** Renewing a session, and what it means when a token comes twice. */
function createRenewal(parts: IdentityParts) {
  const { database, options } = parts;

  function isOver({ token, session }: TokenWithSession): boolean {
    const nowMs = parts.clock.nowMs();
    const isIdle = options.idleTimeoutMs !== undefined && nowMs - session.last_active_at.getTime() >= options.idleTimeoutMs;
    return nowMs >= token.expires_at.getTime() || session.ended_at !== null || isIdle;
  }

  function judge(found: TokenWithSession, account: Account | undefined, request: RefreshRequest): 'renew' | Reason {
    const { token } = found;
    if (token.kind !== 'refresh' || token.audience !== request.audience || isOver(found)) return 'refused';
    if (!account || account.disabled_at !== null || account.security_stamp !== token.security_stamp) return 'refused';
    const isUsed = token.replaced_at !== null && parts.clock.nowMs() - token.replaced_at.getTime() >= GRACE_MS;
    return isUsed ? 'reuse' : 'renew';
  }

  async function renew(tx: AnyTx, found: TokenWithSession, account: Account, isBackground: boolean): Promise<Renewed> {
    const at = now(parts.clock);
    if (options.refreshRotation === 'singleUse' && found.token.replaced_at === null) await markReplaced(tx, found.token.token_hash, at);
    if (!isBackground) await touchSession(tx, found.session.id, at);
    const endsAt = options.absoluteLifetimeMs === undefined ? sessionEnd(parts) : found.session.ends_at;
    if (endsAt !== found.session.ends_at) await extendSession(tx, found.session.id, endsAt);
    return { session: await issueTokens(parts, tx, account, { ...found.session, ends_at: endsAt }), endsAt };
  }

  async function refresh(request: RefreshRequest, caller: Caller): Promise<Renewed | undefined> {
    const result = await database.installation(async (tx) => {
      const found = await findToken(tx, tokenHash(request.token), true);
      const account = found && (await accountById(tx, found.session.account_id));
      if (!found || !account) return undefined;
      const verdict = judge(found, account, request);
      if (verdict === 'renew') return renew(tx, found, account, request.isBackground);
      return verdict === 'reuse' ? { reused: found.session, account } : undefined;
    });
    if (!result || !('reused' in result)) return result;
    await database.within(await homeOf(parts, result.account.id), async (tx) => {
      await endSession(tx, result.reused.id, now(parts.clock), 'a refresh token was used twice');
      await parts.audit.record(tx, {
        event: 'identity.refresh-reused',
        outcome: 'denied',
        actor: { kind: 'account', id: result.account.id, name: result.account.email, address: caller.address, requestId: caller.requestId },
        subject: { kind: 'session', id: result.reused.id, name: result.account.email },
      });
    });
    return undefined;
  }

  return { refresh };
}

/** Ending sessions. */
function createEndings(parts: IdentityParts) {
  const { database } = parts;

  function actorOf(
    account: { id: string; email: string },
    caller: Caller,
  ): { kind: 'account'; id: string; name: string; address: string; requestId: string } {
    return { kind: 'account', id: account.id, name: account.email, address: caller.address, requestId: caller.requestId };
  }

  async function logout(token: string | undefined, caller: Caller): Promise<boolean> {
    if (token === undefined) return false;
    const found = await database.installation(async (tx) => {
      const pair = await findToken(tx, tokenHash(token));
      const account = pair && (await accountById(tx, pair.session.account_id));
      return pair && account && pair.token.audience === 'legacy' && pair.token.kind === 'access' ? { ...pair, account } : undefined;
    });
    if (!found) return false;
    await database.within(await homeOf(parts, found.account.id), async (tx) => {
      if (!(await endSession(tx, found.session.id, now(parts.clock), 'signed out'))) return;
      await parts.audit.record(tx, {
        event: 'identity.signed-out',
        actor: actorOf(found.account, caller),
        subject: { kind: 'session', id: found.session.id, name: found.account.email },
      });
    });
    return true;
  }

  async function end(actor: Actor, sessionId: string, caller: Caller): Promise<void> {
    await database.within(await homeOf(parts, actor.accountId), async (tx) => {
      const own = await liveSessions(tx, actor.accountId, now(parts.clock));
      if (!own.some((session) => session.id === sessionId)) throw new AppError('not-found');
      await endSession(tx, sessionId, now(parts.clock), 'ended by its owner');
      await parts.audit.record(tx, {
        event: 'identity.session-ended',
        actor: actorOf({ id: actor.accountId, email: actor.email }, caller),
        subject: { kind: 'session', id: sessionId, name: actor.email },
      });
    });
  }

  async function endOthers(actor: Actor, withCurrent: boolean, caller: Caller): Promise<void> {
    await database.within(await homeOf(parts, actor.accountId), async (tx) => {
      const ended = await endSessions(tx, {
        accountId: actor.accountId,
        at: now(parts.clock),
        why: 'ended by their owner',
        ...(withCurrent ? {} : { except: actor.sessionId }),
      });
      await parts.audit.record(tx, {
        event: 'identity.sessions-ended',
        actor: actorOf({ id: actor.accountId, email: actor.email }, caller),
        details: { ended, withCurrent },
      });
    });
  }

  return { logout, end, endOthers };
}

/** What a download goes with. The browser streams it to the disk, which it does for links alone, and those carry no header. */
function createPasses(parts: IdentityParts): Pick<SessionLifeService, 'passFor'> {
  return {
    passFor: ({ accountId, sessionId, audience }, address) =>
      parts.database.installation(async (tx) => {
        const at = now(parts.clock);
        const account = await accountById(tx, accountId);
        const session = account && (await liveSessions(tx, accountId, at)).find(({ id }) => id === sessionId);
        if (!session) throw new AppError('unauthorized');
        await removeLapsedPasses(tx, sessionId, at);
        const holder = { account, sessionId, amr: session.amr };
        const expiresAt = new Date(at.getTime() + PASS_MS);
        return issueToken(parts, tx, holder, { audience, kind: 'download', expiresAt, onlyAt: address });
      }),
  };
}

/** Looking at sessions. */
function createReading(parts: IdentityParts): Pick<SessionLifeService, 'list' | 'roleOf' | 'tidy'> {
  const { database, options } = parts;
  return {
    list: async (actor) => {
      const live = await database.installation((tx) => liveSessions(tx, actor.accountId, now(parts.clock)));
      const isIdle = (session: Session): boolean =>
        options.idleTimeoutMs !== undefined && parts.clock.nowMs() - session.last_active_at.getTime() >= options.idleTimeoutMs;
      return live.filter((session) => !isIdle(session)).reverse();
    },
    async roleOf(accountId) {
      const memberships = await parts.memberships.of(accountId, 'production');
      const chosen = await database.installation((tx) => chosenBy(tx, accountId, 'production'));
      const membership = memberships.find((candidate) => candidate.organisationId === chosen?.organisationId) ?? memberships[0];
      return membership && { organisationId: membership.organisationId, role: membership.role };
    },
    tidy: () => database.installation((tx) => removeOldSessions(tx, new Date(parts.clock.nowMs() - KEEP_MS))),
  };
}

export function createSessionLifeService(parts: IdentityParts): SessionLifeService {
  return Object.freeze<SessionLifeService>({
    ...createRenewal(parts),
    ...createEndings(parts),
    ...createPasses(parts),
    ...createReading(parts),
  });
}
