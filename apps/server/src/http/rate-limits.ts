import { hash } from 'node:crypto';
import type { Database } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterAbstract, type RateLimiterRes } from 'rate-limiter-flexible';
import type { HttpApp } from './http-app.ts';

/** What one kind of call may be asked for, by whom and how often. */
interface Limit {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
  /** Whether the calls of a route are counted, by its path. Absent: of every route. */
  readonly counts?: (path: string) => boolean;
  readonly key: (request: FastifyRequest) => string | undefined;
}

const MINUTE = 60;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;

const SIGN_IN = /^\/(apollo|apollo-beta)\/(login|refresh|bootstrap)$|^\/api\/auth\/(signin|verify-code|reset-password\/:token)$/;
const MAIL =
  /^\/(apollo|apollo-beta)\/(register|resendConfirmationMail|resendConfirmationEmail|forgotPassword)$|^\/api\/auth\/(verify-user|forgot-password)$/;
const PASSWORD = /\/(login|signin)$/;

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

/** The caller's address. This machine itself (or a proxy on it that names nobody) has none. */
function address(request: FastifyRequest): string | undefined {
  return isLoopback(request.ip) ? undefined : request.ip;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

function hasCredential(request: FastifyRequest): boolean {
  const header = request.headers.authorization;
  return header !== undefined && header !== '';
}

function credential(request: FastifyRequest): string | undefined {
  return hasCredential(request) ? digest(request.headers.authorization ?? '') : undefined;
}

/** Kept in memory, for they count every request; a process more lets through that much more. */
const GENERAL: readonly Limit[] = [
  {
    name: 'address',
    points: 300,
    seconds: MINUTE,
    key: (request) => (hasCredential(request) ? undefined : address(request)),
  },
  { name: 'user', points: 600, seconds: MINUTE, key: credential },
];

/** Kept in PostgreSQL: shared by processes, surviving restarts. */
const PARTICULAR: readonly Limit[] = [
  { name: 'sign-in', points: 20, seconds: MINUTE, counts: (path) => SIGN_IN.test(path), key: address },
  { name: 'mail', points: 3, seconds: QUARTER, counts: (path) => MAIL.test(path), key: address },
  { name: 'export', points: 5, seconds: MINUTE, counts: (path) => path.endsWith('/export'), key: credential },
  {
    name: 'upload',
    points: 30,
    seconds: HOUR,
    key: (request) => (request.headers['content-type']?.startsWith('multipart/') === true ? credential(request) : undefined),
  },
  { name: 'search', points: 60, seconds: MINUTE, counts: (path) => path.endsWith('/search'), key: credential },
];

/** Counts guesses: a sign-in that succeeds takes the count back, so that nobody is kept out by signing in often. */
const BY_EMAIL: Limit = {
  name: 'email',
  points: 10,
  seconds: QUARTER,
  key(request) {
    const body = request.body as Record<string, unknown> | null | undefined;
    const email = body?.['email'] ?? body?.['Email'];
    return typeof email === 'string' ? digest(email.trim().toUpperCase()) : undefined;
  },
};

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
    const key = limit.key(request);
    if (key !== undefined) await consume(limiter, key);
  }
}

async function forgive([limit, limiter]: Entry, request: FastifyRequest): Promise<void> {
  const key = limit.key(request);
  if (key !== undefined) await limiter.delete(key);
}

/** What was there already, after what is added. */
function after<Added, Hook>(added: Added, there: Hook | Hook[] | undefined): (Added | Hook)[] {
  return [added, ...(there === undefined ? [] : Array.isArray(there) ? there : [there])];
}

/** Counts requests and answers 429 with `Retry-After` above the limits. Call before anything is mounted. */
export function limitRequests(app: HttpApp, database: Database): void {
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
  const general = GENERAL.map((limit): Entry => [
    limit,
    new RateLimiterMemory({ keyPrefix: limit.name, points: limit.points, duration: limit.seconds }),
  ]);
  const particular = PARTICULAR.map(stored);
  const byEmail = stored(BY_EMAIL);
  const everywhere = [...general, ...particular.filter(([limit]) => limit.counts === undefined)];
  app.server.addHook('onRequest', (request) => enforce(everywhere, request));
  // A route is asked once, when it is mounted, which limits are its own: most have none and pay for none.
  app.server.addHook('onRoute', (route) => {
    const own = particular.filter(([limit]) => limit.counts?.(route.url));
    if (own.length > 0) route.onRequest = after((request: FastifyRequest) => enforce(own, request), route.onRequest);
    if (!PASSWORD.test(route.url)) return;
    route.preHandler = after((request: FastifyRequest) => enforce([byEmail], request), route.preHandler);
    route.onSend = after(async (request: FastifyRequest, reply: FastifyReply) => {
      if (reply.statusCode < 300) await forgive(byEmail, request);
    }, route.onSend);
  });
}
