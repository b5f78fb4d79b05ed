import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPassword, testServer, type TestServer } from '../testing/test-server.ts';

const testing = testDatabase(import.meta.url);
let server: TestServer;

beforeAll(async () => {
  const settings = { HOLDFAST_BASE_PATH: '/backup/v1', HOLDFAST_BASE_PATH_STAGING: '/backup/v1-beta', HOLDFAST_BASE_PATH_LEGACY: '/old' };
  server = await testServer(testing, { settings });
});
afterAll(async () => await server.close());

const signIn = { email: 'ada@example.com', password: testPassword, audiences: ['main', 'staging', 'legacy'] };

test('each surface answers at the base path that was set, and nothing answers at the usual one', async () => {
  expect((await server.send('/backup/v1/register', { body: { email: signIn.email, password: testPassword } })).status).toBe(200);
  const answer = await server.send('/old/auth/signin', { body: signIn });
  expect(answer.status).toBe(200);
  const { sessions } = (await answer.json()) as { sessions: Record<'main' | 'staging' | 'legacy', { token: string }> };
  const calls = [
    ['/backup/v1/api/Tenants', 'main'],
    ['/backup/v1-beta/api/Tenants', 'staging'],
    ['/old/clients', 'legacy'],
  ] as const;
  for (const [path, audience] of calls)
    expect((await server.send(path, { token: sessions[audience].token, audience })).status, path).toBe(200);
  for (const path of ['/apollo/api/Tenants', '/apollo-beta/api/Tenants', '/api/clients', '/apollo/openapi.json']) {
    expect((await server.send(path)).status, path).toBe(404);
  }
});

test('the cookie that renews a session goes to the renewal at the chosen path, and renews there', async () => {
  const answer = await server.send('/old/auth/signin', { body: signIn });
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('holdfast-refresh=')) ?? '';
  expect(cookie).toContain('Path=/backup/v1/refresh');
  const headers = { cookie: cookie.split(';', 1)[0] ?? '', 'sec-fetch-site': 'same-origin', origin: server.address };
  expect((await server.send('/backup/v1/refresh', { body: {}, headers })).status).toBe(200);
});

test('the document of the API names the chosen paths', async () => {
  const document = (await (await server.send('/backup/v1/openapi.json')).json()) as { paths: Record<string, unknown> };
  const paths = Object.keys(document.paths);
  expect(paths).toContain('/backup/v1/api/Tenants');
  expect(paths).toContain('/old/clients');
  expect(paths.filter((path) => path.startsWith('/apollo') || path.startsWith('/api/'))).toEqual([]);
});
