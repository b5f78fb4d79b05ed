import type { Routes } from '@holdfast/contract/route';
import { defineRoute } from '@holdfast/contract/route';
import { id, tenantParams } from '@holdfast/contract/values';
import type { OrganisationId } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { createHttpApp } from './app.ts';
import type { Handlers } from './context.ts';
import { requireVersion } from './etag.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { mount } from './mount.ts';

const clock = createFakeClock();
const ids = createIds(clock, createSeededRandom(1));
const organisationId = ids.uuid() as OrganisationId;
const tenantId = ids.uuid();

function anActor(changes: Partial<Actor> = {}): Actor {
  return {
    accountId: ids.uuid() as Actor['accountId'],
    sessionId: ids.uuid() as Actor['sessionId'],
    email: 'adele@example.com',
    isEmailConfirmed: true,
    audience: 'main',
    realm: 'production',
    memberships: [{ organisationId, role: 'operator' }],
    ...changes,
  };
}

/** Remembers answers in this process. */
function memoryIdempotency(): IdempotencyStore {
  const known = new Map<string, { fingerprint: string; answer?: unknown; isDone: boolean }>();
  return {
    async claim(key, fingerprint) {
      const found = known.get(key);
      if (!found) {
        known.set(key, { fingerprint, isDone: false });
        return { state: 'fresh' };
      }
      if (found.fingerprint !== fingerprint) return { state: 'other' };
      return found.isDone ? { state: 'done', answer: found.answer } : { state: 'running' };
    },
    async finish(key, answer) {
      const found = known.get(key);
      if (found) Object.assign(found, { answer, isDone: true });
    },
    async release(key) {
      known.delete(key);
    },
  };
}

async function serving<const R extends Routes>(routes: R, handlers: Handlers<R>, actors: Record<string, Actor> = { good: anActor() }) {
  const app = await createHttpApp({
    sessions: { read: async ({ token }) => (token === undefined ? undefined : actors[token]), watch: () => () => undefined },
    organisations: { resolve: async (reference) => (reference.tenantId === tenantId ? [{ organisationId, tenantId }] : []) },
    idempotency: memoryIdempotency(),
    clock,
    ids,
    logger: silentLogger,
    isStrict: true,
  });
  mount(app, routes, handlers, { surface: 'main', realm: 'production' });
  await app.server.ready();
  return (
    url: string,
    options: { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; token?: string; payload?: object; headers?: Record<string, string> } = {},
  ) =>
    app.server.inject({
      method: options.method ?? 'GET',
      url: `/apollo${url}`,
      headers: { authorization: `Bearer ${options.token ?? 'good'}`, ...options.headers },
      ...(options.payload ? { payload: options.payload } : {}),
    });
}

const things = {
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/things',
    action: 'jobs.read',
    summary: 'x',
    params: tenantParams,
    response: z.object({ name: z.string() }),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/things',
    action: 'jobs.manage',
    summary: 'x',
    params: tenantParams,
    body: z.object({ name: z.string().min(2, { error: 'validation.required' }), at: id.optional() }),
    response: z.object({ made: z.number() }),
    status: 201,
    errors: ['jobs.name-taken'],
  }),
};

test('a handler is given what was parsed and decided, and its answer leaves through the schema', async () => {
  const send = await serving(things, {
    get: ({ actor, organisation, params }) => ({
      name: `${actor.email} ${organisation.organisationId === organisationId} ${params.tenantId === tenantId}`,
    }),
    create: () => ({ made: 1 }),
  });
  const answer = await send(`/api/${tenantId}/things`);
  expect([answer.statusCode, answer.json()]).toEqual([200, { name: 'adele@example.com true true' }]);
});

test('an answer with a field that the contract does not declare fails, and so does an undeclared error', async () => {
  const send = await serving(things, {
    get: () => ({ name: 'x', secret: 'y' }) as { name: string },
    create: () => {
      throw new AppError('tenants.busy');
    },
  });
  expect((await send(`/api/${tenantId}/things`)).statusCode).toBe(500);
  expect((await send(`/api/${tenantId}/things`, { method: 'POST', payload: { name: 'ab' } })).statusCode).toBe(500);
});

test('an unknown error answers without its text and names the request', async () => {
  const send = await serving(things, {
    get: () => {
      throw new Error('select * from secrets');
    },
    create: () => ({ made: 1 }),
  });
  const answer = await send(`/api/${tenantId}/things`);
  expect(answer.json()).toEqual({
    type: 'urn:holdfast:error:internal',
    title: 'Internal Server Error',
    status: 500,
    message: 'Internal server error',
    code: 'internal',
    requestId: answer.headers['x-request-id'],
  });
});

test('a bad body names its fields in the language of the caller', async () => {
  const send = await serving(things, { get: () => ({ name: 'x' }), create: () => ({ made: 1 }) });
  const answer = await send(`/api/${tenantId}/things`, {
    method: 'POST',
    payload: { name: 'a', at: 'no' },
    headers: { 'accept-language': 'de' },
  });
  expect(answer.statusCode).toBe(400);
  const body = answer.json<{ message: string; errors: Record<string, string[]> }>();
  expect(body.message).toBe('Ungültige Anfrage');
  expect(Object.keys(body.errors)).toEqual(['name', 'at']);
});

test('somebody who is no member gets what an unknown tenant gets, and a right that has ended is none', async () => {
  const ended = { organisationId, role: 'auditor', endsAt: new Date(clock.nowMs()) } as const;
  const send = await serving(
    things,
    { get: () => ({ name: 'x' }), create: () => ({ made: 1 }) },
    {
      stranger: anActor({ memberships: [{ organisationId: ids.uuid() as OrganisationId, role: 'owner' }] }),
      ended: anActor({ memberships: [ended] }),
      reader: anActor({ memberships: [{ organisationId, role: 'reader' }] }),
    },
  );
  for (const token of ['stranger', 'ended']) expect((await send(`/api/${tenantId}/things`, { token })).statusCode).toBe(404);
  expect((await send(`/api/${tenantId}/things`, { token: 'reader', method: 'POST', payload: { name: 'ab' } })).statusCode).toBe(403);
});

test('a session that is not complete may do nothing else', async () => {
  const send = await serving(
    things,
    { get: () => ({ name: 'x' }), create: () => ({ made: 1 }) },
    { half: anActor({ restriction: 'second-factor' }) },
  );
  const answer = await send(`/api/${tenantId}/things`, { token: 'half' });
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'identity.second-factor-required']);
});

test('a repeated key gives the first answer, another request under it a conflict, a failure frees it', async () => {
  let made = 0;
  const send = await serving(things, {
    get: () => ({ name: 'x' }),
    create({ body }) {
      if (body.name === 'fails' && made === 0) throw new AppError('jobs.name-taken');
      made += 1;
      return { made };
    },
  });
  const post = (name: string, key: string) =>
    send(`/api/${tenantId}/things`, { method: 'POST', payload: { name }, headers: { 'idempotency-key': key } });
  expect((await post('fails', 'k0')).statusCode).toBe(409);
  expect((await post('ab', 'k1')).json()).toEqual({ made: 1 });
  expect((await post('ab', 'k1')).json()).toEqual({ made: 1 });
  expect((await post('cd', 'k1')).json()).toMatchObject({ code: 'request.idempotency-conflict' });
  expect((await post('fails', 'k0')).json()).toEqual({ made: 2 });
});

test('another method at a path is told of with what is allowed', async () => {
  const send = await serving(things, { get: () => ({ name: 'x' }), create: () => ({ made: 1 }) });
  const answer = await send(`/api/${tenantId}/things`, { method: 'DELETE' });
  expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, POST']);
});

test('a version that has moved on is refused', () => {
  const request = { id: '', address: '', userAgent: '', language: 'en', cookies: {}, headers: { 'if-match': '"3"' } } as const;
  expect(() => requireVersion(request, 4)).toThrow('request.precondition-failed');
  expect(() => requireVersion(request, 3)).not.toThrow();
});
