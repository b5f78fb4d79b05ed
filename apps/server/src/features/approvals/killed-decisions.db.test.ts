import type { Approval, approvals as contract } from '@holdfast/contract/approvals';
import type { Location } from '@holdfast/contract/locations';
import type { ResponseOf } from '@holdfast/contract/route';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../settings/config.ts';
import { openMasterKey } from '../../keys/master-key.ts';
import { killedDuring, prepareKills } from '../../testing/killed-during.ts';
import { aTenantRow, testIds } from '../../testing/rows.ts';
import { testPassword, testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

/** A server process that is killed with SIGKILL while it accepts an invitation or approves a request. */
const testing = testDatabase(import.meta.url);
const common = { HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'), HOLDFAST_IDENTITY_PROFILE: 'conformance' };
let server: TestServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-killed-'));
  const settings = { ...common, HOLDFAST_DATA_DIR: path.join(folder, 'here'), HOLDFAST_LOCATION_ROOTS: folder };
  const masterKey = await openMasterKey(readConfig(settings), testing.database);
  server = await testServer(testing, { masterKey, settings });
  await prepareKills(testing);
}, 120_000);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function call<T>(to: string, { tokens }: Pick<SignedIn, 'tokens'>, options: { method?: string; body?: unknown } = {}): Promise<T> {
  const answer = await server.send(to, { ...options, token: tokens.main });
  const text = await answer.text();
  if (answer.status >= 400) throw new Error(`${to}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

/** Sends a request to a process that dies in the middle of its transaction, after `written` has changed. */
function killed(written: string, to: string, { tokens }: Pick<SignedIn, 'tokens'>, body?: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${tokens.main}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const init = { method: 'POST', headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return killedDuring({ testing, folder, settings: common }, written, (address) => fetch(`${address}${to}`, init));
}

/** All that the decisions of this file may change. */
const everything = (): Promise<unknown> =>
  testing.asSuperuser(`select
    (select jsonb_agg(to_jsonb(m) order by account_id) from memberships m) as memberships,
    (select jsonb_agg(to_jsonb(i) order by invitation_id) from invitations i) as invitations,
    (select jsonb_agg(to_jsonb(a) order by approval_id) from approvals a) as approvals,
    (select jsonb_agg(to_jsonb(l) order by location_id) from locations l) as locations,
    (select count(*)::int from audit_inbox) as events`);

test('an acceptance that is killed changes nothing, and the same link is accepted afterwards', async () => {
  const { organisationId, ...owner } = await server.owner();
  const email = `${testIds.uuid().replaceAll('-', '')}@example.com`;
  await server.send('/apollo/register', { body: { email, password: testPassword } });
  const signedIn = await server.send('/api/auth/signin', { body: { email, password: testPassword, audiences: ['main'] } });
  const { sessions } = (await signedIn.json()) as { sessions: { main: { token: string } } };
  const person = { tokens: { main: sessions.main.token, staging: '', legacy: '' } };
  const { link } = await call<{ link: string }>('/apollo/api/members', owner, { body: { email, role: 'administrator', organisationId } });
  const body = { code: link.split('/').at(-1) };
  const before = await everything();
  await killed('insert on memberships', '/apollo/api/invitations/accept', person, body);
  expect(await everything()).toEqual(before);
  expect(await call('/apollo/api/invitations/accept', person, { body })).toMatchObject({ organisationId, role: 'administrator' });
}, 120_000);

test('an approval that is killed after it took effect changes nothing, and the same request is approved afterwards', async () => {
  const { organisationId, ...owner } = await server.owner();
  const second = await server.member(organisationId, 'administrator');
  const tenantId = testIds.uuid();
  await testing.database.within({ organisationId, realm: 'production' }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: tenantId }))
      .execute(),
  );
  const api = `/apollo/api/${tenantId}`;
  const place = { kind: 'filesystem', name: 'Store', path: path.join(folder, tenantId), retainDays: 30 };
  const { locationId } = await call<Location>(`${api}/locations`, owner, { body: place });
  const shorter = { name: 'Store', use: 'both', immutability: { mode: 'none', days: 0 }, retainDays: 7 };
  await call(`${api}/locations/${locationId}`, owner, { method: 'PUT', body: shorter });
  const { items } = await call<ResponseOf<typeof contract.list>>(`${api}/approvals`, second);
  const approve = `${api}/approvals/${items[0]?.approvalId ?? ''}/approve`;
  const before = await everything();
  await killed('update on approvals', approve, second);
  expect(await everything()).toEqual(before);
  expect(await call<Approval>(approve, second, { method: 'POST' })).toMatchObject({ status: 'approved' });
  expect(await everything()).not.toEqual(before);
}, 120_000);
