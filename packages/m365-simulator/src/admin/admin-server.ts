import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, errorText } from '@holdfast/foundation/errors';
import { Failure } from '../http/failure.ts';
import { type JsonObject, type JsonValue, textOf } from '../values/json.ts';
import { addApp, type AppCredentials } from '../login/add-app.ts';
import type { LimitSettings } from '../limits/limiter.ts';
import { recipeNamed, resized } from '../recipes/recipes.ts';
import type { Listener } from '../server/listen.ts';
import { readBody } from '../calls/read-body.ts';
import type { Simulation } from '../server/simulation.ts';
import { createTenant } from '../state/create-tenant.ts';
import type { Journaling } from '../journaling/create-journaling.ts';
import { type Control, objectOf } from './control.ts';

/** What the admin address can do, and the access of tenants that it makes. */
export interface AdminParts {
  readonly simulation: Simulation;
  readonly control: Control;
  readonly journaling: Journaling;
  readonly enrol: (tenant: ReturnType<typeof createTenant>) => AppCredentials;
}

interface Call {
  readonly parts: AdminParts;
  readonly words: readonly string[];
  readonly query: URLSearchParams;
  readonly body: () => Promise<JsonObject>;
}

type Answer = JsonValue | AsyncIterable<string> | undefined;
type Handler = (call: Call) => unknown;

/** How often people of a journaled tenant write to each other, where nobody says. */
const EVERY_MS = 10_000;
const BODY_BYTES = 64 * 1024 * 1024;

function numberOf(text: string | null): number | undefined {
  return text === null ? undefined : Number(text);
}

async function* truthLines(call: Call): AsyncGenerator<string> {
  const [, tenantId = '', , kind = '', owner = ''] = call.words;
  for await (const record of call.parts.control.truth(tenantId, kind, owner, numberOf(call.query.get('at'))))
    yield `${JSON.stringify(record)}\n`;
}

async function makeTenant({ parts, body }: Call): Promise<Answer> {
  const { recipe, seed, users, messagesPerUser } = await body();
  const size = { ...(typeof users === 'number' ? { users } : {}), ...(typeof messagesPerUser === 'number' ? { messagesPerUser } : {}) };
  const tenant = createTenant({
    recipe: resized(recipeNamed(textOf(recipe)), size),
    seed: typeof seed === 'number' ? seed : 1,
    clock: parts.simulation.clock,
  });
  parts.simulation.tenants.set(tenant.tenantId, tenant);
  return { tenantId: tenant.tenantId, ...parts.enrol(tenant) };
}

async function changeRoles({ parts, words, body }: Call): Promise<Answer> {
  const { grant, withdraw, appId } = await body();
  const list = (value: JsonValue | undefined): string[] => (Array.isArray(value) ? value.map((role: JsonValue) => textOf(role)) : []);
  const app = typeof appId === 'string' ? appId : undefined;
  parts.control.grant(words[1] ?? '', list(grant), app);
  parts.control.withdraw(words[1] ?? '', list(withdraw), app);
  return {};
}

async function makeApp({ parts, words, body }: Call): Promise<Answer> {
  const { name, roles, certificates } = await body();
  const list = (value: JsonValue | undefined): string[] => (Array.isArray(value) ? value.map((entry: JsonValue) => textOf(entry)) : []);
  return {
    ...addApp(parts.control.tenant(words[1] ?? ''), textOf(name, 'app'), { roles: list(roles), certificates: list(certificates) }),
  };
}

async function change({ parts, words, body }: Call): Promise<Answer> {
  const input = await body();
  const tenantId = words[1] ?? '';
  if (typeof input['day'] === 'number') return { done: { ...parts.control.playDay(tenantId, input['day']) } };
  const list = Array.isArray(input['changes']) ? input['changes'] : [input];
  return { done: list.map((entry: JsonValue) => parts.control.change(tenantId, objectOf(entry))) };
}

/** The journal rule of a tenant, as somebody sets it up in the Exchange admin center; without an address there is none. */
async function putJournal({ parts, words, body }: Call): Promise<Answer> {
  const { to, host, port, everyMs } = await body();
  const tenant = parts.control.tenant(words[1] ?? '');
  if (typeof to !== 'string') parts.journaling.setRule(tenant, undefined);
  else if (typeof port !== 'number') throw new AppError('simulator.bad-request', { message: 'port is a number' });
  else {
    const rule = { to, host: textOf(host, '127.0.0.1'), port, everyMs: typeof everyMs === 'number' ? everyMs : EVERY_MS };
    parts.journaling.setRule(tenant, rule);
  }
  return {};
}

async function putClock({ parts, body }: Call): Promise<Answer> {
  const { advanceMs, nowMs } = await body();
  if (typeof nowMs === 'number') parts.simulation.clock.setNow(nowMs);
  if (typeof advanceMs === 'number') parts.simulation.clock.advance(advanceMs);
  return { nowMs: parts.simulation.clock.nowMs() };
}

function listRequests({ parts, query }: Call): Answer {
  const filter = {
    method: query.get('method') ?? undefined,
    template: query.get('template') ?? undefined,
    path: query.get('path') ?? undefined,
    status: numberOf(query.get('status')),
    after: numberOf(query.get('after')),
  };
  const list = parts.simulation.log.list(filter);
  return {
    total: parts.simulation.log.total,
    counts: Object.fromEntries(parts.simulation.log.counts),
    requests: list.map((request) => ({ ...request })),
  };
}

function outbox({ parts, query }: Call, isClearing: boolean): Answer {
  const wanted = query.get('tenant');
  const tenants = [...parts.simulation.tenants.values()].filter((tenant) => wanted === null || tenant.tenantId === wanted);
  const sent = tenants.flatMap((tenant) => tenant.outbox.list().map((entry) => ({ tenantId: tenant.tenantId, ...entry })));
  if (isClearing) for (const tenant of tenants) tenant.outbox.clear();
  return { sent };
}

function readLimits({ mode, factor, concurrency, ...rest }: JsonObject): Partial<LimitSettings> {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new AppError('simulator.bad-request', { message: `limits.${unknown} is not known` });
  if (mode !== undefined && mode !== 'real' && mode !== 'off')
    throw new AppError('simulator.bad-request', { message: 'limits.mode is real or off' });
  for (const [name, value] of Object.entries({ factor, concurrency })) {
    if (value !== undefined && typeof value !== 'number')
      throw new AppError('simulator.bad-request', { message: `limits.${name} is a number` });
  }
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(typeof factor === 'number' ? { factor } : {}),
    ...(typeof concurrency === 'number' ? { concurrency } : {}),
  };
}

/** `METHOD words`, a star for any word. */
const handlers: readonly (readonly [string, Handler])[] = [
  [
    'GET health',
    ({ parts }) => ({ status: 'ready', nowMs: parts.simulation.clock.nowMs(), tenants: [...parts.simulation.tenants.keys()] }),
  ],
  ['GET violations', ({ parts }) => parts.control.violations()],
  ['GET requests', listRequests],
  ['DELETE requests', ({ parts }) => parts.simulation.log.clear()],
  ['POST tenants', makeTenant],
  ['POST tenants/*/roles', changeRoles],
  ['POST tenants/*/apps', makeApp],
  [
    'POST tenants/*/refresh-tokens',
    async ({ parts, words, body }) => {
      const { refreshTokens } = await body();
      parts.control.changeApp(words[1] ?? '', {
        refreshTokens: Array.isArray(refreshTokens) ? refreshTokens.map((token: JsonValue) => textOf(token)) : [],
      });
      return {};
    },
  ],
  [
    'POST tenants/*/expire',
    async ({ parts, words, body }) => {
      const { what } = await body();
      if (what === 'access') parts.control.revokeTokens(words[1] ?? '');
      else parts.control.expireDeltaTokens(words[1] ?? '');
      return {};
    },
  ],
  ['POST tenants/*/changes', change],
  ['PUT tenants/*/journal', putJournal],
  ['GET tenants/*/truth', ({ parts }) => ({ kinds: parts.control.truthKinds })],
  ['GET tenants/*/truth/*', ({ parts, words }) => ({ owners: parts.control.owners(words[1] ?? '', words[3] ?? '') })],
  ['GET tenants/*/truth/*/*', truthLines],
  ['GET faults', ({ parts }) => ({ fired: parts.simulation.faults.log.map((fired) => ({ ...fired })) })],
  [
    'PUT faults',
    async ({ parts, body }) => {
      const { rules } = await body();
      parts.control.setFaults(Array.isArray(rules) ? rules : []);
      return {};
    },
  ],
  [
    'PUT limits',
    async ({ parts, body }) => {
      parts.simulation.limiter.set(readLimits(await body()));
      return { ...parts.simulation.limiter.settings };
    },
  ],
  ['DELETE limits', ({ parts }) => parts.simulation.limiter.reset()],
  ['PUT clock', putClock],
  [
    'PUT switches',
    async ({ parts, body }) => {
      const { tenant, ...switches } = await body();
      parts.control.setSwitches(switches, typeof tenant === 'string' ? tenant : undefined);
      return {};
    },
  ],
  ['GET outbox', (call) => outbox(call, false)],
  ['DELETE outbox', (call) => outbox(call, true)],
  ['POST snapshot', ({ parts }) => ({ id: parts.control.snapshot() })],
  ['POST restore/*', ({ parts, words }) => parts.control.restore(words[1] ?? '')],
];

function findHandler(method: string, words: readonly string[]): Handler | undefined {
  const found = handlers.find(([pattern]) => {
    const [wantedMethod = '', path = ''] = pattern.split(' ');
    const wanted = path.split('/');
    return (
      wantedMethod === method && wanted.length === words.length && wanted.every((word, index) => word === '*' || word === words[index])
    );
  });
  return found?.[1];
}

function sendJson(response: ServerResponse, status: number, value: JsonValue): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(value));
}

function isStream(value: Answer): value is AsyncIterable<string> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function serve(parts: AdminParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://admin');
  const words = url.pathname
    .replace(/^\/_simulator\//u, '')
    .split('/')
    .map((word) => decodeURIComponent(word));
  const handler = url.pathname.startsWith('/_simulator/') ? findHandler(request.method ?? 'GET', words) : undefined;
  if (!handler) {
    sendJson(response, 404, { error: 'there is no such call' });
    return;
  }
  const body = async (): Promise<JsonObject> => {
    const text = (await readBody(request, BODY_BYTES)).toString();
    return objectOf(text === '' ? {} : JSON.parse(text));
  };
  const answer = (await handler({ parts, words, query: url.searchParams, body })) as Answer;
  if (!isStream(answer)) {
    sendJson(response, 200, answer ?? {});
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
  await pipeline(Readable.from(answer), response);
}

/** Ground truth and administration: plain HTTP on a port of its own, never under a host of Microsoft. */
export function createAdmin(parts: AdminParts): Listener {
  return (request, response) => {
    serve(parts, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        sendJson(
          response,
          error instanceof AppError || error instanceof SyntaxError ? (error instanceof Failure ? error.status : 400) : 500,
          { error: errorText(error) },
        );
    });
  };
}
