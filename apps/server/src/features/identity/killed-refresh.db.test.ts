import { testDatabase } from '@holdfast/database/testing/test-database';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMasterKey } from '../../keys/master-key.ts';
import { readConfig } from '../../settings/config.ts';
import { killedDuring, prepareKills } from '../../testing/killed-during.ts';
import { testServer, type TestServer } from '../../testing/test-server.ts';

/** A server process that is killed with SIGKILL while it replaces a refresh token, in its own profile, where each counts once. */
const testing = testDatabase(import.meta.url);
const owner = { email: 'owner@example.com', password: 'Sturdy-Heron-Wanders-47' };
const settings = {
  HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
  HOLDFAST_IDENTITY_PROFILE: 'hardened',
  HOLDFAST_OWNER_EMAIL: owner.email,
  HOLDFAST_OWNER_PASSWORD: owner.password,
};
let server: TestServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-killed-refresh-'));
  const masterKey = await openMasterKey(readConfig({ ...settings, HOLDFAST_DATA_DIR: path.join(folder, 'here') }), testing.database);
  server = await testServer(testing, { masterKey, settings });
  await prepareKills(testing);
}, 120_000);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** All that a refresh may change. */
const everything = (): Promise<unknown> =>
  testing.asSuperuser(`select
    (select jsonb_agg(to_jsonb(s) order by id) from sessions s) as sessions,
    (select jsonb_agg(to_jsonb(t) order by token_hash) from session_tokens t) as tokens,
    (select count(*)::int from audit_inbox) as events`);

test('a refresh that is killed changes nothing, and the same token renews the session afterwards', async () => {
  const signedIn = (await (await server.send('/apollo/login', { body: owner })).json()) as { refreshToken: string };
  const body = { refreshToken: signedIn.refreshToken };
  const before = await everything();
  await killedDuring({ testing, folder, settings }, 'insert on session_tokens', (address) =>
    fetch(`${address}/apollo/refresh`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  );
  expect(await everything()).toEqual(before);
  const renewed = await server.send('/apollo/refresh', { body });
  expect(renewed.status).toBe(200);
  const { accessToken } = (await renewed.json()) as { accessToken: string };
  expect((await server.send('/apollo/account', { token: accessToken })).status).toBe(200);
  expect(await everything()).not.toEqual(before);
}, 120_000);
