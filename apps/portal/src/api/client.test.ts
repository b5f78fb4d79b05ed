import { configuration } from '@holdfast/contract/configuration';
import { content } from '@holdfast/contract/content';
import { accounts, identity } from '@holdfast/contract/identity';
import { jobs } from '@holdfast/contract/jobs';
import { auth } from '@holdfast/contract/legacy/auth';
import { passkeySignIn } from '@holdfast/contract/passkeys';
import { portalSettings } from '@holdfast/contract/portal-settings';
import { tenants } from '@holdfast/contract/tenants';
import { selection } from '@holdfast/contract/workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { ApiError } from './api-error.ts';
import { addressOf, createClient, fileNameOf } from './client.ts';
import type { ClientParts, Realm } from './client.ts';
import { shownFor } from './failures.ts';
import { createSessions } from './sessions.ts';
import type { CookieJar } from './sessions.ts';

/** Cookies as a browser keeps them, as far as these tests need it. */
function createJar(): CookieJar {
  const kept = new Map<string, string>();
  return {
    get cookie() {
      return [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set cookie(text: string) {
      const [pair = '', ...attributes] = text.split('; ');
      const equals = pair.indexOf('=');
      if (attributes.includes('Max-Age=0')) kept.delete(pair.slice(0, equals));
      else kept.set(pair.slice(0, equals), pair.slice(equals + 1));
    },
  };
}

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly init: RequestInit;
}

function aClient(answers: readonly Response[], realm: Realm = 'production', renewed = true) {
  const sent: Sent[] = [];
  const lost: true[] = [];
  const queue = [...answers];
  const sessions = createSessions(createJar(), createFakeClock(), false);
  sessions.write({ main: { token: 'm', expiresIn: 900 }, staging: { token: 's', expiresIn: 900 }, legacy: { token: 'l', expiresIn: 900 } });
  let renewals = 0;
  const client = createClient({
    ...quietParts(),
    sessions,
    realm: () => realm,
    fetch: (url, init) => {
      sent.push({ url: url instanceof Request ? url.url : String(url), headers: new Headers(init?.headers), init: init ?? {} });
      const next = queue.shift();
      return next === undefined ? Promise.reject(new TypeError('offline')) : Promise.resolve(next);
    },
    renew: () => {
      renewals += 1;
      if (renewed) sessions.write({ main: { token: 'm2', expiresIn: 900 } });
      return Promise.resolve(renewed);
    },
    onSessionLost: () => lost.push(true),
  });
  return { client, sent, lost, renewals: () => renewals };
}

/** What a client needs, with nothing sent. */
function quietParts(): ClientParts {
  return {
    settings: portalSettings.parse({ version: 'test', allowedOrigins: 'https://holdfast.example' }),
    sessions: createSessions(createJar(), createFakeClock(), false),
    clock: createFakeClock(),
    realm: () => 'production',
    language: () => 'de',
    fetch: () => Promise.reject(new TypeError('offline')),
    sendForm: () => Promise.reject(new TypeError('offline')),
    renew: () => Promise.resolve(false),
    settled: () => Promise.resolve(true),
    signOutBegins: () => new AbortController().signal,
    onSessionLost: () => undefined,
  };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

test('the three kinds of credential go to their own base, and legacy is the raw value', async () => {
  const production = aClient([json({ items: [] }), json({ items: [] })]);
  await production.client.send(tenants.list, {});
  await production.client.send(selection.clients, {});
  expect(production.sent.map((one) => [one.url, one.headers.get('Authorization')])).toEqual([
    ['/apollo/api/Tenants', 'Bearer m'],
    ['/api/clients', 'l'],
  ]);
  const staging = aClient([json({ items: [] })], 'staging');
  await staging.client.send(tenants.list, {});
  expect([staging.sent[0]?.url, staging.sent[0]?.headers.get('Authorization')]).toEqual(['/apollo-beta/api/Tenants', 'Bearer s']);
});

test('in the staging realm the configuration is that of staging, with its credential', async () => {
  const { client, sent } = aClient([json({}), json({}), json({ items: [] })], 'staging');
  await client.send(configuration.read, { query: {} });
  await client.send(configuration.switchTenant, { body: { tenantId: '0192f0c0-0000-7000-8000-000000000001' } });
  await client.send(selection.clients, {});
  expect(sent.map((one) => [one.url, one.headers.get('Authorization')])).toEqual([
    ['/apollo-beta/backup-config', 'Bearer s'],
    ['/apollo-beta/v2/onedrive/switch-tenant', 'Bearer s'],
    ['/api/clients', 'l'],
  ]);
});

test('every call carries the shared headers', async () => {
  const { client, sent } = aClient([json({ items: [] })]);
  await client.send(tenants.list, { background: true });
  const headers = sent[0]?.headers;
  expect(headers?.get('Accept')).toBe('application/json');
  expect(headers?.get('Content-Type')).toBe('application/json');
  expect(headers?.get('Cache-Control')).toBe('no-cache');
  expect(headers?.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers?.get('Access-Control-Allow-Origin')).toBe('https://holdfast.example');
  expect(headers?.get('X-Background-Poll')).toBe('1');
});

test('a 401 is renewed once and the request repeated with the new token', async () => {
  const { client, sent, lost, renewals } = aClient([json({}, 401), json({ items: [] })]);
  await client.send(tenants.list, {});
  expect(renewals()).toBe(1);
  expect(sent[1]?.headers.get('Authorization')).toBe('Bearer m2');
  expect(lost).toEqual([]);
});

test('a second 401 ends the session, on the main surface only', async () => {
  const main = aClient([json({}, 401), json({}, 401)]);
  await expect(main.client.send(tenants.list, {})).rejects.toBeInstanceOf(ApiError);
  expect(main.lost).toEqual([true]);
  const legacy = aClient([json({}, 401), json({}, 401)]);
  await expect(legacy.client.send(selection.clients, {})).rejects.toBeInstanceOf(ApiError);
  expect(legacy.lost).toEqual([]);
});

test.each([
  { isSignedInAfter: true, sent: ['GET', 'GET'], outcome: { items: [] } },
  { isSignedInAfter: false, sent: ['GET'], outcome: 'AbortError' },
])('what is being read is let go when a sign-out begins: $isSignedInAfter', async ({ isSignedInAfter, sent, outcome }) => {
  const asked: string[] = [];
  const beginning = new AbortController();
  const signals = [beginning.signal, new AbortController().signal];
  const client = createClient({
    ...quietParts(),
    fetch: async (_url, init) => {
      asked.push(init?.method ?? '');
      if (asked.length > 1) return json({ items: [] });
      queueMicrotask(() => beginning.abort());
      return await new Promise<Response>((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    },
    settled: () => Promise.resolve(!beginning.signal.aborted || isSignedInAfter),
    signOutBegins: () => signals[asked.length] ?? beginning.signal,
  });
  const answer = await client.send(tenants.list, {}).catch((error: unknown) => (error instanceof Error ? error.name : ''));
  expect([asked, answer]).toEqual([sent, outcome]);
});

test('what changes something is not let go', async () => {
  const beginning = new AbortController();
  beginning.abort();
  const client = createClient({
    ...quietParts(),
    fetch: async (_url, init) => {
      expect(init?.signal?.aborted).toBe(false);
      return await Promise.resolve(new Response(null, { status: 204 }));
    },
    signOutBegins: () => beginning.signal,
  });
  await client.send(accounts.endOtherSessions, {});
});

test('the sign-in itself is never renewed', async () => {
  const { client, renewals, lost } = aClient([json({ message: 'Invalid Credentials.', code: 'identity.invalid-credentials' }, 401)]);
  await expect(client.send(auth.signIn, { body: { email: 'a@b.c', password: 'x' } })).rejects.toThrow('Invalid Credentials.');
  expect([renewals(), lost]).toEqual([0, []]);
});

test('a passkey that is refused ends no session and is told, though its call is not on the legacy surface', async () => {
  const refusal = { message: 'This passkey was not accepted.', code: 'passkeys.refused' };
  const { client, renewals, lost } = aClient([json(refusal, 401)]);
  const body = {
    answer: { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' } },
  } as const;
  const failure = await client.send(passkeySignIn.complete, { body }).catch((error: unknown) => error);
  expect([renewals(), lost]).toEqual([0, []]);
  const loud = { quiet: false, background: false, download: false };
  expect(shownFor(failure, loud, { text: (key) => key, language: 'en' })).toMatchObject({ kind: 'error', text: refusal.message });
});

test('no answer is a failure of the network', async () => {
  const { client } = aClient([]);
  const failure = await client.send(accounts.policy, {}).catch((error: unknown) => error);
  expect((failure as ApiError).failure.kind).toBe('network');
});

test('a link to a file of any size carries no token: the server lets the browser follow it once', async () => {
  const { client, sent } = aClient([new Response(null, { status: 204 })], 'staging');
  const address = await client.linkTo(content.file, { params: { tenantId: 't', ticket: 'x' }, query: { attachment: 0 } });
  expect(address).toBe('/apollo-beta/api/t/content-tickets/x/file?attachment=0');
  expect(sent.map(({ url, init }) => [url, init.body])).toEqual([['/apollo-beta/download-passes', JSON.stringify({ address })]]);
});

test('a failed download rejects with the JSON body of the error', async () => {
  const { client } = aClient([json({ message: 'Gone', code: 'not-found', requestId: 'r7' }, 404)]);
  const failure = (await client
    .download(identity.confirmEmail, { query: { userId: 'u', code: 'c' } })
    .catch((error: unknown) => error)) as ApiError;
  expect([failure.message, failure.requestId]).toEqual(['Gone', 'r7']);
});

test('a download must begin in time, and then takes as long as it takes', async () => {
  const clock = createFakeClock();
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const parts = { ...quietParts(), clock };
  const signals: AbortSignal[] = [];
  const answering = createClient({
    ...parts,
    fetch: (_url, init) => {
      if (init?.signal) signals.push(init.signal);
      return Promise.resolve(new Response(body.readable));
    },
  });
  const file = answering.download(identity.confirmEmail, { query: { userId: 'u', code: 'c' } });
  const writer = body.writable.getWriter();
  await writer.write(new TextEncoder().encode('first '));
  clock.advance(3_600_000);
  expect(signals.map((signal) => signal.aborted)).toEqual([false]);
  void writer.write(new TextEncoder().encode('last'));
  void writer.close();
  expect(await (await file).blob.text()).toBe('first last');

  const silent = createClient({
    ...parts,
    fetch: (_url, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new TypeError('too late')))),
  });
  const failure = silent.download(identity.confirmEmail, { query: { userId: 'u', code: 'c' } }).catch((error: unknown) => error);
  await Promise.resolve();
  clock.advance(500_000);
  expect(((await failure) as ApiError).failure.kind).toBe('network');
});

test('a download that breaks off is a failure of the network', async () => {
  const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) });
  const { client } = aClient([new Response(body)]);
  const failure = await client.download(identity.confirmEmail, { query: { userId: 'u', code: 'c' } }).catch((error: unknown) => error);
  expect((failure as ApiError).failure.kind).toBe('network');
});

test('the version tag of an answer is kept for its update', async () => {
  const { client } = aClient([json({ items: [] }, 200, { ETag: '"7"' })]);
  const answer = await client.send(tenants.list, {});
  expect(client.tagOf(answer)).toBe('"7"');
});

test('addresses escape their parameters and leave empty ones out', () => {
  expect(addressOf(jobs.get, { tenantId: 'a/b', jobId: 'c d' }, undefined)).toBe('/api/a%2Fb/jobs/c%20d');
  expect(addressOf(jobs.list, { tenantId: 't' }, { limit: 25, search: '', cursor: undefined })).toBe('/api/t/jobs?limit=25');
});

test('the name of a download is read in both spellings', () => {
  expect(fileNameOf("attachment; filename*=UTF-8''Bericht%20M%C3%A4rz.pdf")).toBe('Bericht März.pdf');
  expect(fileNameOf('attachment; filename="a.csv"')).toBe('a.csv');
  expect(fileNameOf(null)).toBeNull();
});

test('a call is let go after 500,000 milliseconds', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => limit.mockRestore());
  const { client, sent } = aClient([Response.json({ items: [] })]);
  await client.send(tenants.list, {});
  expect(limit.mock.calls).toEqual([[500_000]]);
  expect(sent[0]?.init.signal).toBeInstanceOf(AbortSignal);
});
