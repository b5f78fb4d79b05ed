import type { Approval } from '@holdfast/contract/approvals';
import type { ProxyAccount, ProxyExemption, ProxyRight } from '@holdfast/contract/proxy-rights';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn } from '../../testing/test-server.ts';

/** Granting, listing and ending proxy rights over the accounts and groups of a real directory. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let owner: SignedIn;
let inGroup: SignedIn;
interface Listed {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}
let people: readonly Listed[] = [];
let group: Listed;
const day = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();
const person = (index: number): { kind: 'account'; id: string } => ({ kind: 'account', id: people[index]?.id ?? '' });

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  const founder = await server.owner();
  owner = founder;
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const base = `${tenant.tenantId}/discovery/${tenant.locationId}`;
  const listed = async (what: string): Promise<readonly Listed[]> => (await tenant.call<{ items: Listed[] }>(`${base}/${what}`)).items;
  people = (await listed('users?guests=false')).filter(({ address }) => address.includes('@'));
  act(simulator, 'directory.createGroup', { displayName: 'Lawyers' });
  group = (await listed('groups')).find(({ name }) => name === 'Lawyers') as Listed;
  act(simulator, 'directory.joinGroup', { group: group.id, user: people[3]?.id });
  inGroup = await server.member(founder.organisationId, 'administrator', people[3]?.address);
}, 120_000);
afterAll(() => running.close());

const right = (changes: object = {}): Record<string, unknown> => ({
  holder: person(0),
  target: person(1),
  may: ['read', 'export'],
  accessFrom: inDays(-1),
  accessTo: inDays(30),
  purpose: 'Covers for an absent colleague',
  ...changes,
});

interface Answer<Body> {
  readonly status: number;
  readonly body: Body & { readonly code?: string; readonly message?: string; readonly errors?: Record<string, string[]> };
}

async function ask<Body = object>(to: string, given: { body?: unknown; who?: SignedIn; method?: string } = {}): Promise<Answer<Body>> {
  const { who = owner, method, body } = given;
  const audience = to.startsWith('/api') ? 'legacy' : to.startsWith('/apollo-beta') ? 'staging' : 'main';
  const answer = await running.server.send(to, {
    token: who.tokens[audience],
    audience,
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Answer<Body>['body'] };
}
const rightsPath = (): string => `/apollo/api/${tenant.tenantId}/archive/proxy-rights`;
const grant = (changes: object = {}, who = owner): Promise<Answer<ProxyRight>> =>
  ask<ProxyRight>(rightsPath(), { body: right(changes), who });
const list = async (query = ''): Promise<Page<ProxyRight>> => (await ask<Page<ProxyRight>>(`${rightsPath()}${query}`)).body;
const remove = (id: string): Promise<Answer<object>> => ask(`${rightsPath()}/${id}`, { method: 'DELETE' });
async function counted(): Promise<number> {
  return Number((await testing.asSuperuser('select count(*)::int as count from proxy_rights'))[0]?.['count']);
}

test('a right is granted with names from the directory, listed, told in the audit log, and ended once', async () => {
  const granted = await grant();
  expect(granted.status).toBe(201);
  expect(granted.body).toMatchObject({
    state: 'active',
    holder: { name: people[0]?.name, address: people[0]?.address },
    target: { name: people[1]?.name },
    may: ['read', 'export'],
    granter: owner.email,
    people: 1,
  });
  const { proxyRightId } = granted.body;
  expect((await list()).items.map((one) => one.proxyRightId)).toEqual([proxyRightId]);
  expect((await list('?search=absent&state=active')).total).toBe(1);
  expect((await list('?state=expired')).total).toBe(0);
  expect((await remove(proxyRightId)).status).toBe(204);
  expect((await list()).items).toMatchObject([{ proxyRightId, state: 'removed', remover: owner.email }]);
  expect((await remove(proxyRightId)).body.code).toBe('proxy-rights.over');
  const told = await testing.asSuperuser('select event, payload from audit_inbox where subject_id = $1 order by at', [proxyRightId]);
  expect(told.map(({ event }) => event)).toEqual(['proxy-rights.granted', 'proxy-rights.removed']);
  expect(JSON.stringify(told[0]?.['payload'])).toContain('Covers for an absent colleague');
});

test('whoever is selected already, or holds the right already, is refused in the words of the specification', async () => {
  const { proxyRightId } = (await grant()).body;
  const before = await counted();
  const twice = await grant({ may: ['read'] });
  expect([twice.status, twice.body.code, twice.body.message]).toEqual([409, 'proxy-rights.already-holds', 'Already holds proxy rights.']);
  const same = await grant({ target: person(0) });
  expect([same.status, same.body.code, same.body.message]).toEqual([409, 'proxy-rights.already-selected', 'Already selected.']);
  expect(await counted()).toBe(before);
  const later = await grant({ accessFrom: inDays(30), accessTo: inDays(60) });
  expect([later.status, later.body.state]).toEqual([201, 'upcoming']);
  for (const id of [proxyRightId, later.body.proxyRightId]) await remove(id);
});

test('two grants of the same right at once leave one', async () => {
  const both = await Promise.all([grant({ target: person(2) }), grant({ target: person(2) })]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  for (const { body } of both) if (body.proxyRightId) await remove(body.proxyRightId);
});

test('nobody grants rights to themselves or to a group they belong to', async () => {
  const before = await counted();
  for (const holder of [person(3), { kind: 'group', id: group.id }]) {
    const refused = await grant({ holder }, inGroup);
    expect([refused.status, refused.body.code]).toEqual([403, 'proxy-rights.own']);
  }
  expect(await counted()).toBe(before);
  const byOther = await grant({ holder: { kind: 'group', id: group.id } });
  expect([byOther.status, byOther.body.holder.name, byOther.body.people]).toEqual([201, 'Lawyers', 1]);
  await remove(byOther.body.proxyRightId);
});

test('what is wrong is refused at its field and grants nothing', async () => {
  const before = await counted();
  const field = async (changes: object): Promise<string | undefined> => {
    const { status, body } = await grant(changes);
    expect(status).toBe(400);
    return Object.keys(body.errors ?? {})[0];
  };
  expect(await field({ accessFrom: inDays(0), accessTo: inDays(367) })).toBe('accessTo');
  expect(await field({ accessFrom: inDays(-9), accessTo: inDays(-1) })).toBe('accessTo');
  expect(await field({ accessFrom: inDays(9), accessTo: inDays(1) })).toBe('accessTo');
  expect(await field({ mailFrom: inDays(1), mailTo: inDays(0) })).toBe('mailTo');
  expect(await field({ may: [] })).toBe('may');
  expect(await field({ purpose: ' x ' })).toBe('purpose');
  expect(await field({ needsRelease: true })).toBe('needsRelease');
  expect(await field({ holder: { kind: 'account', id: '11111111-1111-4111-8111-111111111111' } })).toBe('holder');
  expect(await field({ target: { kind: 'group', id: people[1]?.id } })).toBe('target');
  expect(await field({ holder: { kind: 'account', id: people[0]?.address } })).toBe('holder');
  expect(await counted()).toBe(before);
});

test('whoever leaves the group holds its right no more once users are synchronised', async () => {
  const { proxyRightId } = (await grant({ holder: { kind: 'group', id: group.id }, target: { kind: 'everyone' } })).body;
  const holders = async (): Promise<number | undefined> => (await list()).items.find((one) => one.proxyRightId === proxyRightId)?.people;
  expect(await holders()).toBe(1);
  act(running.simulator, 'directory.leaveGroup', { group: group.id, user: people[3]?.id });
  expect((await ask('/api/sync-user-config', { body: {} })).status).toBe(202);
  await expect.poll(holders, { timeout: 30_000 }).toBe(0);
  await remove(proxyRightId);
});

test('the calls of the specification show and change the same rights, in production and in staging', async () => {
  const granted = await ask<ProxyRight>('/api/proxy-account', { body: right({ target: { kind: 'everyone' } }) });
  expect([granted.status, granted.body.target.kind]).toEqual([201, 'everyone']);
  const accounts = (await ask<Page<ProxyAccount>>('/api/proxy-accounts')).body;
  expect(accounts.items).toMatchObject([{ holder: { id: people[0]?.id }, rights: 1 }]);
  expect((await ask<Page<ProxyRight>>('/api/proxy-rights?state=active')).body.items).toMatchObject([
    { proxyRightId: granted.body.proxyRightId },
  ]);
  const account = await ask<{ items: ProxyRight[] }>(`/api/proxy-account?holderId=${people[0]?.id}`);
  expect(account.body.items.map(({ proxyRightId }) => proxyRightId)).toContain(granted.body.proxyRightId);
  const gone = await ask(`/api/proxy-account?proxyRightId=${granted.body.proxyRightId}`, { method: 'DELETE' });
  expect(gone.status).toBe(204);
  expect((await ask<Page<ProxyAccount>>('/api/proxy-accounts')).body.total).toBe(0);
  // Staging has no tenant here: it shows nothing of production.
  expect((await ask('/apollo-beta/proxy-rights')).status).toBe(404);
});

test('operators and auditors neither see nor grant proxy rights', async () => {
  const { organisation_id: organisationId } = (await testing.asSuperuser('select organisation_id from tenants limit 1'))[0] ?? {};
  for (const role of ['operator', 'auditor', 'reader'] as const) {
    const who = await running.server.member(organisationId as never, role);
    expect([(await ask(rightsPath(), { who })).status, (await grant({}, who)).status]).toEqual([403, 403]);
  }
});

const exemptPath = (): string => `/apollo/api/${tenant.tenantId}/archive/proxy-exemptions`;
const exemptions = async (): Promise<readonly ProxyExemption[]> => (await ask<{ items: ProxyExemption[] }>(exemptPath())).body.items;

test('one person exempts an account or a group, at once and only once, and it takes two to end that', async () => {
  const body = { party: person(2), reason: 'Works council' };
  const made = await ask<ProxyExemption>(exemptPath(), { body });
  expect(made.body).toMatchObject({ state: 'active', party: { name: people[2]?.name }, adder: owner.email, endedAt: null });
  const again = await ask(exemptPath(), { body });
  expect([again.status, again.body.code, Object.keys(again.body.errors ?? {})]).toEqual([409, 'proxy-rights.already-exempt', ['party']]);
  const nobody = await ask(exemptPath(), { body: { ...body, party: { kind: 'account', id: 'nobody' } } });
  expect(nobody.body.code).toBe('proxy-rights.party-unknown');
  const [read] = await testing.asSuperuser('select count(*)::int as people from proxy_people where party_id = $1', [people[2]?.id]);
  expect(read).toEqual({ people: 1 });
  const end = `${exemptPath()}/${made.body.exemptionId}/end`;
  const asked = await ask<ProxyExemption>(end, { body: { reason: 'Left the works council' } });
  expect([asked.status, asked.body.state]).toEqual([200, 'ending']);
  expect((await ask(end, { body: { reason: 'Once more' } })).body.code).toBe('proxy-rights.not-exempt');
  const approvals = `/apollo/api/${tenant.tenantId}/approvals`;
  const { items } = (await ask<{ items: Approval[] }>(approvals)).body;
  const request = items.find(({ kind }) => kind === 'exemptionEnd');
  expect(request).toMatchObject({ subjectName: people[2]?.name, details: { reason: 'Left the works council' } });
  const approve = `${approvals}/${request?.approvalId}/approve`;
  expect((await ask(approve, { method: 'POST' })).status).toBe(403);
  expect((await exemptions()).map(({ state }) => state)).toEqual(['ending']);
  expect((await ask(approve, { method: 'POST', who: inGroup })).status).toBe(200);
  expect((await exemptions()).map(({ state }) => state)).toEqual(['ended']);
  expect((await ask(exemptPath(), { body })).status).toBe(201);
});

test('A27: a right over private messages takes a second person, and whoever holds it is not the second', async () => {
  const made = await grant({ holder: person(1), target: person(0), includesPrivate: true });
  expect([made.status, made.body.includesPrivate]).toEqual([201, 'waiting']);
  const approvals = `/apollo/api/${tenant.tenantId}/approvals`;
  const asked = async () =>
    (await ask<{ items: Approval[] }>(approvals)).body.items.find(({ subjectId }) => subjectId === made.body.proxyRightId);
  expect(await asked()).toMatchObject({ kind: 'privateAccess', subjectName: people[1]?.name, details: { contentOf: people[0]?.name } });
  const approve = `${approvals}/${(await asked())?.approvalId}/approve`;
  expect((await ask(approve, { method: 'POST' })).status).toBe(403);
  const right = async () => (await ask<ProxyRight>(`${rightsPath()}/${made.body.proxyRightId}`)).body.includesPrivate;
  const holder = `update proxy_people set addresses = array[$1] where party_id = $2`;
  await testing.asSuperuser(holder, [inGroup.email.toLowerCase(), people[1]?.id]);
  expect((await ask(approve, { method: 'POST', who: inGroup })).body.code).toBe('proxy-rights.own');
  expect(await right()).toBe('waiting');
  await testing.asSuperuser(holder, ['somebody@else.example', people[1]?.id]);
  expect((await ask(approve, { method: 'POST', who: inGroup })).status).toBe(200);
  expect(await right()).toBe('yes');
});

test('A27: what nobody approved opens nothing private, and goes with its right', async () => {
  const made = await grant({ holder: person(0), target: person(1), includesPrivate: true });
  expect(made.body.includesPrivate).toBe('waiting');
  expect((await ask(`${rightsPath()}/${made.body.proxyRightId}`, { method: 'DELETE' })).status).toBe(204);
  expect((await ask<ProxyRight>(`${rightsPath()}/${made.body.proxyRightId}`)).body.includesPrivate).toBe('no');
  const plain = await grant({ holder: person(0), target: person(1) });
  expect(plain.body.includesPrivate).toBe('no');
});

test('a holder is shown with all their rights, however many pages those are', async () => {
  const one = (await grant({ holder: person(2), target: person(0) })).body;
  await testing.asSuperuser(
    `insert into proxy_rights select (jsonb_populate_record(granted, jsonb_build_object('proxy_right_id', gen_random_uuid()))).*
     from proxy_rights granted, generate_series(1, 230) where proxy_right_id = $1`,
    [one.proxyRightId],
  );
  const shown = await ask<{ items: ProxyRight[] }>(`/api/proxy-account?holderId=${people[2]?.id}`);
  expect(new Set(shown.body.items.map(({ proxyRightId }) => proxyRightId)).size).toBe(231);
  const last = shown.body.items.at(-1);
  expect((await ask<ProxyRight>(`${rightsPath()}/${last?.proxyRightId}`)).body).toEqual(last);
  expect((await ask(`${rightsPath()}/${tenant.tenantId}`)).status).toBe(404);
});
