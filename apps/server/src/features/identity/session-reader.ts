import type { AccountId, Actor, Audience, Membership, Restriction, SessionId } from '../../access/actor.ts';
import type { Credentials, SessionReader } from '../../http/ports.ts';
import { accountById, type Account } from './accounts.store.ts';
import type { IdentityParts } from './identity-parts.ts';
import { isSameSite } from './same-site.ts';
import { findToken, sessionsChannel, slideCookie, touchSession, type Session, type SessionToken } from './sessions.store.ts';
import { tokenHash } from './tokens.ts';

/** How long what was read may be believed; changes are announced and clear it at once. */
const BELIEVE_MS = 5_000;
const TOUCH_MS = 15_000;
const MAX_ENTRIES = 20_000;

interface Entry {
  readonly token: SessionToken;
  readonly session: Session;
  readonly account: Account;
  readonly memberships: readonly Membership[];
  readonly readAtMs: number;
  lastActiveMs: number;
  touchedMs: number;
}

/** What a valid credential stands for, for routes that need more than the actor (claims, the account). */
export interface LiveSession {
  readonly token: SessionToken;
  readonly session: Session;
  readonly account: Account;
}

export interface Sessions extends SessionReader {
  /** The session behind credentials, if they open anything here. */
  live(credentials: Credentials): Promise<LiveSession | undefined>;
  /** Forgets what is remembered of an account or session. */
  forget(id: string): void;
  close(): void;
}

/** The name of the cookie of a cookie sign-in, by audience. */
export function sessionCookie(audience: Audience): string {
  return `holdfast-session-${audience}`;
}

function restrictionOf(parts: IdentityParts, entry: Entry): Restriction | undefined {
  if (parts.options.requireConfirmedEmail && !entry.account.email_confirmed) return 'email-not-confirmed';
  if (parts.options.secondFactor === 'required' && entry.session.amr === 'pwd') return 'second-factor';
  return undefined;
}

function realmOf(audience: Audience): 'production' | 'staging' {
  return audience === 'staging' ? 'staging' : 'production';
}

/** Reads what a token stands for; nothing of it is older than this call. */
async function load(parts: IdentityParts, token: string): Promise<Entry | undefined> {
  const found = await parts.database.installation(async (tx) => {
    const pair = await findToken(tx, tokenHash(token));
    const account = pair && (await accountById(tx, pair.session.account_id));
    return pair && account && { ...pair, account };
  });
  if (!found || found.token.audience === 'portal') return undefined;
  const memberships = await parts.memberships.of(found.account.id, realmOf(found.token.audience));
  const lastActiveMs = found.session.last_active_at.getTime();
  return { ...found, memberships, readAtMs: parts.clock.nowMs(), lastActiveMs, touchedMs: lastActiveMs };
}

/** Reads sessions for every request: a cache of at most five seconds over three rows. */
export function createSessions(parts: IdentityParts): Sessions {
  const { database, clock, options } = parts;
  const entries = new Map<string, Entry>();

  function forget(id: string): void {
    for (const [key, entry] of entries) if (entry.session.id === id || entry.account.id === id) entries.delete(key);
  }

  const stopListening = database.listen(sessionsChannel, forget, () => entries.clear());

  async function entryOf(token: string): Promise<Entry | undefined> {
    const key = tokenHash(token).toString('base64');
    const known = entries.get(key);
    const age = known ? clock.nowMs() - known.readAtMs : Infinity;
    if (known && age >= 0 && age < BELIEVE_MS) return known;
    entries.delete(key);
    const loaded = await load(parts, token);
    if (!loaded) return undefined;
    if (known) loaded.touchedMs = Math.max(loaded.touchedMs, known.touchedMs);
    loaded.lastActiveMs = Math.max(loaded.lastActiveMs, known?.lastActiveMs ?? 0);
    if (entries.size >= MAX_ENTRIES) entries.clear();
    entries.set(key, loaded);
    return loaded;
  }

  function holds(entry: Entry, kind: 'access' | 'cookie', audience: Audience): boolean {
    const nowMs = clock.nowMs();
    const { token, session, account } = entry;
    const isInTime = nowMs < token.expires_at.getTime() && (options.absoluteLifetimeMs === undefined || nowMs < session.ends_at.getTime());
    const isIdle = options.idleTimeoutMs !== undefined && nowMs - entry.lastActiveMs >= options.idleTimeoutMs;
    const isOurs = token.kind === kind && token.audience === audience;
    return isOurs && isInTime && !isIdle && session.ended_at === null && account.disabled_at === null;
  }

  async function touch(entry: Entry): Promise<void> {
    const nowMs = clock.nowMs();
    entry.lastActiveMs = Math.max(entry.lastActiveMs, nowMs);
    if (nowMs - entry.touchedMs < TOUCH_MS) return;
    entry.touchedMs = nowMs;
    await database.installation(async (tx) => {
      await touchSession(tx, entry.session.id, new Date(nowMs));
      const slides = entry.token.kind === 'cookie' && options.absoluteLifetimeMs === undefined;
      if (slides) await slideCookie(tx, entry.session.id, entry.token.token_hash, new Date(nowMs + options.refreshLifetimeMs));
    });
  }

  async function fromCookie(credentials: Credentials): Promise<Entry | undefined> {
    if (!options.cookies || credentials.audience === 'legacy') return undefined;
    const value = credentials.cookies[sessionCookie(credentials.audience)];
    if (value === undefined || value === '') return undefined;
    if (options.profile === 'hardened' && !isSameSite(credentials, parts.publicUrl())) return undefined;
    const entry = await entryOf(value);
    return entry && holds(entry, 'cookie', credentials.audience) ? entry : undefined;
  }

  async function find(credentials: Credentials): Promise<Entry | undefined> {
    if (credentials.token === undefined) return fromCookie(credentials);
    const entry = await entryOf(credentials.token);
    return entry && holds(entry, 'access', credentials.audience) ? entry : undefined;
  }

  return Object.freeze<Sessions>({
    forget,
    close: () => stopListening(),
    live: find,
    async read(credentials) {
      const entry = await find(credentials);
      if (!entry) return undefined;
      if (!credentials.isBackgroundPoll) await touch(entry);
      const restriction = restrictionOf(parts, entry);
      const actor: Actor = {
        accountId: entry.account.id as AccountId,
        sessionId: entry.session.id as SessionId,
        email: entry.account.email,
        audience: credentials.audience,
        realm: realmOf(credentials.audience),
        memberships: entry.memberships,
        ...(restriction === undefined ? {} : { restriction }),
      };
      return actor;
    },
  });
}
