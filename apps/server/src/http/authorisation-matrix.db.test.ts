import { mayDo, roles, type Role } from '@holdfast/contract/actions';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { OrganisationId } from '@holdfast/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTenantRow, testIds } from '../testing/rows.ts';
import { testServer, type Audience, type SignedIn, type TestServer } from '../testing/test-server.ts';
import { everyRoute, type NamedRoute } from './every-route.ts';

/**
 * Every route of a tenant × every role × who asks, generated from the contract: a role may do what its row
 * says, nobody else may do anything, and what is foreign looks like what does not exist.
 */
const testing = testDatabase(import.meta.url);
let server: TestServer;
const people = new Map<Role, { readonly who: SignedIn; readonly tenants: Record<'production' | 'staging', string> }>();
let outsider: SignedIn;
let disabled: SignedIn;

async function aTenant(organisationId: OrganisationId, realm: 'production' | 'staging'): Promise<string> {
  const tenantId = testIds.uuid();
  await testing.database.within({ organisationId, realm }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: tenantId, status: 'provisioning' }))
      .execute(),
  );
  return tenantId;
}

beforeAll(async () => {
  server = await testServer(testing);
  for (const role of roles) {
    const organisationId = testIds.uuid() as OrganisationId;
    const who = await server.member(organisationId, role);
    people.set(role, {
      who,
      tenants: { production: await aTenant(organisationId, 'production'), staging: await aTenant(organisationId, 'staging') },
    });
    if (role !== 'owner') continue;
    disabled = await server.member(organisationId, 'owner');
    for (const realm of ['production', 'staging'] as const) {
      await testing.database.within({ organisationId, realm }, (tx) =>
        tx.updateTable('memberships').set({ disabled_at: new Date() }).where('account_id', '=', disabled.accountId).execute(),
      );
    }
  }
  outsider = await server.owner();
}, 120_000);
afterAll(() => server.close());

interface Served extends NamedRoute {
  readonly audience: Audience;
  readonly realm: 'production' | 'staging';
}

const VALUES: Readonly<Record<string, string>> = {
  workerIp: '203.0.113.7',
  indexIp: '203.0.113.8',
  type: 'exchange',
  prefix: 'backup',
  sequence: '1',
  number: '1',
  nodeId: 'root',
  documentType: 'document',
  messageId: 'a'.repeat(64),
  part: '1',
  position: '1',
  page: '1',
};

/** The routes that ask for a right: those of a tenant, or those that find the organisation by other means. */
function served(ofTenant = true): Served[] {
  const guarded = everyRoute().filter(
    ({ path, route }) => path.includes(':tenantId') === ofTenant && route.action !== 'public' && route.action !== 'session',
  );
  return guarded.flatMap((named): Served[] => {
    if (named.route.surface === 'legacy') {
      const staged = { ...named, path: named.path.replace('/api', '/apollo-beta'), audience: 'staging', realm: 'staging' } as const;
      return [{ ...named, audience: 'legacy', realm: 'production' }, ...(named.route.staged ? [staged] : [])];
    }
    const staging = { ...named, path: named.path.replace('/apollo', '/apollo-beta') };
    return [
      { ...named, audience: 'main', realm: 'production' },
      { ...staging, audience: 'staging', realm: 'staging' },
    ];
  });
}

async function ask(route: Served, tenantId: string, token: string | undefined): Promise<{ status: number; body: string }> {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => (name === 'tenantId' ? tenantId : (VALUES[name] ?? testIds.uuid())));
  const controller = new AbortController();
  const answer = await fetch(`${server.address}${path}`, {
    method: route.route.method,
    signal: controller.signal,
    headers: token === undefined ? {} : { authorization: route.audience === 'legacy' ? token : `Bearer ${token}` },
  });
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const body = isStream ? '' : await answer.text();
  if (isStream) controller.abort();
  return { status: answer.status, body: body.replaceAll(/"requestId":"[^"]*"/g, '') };
}

test('every route gives every role what its row says, and everybody else nothing', async () => {
  const wrong: string[] = [];
  const counts = { own: 0, foreign: 0, none: 0, audience: 0, unknown: 0, disabled: 0 };
  const expectStatus = (what: string, got: number, isRight: boolean): void => {
    if (!isRight) wrong.push(`${what}: ${got}`);
  };
  for (const route of served()) {
    const label = `${route.route.method} ${route.path}`;
    for (const [role, { who, tenants }] of people) {
      const tenantId = tenants[route.realm];
      const may = mayDo(role, route.route.action as Parameters<typeof mayDo>[1]);
      const own = await ask(route, tenantId, who.tokens[route.audience]);
      expectStatus(`${label} as ${role}`, own.status, may ? own.status !== 403 && own.status !== 401 : own.status === 403);
      counts.own += 1;
      const foreign = await ask(route, tenantId, outsider.tokens[route.audience]);
      const unknown = await ask(route, testIds.uuid(), outsider.tokens[route.audience]);
      expectStatus(`${label} as an outsider`, foreign.status, foreign.status === 404 && foreign.body === unknown.body);
      counts.foreign += 1;
      counts.unknown += 1;
    }
    const tenantId = people.get('owner')?.tenants[route.realm] ?? '';
    const none = await ask(route, tenantId, undefined);
    expectStatus(`${label} without a token`, none.status, none.status === 401);
    counts.none += 1;
    for (const audience of ['main', 'staging', 'legacy'] as const) {
      if (audience === route.audience) continue;
      const other = await ask(route, tenantId, people.get('owner')?.who.tokens[audience]);
      expectStatus(`${label} with a ${audience} token`, other.status, other.status === 401);
      counts.audience += 1;
    }
    const ended = await ask(route, tenantId, disabled.tokens[route.audience]);
    expectStatus(`${label} as a disabled member`, ended.status, ended.status === 404);
    counts.disabled += 1;
  }
  expect(wrong).toEqual([]);
  process.stdout.write(`authorisation: ${served().length} routes × ${roles.length} roles, ${JSON.stringify(counts)}, 0 wrong\n`);
}, 240_000);

// Without a token and with another audience's they are asked in the table of endpoints.
test('a right is asked for where the path names no tenant, too, before anything else is looked at', async () => {
  const wrong: string[] = [];
  const counts = { own: 0, disabled: 0 };
  const expectStatus = (what: string, got: number, isRight: boolean): void => {
    if (!isRight) wrong.push(`${what}: ${got}`);
  };
  for (const route of served(false)) {
    const label = `${route.route.method} ${route.path}`;
    for (const [role, { who }] of people) {
      const may = mayDo(role, route.route.action as Parameters<typeof mayDo>[1]);
      const { status } = await ask(route, '', who.tokens[route.audience]);
      expectStatus(`${label} as ${role}`, status, may ? status !== 403 && status !== 401 : status === 403);
      counts.own += 1;
    }
    const { status } = await ask(route, '', disabled.tokens[route.audience]);
    expectStatus(`${label} as a disabled member`, status, status === 403 || status === 404);
    counts.disabled += 1;
  }
  expect(wrong).toEqual([]);
  process.stdout.write(`authorisation: ${served(false).length} more routes × ${roles.length} roles, ${JSON.stringify(counts)}, 0 wrong\n`);
}, 120_000);

test('a token that has expired opens no route', async () => {
  const owner = people.get('owner');
  if (!owner) throw new Error('There is no owner.');
  await testing.asSuperuser("update session_tokens set expires_at = now() - interval '1 second'");
  await testing.asSuperuser("select pg_notify('holdfast_sessions', id::text) from sessions");
  const wrong: string[] = [];
  const routes = [...served(), ...served(false)];
  const statusOf = async (route: Served): Promise<number> =>
    (await ask(route, owner.tenants[route.realm], owner.who.tokens[route.audience])).status;
  // The server hears of it by the database.
  const oneEach = new Map(routes.map((route) => [route.audience, route]));
  for (const route of oneEach.values()) await expect.poll(() => statusOf(route)).toBe(401);
  for (const route of routes) {
    const status = await statusOf(route);
    if (status !== 401) wrong.push(`${route.route.method} ${route.path}: ${status}`);
  }
  expect(wrong).toEqual([]);
  process.stdout.write(`authorisation: ${routes.length} routes with an expired token, 0 opened\n`);
}, 120_000);
