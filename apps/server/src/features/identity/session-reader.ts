import { admit, type Admission } from '../../access/admission.ts';
import { createBatch, type Lookup } from '@holdfast/foundation/batch';
import type { AccountId, Actor, Audience, Restriction, SessionId } from '../../access/actor.ts';
import type { Credentials, SessionReader } from '../../http/ports.ts';
import { accountById, type Account } from './accounts.store.ts';
import type { IdentityParts } from './identity-parts.ts';
import { isSameSite } from './same-site.ts';
import { downloadCookie } from './cookies.ts';
import { openSessions, type OpenSession } from './open-sessions.store.ts';
import { findToken, sessionsChannel, slideCookie, takePass, touchSession, type Session, type SessionToken } from './sessions.store.ts';
import { tokenHash, tokenHashFor, type TokenKind } from './tokens.ts';

/** How often the last activity of a session is written down. */
const TOUCH_MS = 15_000;
const MAX_REMEMBERED = 20_000;
/** Requests that wait share the next look-up; the busier it is, the more of them. */
const BATCH = { concurrent: 1, maxKeys: 500 } as const;

/** What a valid credential stands for, for routes that need more than the actor (claims, the account). */
export interface LiveSession {
  readonly token: SessionToken;
  readonly session: Session;
  readonly account: Account;
}

export interface Sessions extends SessionReader {
  /** The session behind credentials, if they open anything here. */
  live(credentials: Credentials): Promise<LiveSession | undefined>;
  close(): void;
}

/** The name of the cookie of a cookie sign-in, by audience. */
export function sessionCookie(audience: Audience): string {
  return `holdfast-session-${audience}`;
}

function restrictionOf(parts: IdentityParts, found: OpenSession, { memberships, withheld }: Admission): Restriction | undefined {
  if (parts.options.requireConfirmedEmail && !found.isEmailConfirmed && !found.isVouched) return 'email-not-confirmed';
  if (parts.options.secondFactor === 'required' && found.amr === 'pwd') return 'second-factor';
  if (memberships.length === 0 && withheld.some(({ because }) => because === 'second-factor')) return 'second-factor';
  return undefined;
}

function isOpen({ closedTo, onlyFor }: OpenSession, organisationId: string): boolean {
  return !closedTo.includes(organisationId) && (onlyFor === null || onlyFor === organisationId);
}

function realmOf(audience: Audience): 'production' | 'staging' {
  return audience === 'staging' ? 'staging' : 'production';
}

interface Seen {
  activeMs: number;
  writtenMs: number;
}

/** When sessions were last used, as this process saw it: between two writes it knows better than the database. */
function createActivity(parts: IdentityParts) {
  const { database, clock, options } = parts;
  const seen = new Map<string, Seen>();

  function of(found: OpenSession): Seen {
    const known = seen.get(found.sessionId);
    if (known) {
      known.activeMs = Math.max(known.activeMs, found.lastActiveMs);
      known.writtenMs = Math.max(known.writtenMs, found.lastActiveMs);
      return known;
    }
    if (seen.size >= MAX_REMEMBERED) seen.clear();
    const first = { activeMs: found.lastActiveMs, writtenMs: found.lastActiveMs };
    seen.set(found.sessionId, first);
    return first;
  }

  return {
    isIdle: (found: OpenSession): boolean =>
      options.idleTimeoutMs !== undefined && clock.nowMs() - of(found).activeMs >= options.idleTimeoutMs,
    async touch(found: OpenSession, hash: Buffer): Promise<void> {
      const nowMs = clock.nowMs();
      const own = of(found);
      own.activeMs = Math.max(own.activeMs, nowMs);
      if (nowMs - own.writtenMs < TOUCH_MS) return;
      own.writtenMs = nowMs;
      await database.installation(async (tx) => {
        await touchSession(tx, found.sessionId, new Date(nowMs));
        const slides = found.kind === 'cookie' && options.absoluteLifetimeMs === undefined;
        if (slides) await slideCookie(tx, found.sessionId, hash, new Date(nowMs + options.refreshLifetimeMs));
      });
    },
  };
}

/** Tells who watches when something about their session or account has changed, in whatever process. */
function createWatch(parts: IdentityParts) {
  const watching = new Map<string, Set<() => void>>();
  const tell = (id: string): void => watching.get(id)?.forEach((onChange) => onChange());
  const stop = parts.database.listen(sessionsChannel, tell, () => [...watching.keys()].forEach(tell));

  function add(id: string, onChange: () => void): () => void {
    const others = watching.get(id) ?? new Set();
    watching.set(id, others.add(onChange));
    return () => {
      others.delete(onChange);
      if (others.size === 0) watching.delete(id);
    };
  }

  return {
    close: () => stop(),
    watch(actor: Actor, onChange: () => void): () => void {
      const ends = [actor.sessionId, actor.accountId].map((id) => add(id, onChange));
      return () => ends.forEach((end) => end());
    },
  };
}

interface Shown {
  readonly found: OpenSession;
  readonly hash: Buffer;
}

/**
 * Reads sessions for every request, each time from the database: a session that ended, an account that
 * was disabled, a role that changed act on the next request in every process. What makes it affordable
 * is that the requests of one turn of the event loop share one look-up.
 */
export function createSessions(parts: IdentityParts): Sessions {
  const { database, clock, options } = parts;
  const look: Lookup<string, OpenSession> = createBatch((hashes) => openSessions(database, hashes), BATCH);
  const activity = createActivity(parts);
  const standing = createWatch(parts);

  function holds(found: OpenSession, kind: TokenKind, audience: Audience): boolean {
    const nowMs = clock.nowMs();
    const isInTime = nowMs < found.expiresMs && (options.absoluteLifetimeMs === undefined || nowMs < found.endsMs);
    const isOurs = found.kind === kind && found.audience === audience;
    return isOurs && isInTime && !found.isEnded && !found.isDisabled && !activity.isIdle(found);
  }

  async function open(token: string, kind: 'access' | 'cookie', audience: Audience): Promise<Shown | undefined> {
    const hash = tokenHash(token);
    const found = await look(hash.toString('hex'));
    return found && holds(found, kind, audience) ? { found, hash } : undefined;
  }

  async function fromCookie(credentials: Credentials): Promise<Shown | undefined> {
    if (!options.cookies || credentials.audience === 'legacy') return undefined;
    const value = credentials.cookies[sessionCookie(credentials.audience)];
    if (value === undefined || value === '') return undefined;
    if (options.profile === 'hardened' && !isSameSite(credentials, parts.publicUrl())) return undefined;
    return open(value, 'cookie', credentials.audience);
  }

  /** A pass of a download: for its one address, from our own pages, and gone with its first use. */
  async function fromPass({ downloadAddress, cookies, fetchSite, audience }: Credentials): Promise<Shown | undefined> {
    const value = cookies[downloadCookie(parts.publicUrl().startsWith('https:'))];
    if (downloadAddress === undefined || value === undefined || (fetchSite ?? 'same-origin') !== 'same-origin') return undefined;
    const hash = tokenHashFor(value, downloadAddress);
    const found = await look(hash.toString('hex'));
    if (!found || !holds(found, 'download', audience)) return undefined;
    return (await database.installation((tx) => takePass(tx, hash))) ? { found, hash } : undefined;
  }

  async function find(credentials: Credentials): Promise<Shown | undefined> {
    if (credentials.token === undefined) return (await fromPass(credentials)) ?? (await fromCookie(credentials));
    return open(credentials.token, 'access', credentials.audience);
  }

  return Object.freeze<Sessions>({
    watch: (actor, onChange) => standing.watch(actor, onChange),
    close: () => standing.close(),
    async live(credentials) {
      const shown = await find(credentials);
      if (!shown) return undefined;
      return database.installation(async (tx) => {
        const pair = await findToken(tx, shown.hash);
        const account = pair && (await accountById(tx, pair.session.account_id));
        return pair && account && { ...pair, account };
      });
    },
    async read(credentials) {
      const shown = await find(credentials);
      if (!shown) return undefined;
      const { found, hash } = shown;
      const realm = realmOf(credentials.audience);
      const held = await parts.memberships.of(found.accountId, realm);
      const open = held.filter(({ organisationId }) => isOpen(found, organisationId));
      const isMultiFactor = found.amr === 'mfa';
      const admission = admit(open, { address: credentials.address, isMultiFactor });
      if (!credentials.isBackgroundPoll) await activity.touch(found, hash);
      const restriction = restrictionOf(parts, found, admission);
      return {
        accountId: found.accountId as AccountId,
        sessionId: found.sessionId as SessionId,
        email: found.email,
        isEmailConfirmed: found.isEmailConfirmed,
        audience: credentials.audience,
        realm,
        ...admission,
        isMultiFactor,
        ...(found.onlyFor === null ? {} : { isProvided: true }),
        ...(restriction === undefined ? {} : { restriction }),
      };
    },
  });
}
