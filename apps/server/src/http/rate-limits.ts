import { hash } from 'node:crypto';
import type { Database } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterAbstract, type RateLimiterRes } from 'rate-limiter-flexible';
import { actorOf } from './authentication.ts';
import { limitedAddress } from './caller-address.ts';
import type { HttpApp } from './http-app.ts';

/** What one kind of call may be asked for, by whom and how often. */
interface Limit {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
  /** Whether the calls of a route are counted. Absent: of every route. */
  readonly counts?: (path: string, method: string) => boolean;
  readonly key: (request: FastifyRequest) => Promise<string | undefined> | string | undefined;
}

/** Tells devices that people have signed in with before; with an address, for that address alone. */
export interface LimitedDevices {
  find(cookies: FastifyRequest['cookies'], email: string | undefined): Promise<string | undefined>;
}

const MINUTE = 60;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;

const SIGN_IN =
  /^\/(apollo|apollo-beta)\/(login|refresh|bootstrap|api\/invitations\/(look|account)|api\/(microsoft|passkey)-sign-in\/(start|complete))$|^\/api\/auth\/(signin|verify-code|passkey-options|verify-passkey|reset-password\/:token)$/;
const MAIL =
  /^\/(apollo|apollo-beta)\/(register|resendConfirmationMail|resendConfirmationEmail|forgotPassword)$|^\/api\/auth\/(verify-user|forgot-password)$/;
const PASSWORD = /\/(login|signin)$/;
const INVITE = /\/(members|members\/:userId\/invitation|admin\/user_create)$/;
/** Mails with a text of the sender's own, to addresses of their choice. */
const NOTICE = /\/holds\/:holdId\/notices$/;
const FOUND = /\/api\/organisations$/;
/** One part of a file that was announced before: a large import sends thousands. */
const PART = /\/archive\/imports\/files\/:fileId\/parts\/:part$/;

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Credentials that opened something, as digests: the newest ones, so that nobody fills the memory. */
const PROVEN_MOST = 20_000;
class Proven {
  readonly #digests = new Set<string>();

  add(request: FastifyRequest): void {
    const header = request.headers.authorization;
    if (header === undefined || header === '') return;
    const own = digest(header);
    this.#digests.delete(own);
    this.#digests.add(own);
    const [oldest] = this.#digests;
    if (this.#digests.size > PROVEN_MOST && oldest !== undefined) this.#digests.delete(oldest);
  }

  /** A credential counts for itself only once it has opened something: anybody can make up a header. */
  readonly credential = (request: FastifyRequest): string | undefined => {
    const header = request.headers.authorization;
    const own = header === undefined || header === '' ? undefined : digest(header);
    return own !== undefined && this.#digests.has(own) ? own : undefined;
  };
}

/** Kept in memory, for they count every request; a process more lets through that much more. */
function general({ credential }: Proven): readonly Limit[] {
  return [
    {
      name: 'address',
      points: 300,
      seconds: MINUTE,
      key: (request) => (credential(request) === undefined ? limitedAddress(request) : undefined),
    },
    { name: 'user', points: 600, seconds: MINUTE, key: credential },
  ];
}

/** Kept in PostgreSQL: shared by processes, surviving restarts. These count before anybody is known. */
const BY_ADDRESS: readonly Limit[] = [
  { name: 'mail', points: 3, seconds: QUARTER, counts: (path) => MAIL.test(path), key: limitedAddress },
];

function account(request: FastifyRequest): string | undefined {
  return actorOf(request)?.accountId;
}

/** These count what a person does, with whatever token, so they come after the token was checked. */
const BY_ACCOUNT: readonly Limit[] = [
  {
    name: 'export',
    points: 5,
    seconds: MINUTE,
    counts: (path, method) => path.endsWith('/export') || (method === 'POST' && path.endsWith('/exports')),
    key: account,
  },
  {
    name: 'upload',
    points: 30,
    seconds: HOUR,
    counts: (path) => !PART.test(path),
    key: (request) => (request.headers['content-type']?.startsWith('multipart/') === true ? account(request) : undefined),
  },
  { name: 'search', points: 60, seconds: MINUTE, counts: (path) => path.endsWith('/search'), key: account },
  { name: 'invite', points: 60, seconds: HOUR, counts: (path, method) => method === 'POST' && INVITE.test(path), key: account },
  { name: 'notice', points: 30, seconds: HOUR, counts: (path, method) => method === 'POST' && NOTICE.test(path), key: account },
  { name: 'found', points: 10, seconds: HOUR, counts: (path, method) => method === 'POST' && FOUND.test(path), key: account },
];

function emailIn(request: FastifyRequest): string | undefined {
  const body = request.body as Record<string, unknown> | null | undefined;
  const email = body?.['email'] ?? body?.['Email'];
  return typeof email === 'string' ? email.trim().toUpperCase() : undefined;
}

/** Whoever asks, nobody's mailbox is filled: of the mails that anybody or an inviter can cause, one address gets few. */
const MAIL_TO: Limit = {
  name: 'mail-to',
  points: 5,
  seconds: HOUR,
  key(request) {
    const email = emailIn(request);
    return email === undefined ? undefined : digest(email);
  },
};

/**
 * Counts sign-ins from one address, and guesses at an account from there, so that a stranger elsewhere uses up nobody's
 * attempts. A known device counts for itself: nobody on the same network uses up its attempts either. A sign-in that
 * succeeds takes the guesses back, so that nobody is kept out by signing in often.
 */
function signInLimits(devices: LimitedDevices): { readonly calls: Limit; readonly guesses: Limit } {
  const deviceOf = (request: FastifyRequest): Promise<string | undefined> => devices.find(request.cookies, emailIn(request));
  return {
    calls: {
      name: 'sign-in',
      points: 20,
      seconds: MINUTE,
      counts: (path) => SIGN_IN.test(path),
      async key(request) {
        const address = limitedAddress(request);
        return address === undefined ? undefined : ((await deviceOf(request)) ?? address);
      },
    },
    guesses: {
      name: 'email',
      points: 10,
      seconds: QUARTER,
      async key(request) {
        const email = emailIn(request);
        return email === undefined ? undefined : digest(`${email}\n${(await deviceOf(request)) ?? limitedAddress(request) ?? ''}`);
      },
    },
  };
}

function isRefusal(error: unknown): error is RateLimiterRes {
  return typeof error === 'object' && error !== null && 'msBeforeNext' in error;
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new AppError('request.rate-limited', { details: { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1_000)) } });
  }
}

type Entry = readonly [Limit, RateLimiterAbstract];

async function enforce(entries: readonly Entry[], request: FastifyRequest): Promise<void> {
  for (const [limit, limiter] of entries) {
    const key = await limit.key(request);
    if (key !== undefined) await consume(limiter, key);
  }
}

async function forgive([limit, limiter]: Entry, request: FastifyRequest): Promise<void> {
  const key = await limit.key(request);
  if (key !== undefined) await limiter.delete(key);
}

/** What was there already, after what is added. */
function after<Added, Hook>(added: Added, there: Hook | Hook[] | undefined): (Added | Hook)[] {
  return [added, ...(there === undefined ? [] : Array.isArray(there) ? there : [there])];
}

/** Counts requests and answers 429 with `Retry-After` above the limits. Call before anything is mounted. */
export function limitRequests(app: HttpApp, database: Database, devices: LimitedDevices): void {
  const client = {
    query: ({ text, values }: { text: string; values?: unknown[] }) => database.queueConnection.executeSql(text, values),
  };
  const stored = (limit: Limit): Entry => [
    limit,
    new RateLimiterPostgres({
      storeClient: client,
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.seconds,
      clearExpiredByTimeout: false,
    }),
  ];
  const proven = new Proven();
  const everywhere = general(proven).map((limit): Entry => [
    limit,
    new RateLimiterMemory({ keyPrefix: limit.name, points: limit.points, duration: limit.seconds }),
  ]);
  const byAddress = BY_ADDRESS.map(stored);
  const byAccount = BY_ACCOUNT.map(stored);
  const mailTo = stored(MAIL_TO);
  const limits = signInLimits(devices);
  const [calls, guesses] = [stored(limits.calls), stored(limits.guesses)];
  app.server.addHook('onRequest', (request) => enforce(everywhere, request));
  // A route is asked once, when it is mounted, which limits are its own: most have none and pay for none.
  app.server.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    const isOwn = ([limit]: Entry): boolean => limit.counts === undefined || methods.some((method) => limit.counts?.(route.url, method));
    const isPassword = PASSWORD.test(route.url);
    // A device is known for an address, and a password's is in the body.
    const before = [...byAddress, ...(isPassword ? [] : [calls])].filter(isOwn);
    const behind = byAccount.filter(isOwn);
    const checked = async (request: FastifyRequest): Promise<void> => {
      if (actorOf(request) !== undefined) proven.add(request);
      await enforce(behind, request);
    };
    const first = (request: FastifyRequest): Promise<void> => enforce(before, request);
    route.onRequest = [...(before.length > 0 ? after(first, route.onRequest) : [route.onRequest ?? []].flat()), checked];
    if (MAIL.test(route.url) || (methods.includes('POST') && INVITE.test(route.url))) {
      route.preHandler = after((request: FastifyRequest) => enforce([mailTo], request), route.preHandler);
    }
    if (!isPassword) return;
    route.preHandler = after((request: FastifyRequest) => enforce([calls, guesses], request), route.preHandler);
    route.onSend = after(async (request: FastifyRequest, reply: FastifyReply) => {
      if (reply.statusCode < 300) await forgive(guesses, request);
    }, route.onSend);
  });
}
