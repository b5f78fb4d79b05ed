import type { Approval } from '@holdfast/contract/approvals';
import type { GuardedByHold, Hold } from '@holdfast/contract/holds';
import type { Scope } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { systemClock } from '@holdfast/foundation/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createHoldsStore } from './holds.store.ts';

const testing = testDatabase(import.meta.url);
const store = createHoldsStore(testing.database, { clock: systemClock, recognisesScans: false });
let server: TestServer;
let owner: SignedIn;
let second: SignedIn;
let ground: Ground;
let mailbox = '';
let other = '';

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  const { organisationId } = ground.scope;
  owner = await server.member(organisationId, 'owner');
  second = await server.member(organisationId, 'administrator');
  mailbox = await aResource(testing.database, ground, { graphId: 'ann', name: 'Ann' });
  other = await aResource(testing.database, ground, { graphId: 'ben', name: 'Ben' });
}, 120_000);
afterAll(() => server.close());

async function send<T>(who: SignedIn, path: string, body?: unknown): Promise<{ status: number; body: T & { code?: string } }> {
  const answer = await server.send(`/apollo/api/${ground.tenantId}/${path}`, {
    token: who.tokens.main,
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, body: (await answer.json()) as T & { code?: string } };
}

async function place(body: object): Promise<Hold> {
  const answer = await send<Hold>(owner, 'holds', { name: 'Lawsuit', reason: 'Court order', ...body });
  expect(answer.status).toBe(201);
  return answer.body;
}

async function decide(holdId: string, verb: 'approve' | 'refuse', who = second): Promise<number> {
  const { items } = (await send<{ items: Approval[] }>(second, 'approvals')).body;
  const request = items.find(({ subjectId, status }) => subjectId === holdId && status === 'waiting');
  return (await send(who, `approvals/${request?.approvalId}/${verb}`, {})).status;
}

async function statusOf(holdId: string): Promise<string | undefined> {
  return (await send<{ items: Hold[] }>(owner, 'holds')).body.items.find((one) => one.holdId === holdId)?.status;
}

const on = (scope: Scope, resourceId: string) => store.within(scope, (tx) => store.on(tx, { resourceId, locationId: ground.locationId }));
const namesOn = async (resourceId: string): Promise<string[]> => (await on(ground.scope, resourceId)).map(({ name }) => name);

test('a hold on a resource is in force at once, on that resource alone, and is told in the audit log', async () => {
  const hold = await place({ name: 'On Ann', resourceId: mailbox });
  expect(hold).toMatchObject({ status: 'active', resource: { name: 'Ann' }, from: null, to: null, placer: owner.email });
  expect(await namesOn(mailbox)).toContain('On Ann');
  expect(await namesOn(other)).not.toContain('On Ann');
  const told = await testing.asSuperuser(`select event, payload from audit_inbox where subject_id = $1`, [hold.holdId]);
  expect(told).toMatchObject([{ event: 'holds.placed' }]);
  expect(JSON.stringify(told[0]?.['payload'])).toContain('Court order');
});

test('a hold on a period covers every resource of the tenant, with its bounds', async () => {
  await place({ name: 'Year 2021', from: '2021-01-01T00:00:00.000Z', to: '2021-12-31T23:59:59.999Z' });
  for (const resourceId of [mailbox, other]) {
    expect(await on(ground.scope, resourceId)).toContainEqual({
      name: 'Year 2021',
      fromMs: Date.parse('2021-01-01'),
      toMs: Date.parse('2021-12-31T23:59:59.999Z'),
    });
  }
  const strangers: Scope = { ...ground.scope, realm: 'staging' };
  expect(await on(strangers, mailbox)).toEqual([]);
});

test('what bounds nothing, bounds it backwards or names what is not there is refused', async () => {
  const plain = { name: 'Hold', reason: 'Why' };
  expect((await send(owner, 'holds', plain)).status).toBe(400);
  const backwards = { ...plain, from: '2022-01-01T00:00:00.000Z', to: '2021-01-01T00:00:00.000Z' };
  expect((await send(owner, 'holds', backwards)).status).toBe(400);
  const elsewhere = await aResource(testing.database, await aGround(testing.database));
  expect((await send(owner, 'holds', { ...plain, resourceId: elsewhere })).body.code).toBe('holds.resource-unknown');
  expect((await send(owner, 'holds', { ...plain, reason: ' ', resourceId: mailbox })).status).toBe(400);
});

test('a hold ends when a second person has approved it, and not before', async () => {
  const { holdId } = await place({ name: 'Ends', resourceId: other });
  const asked = await send<Hold>(owner, `holds/${holdId}/release`, { reason: 'Settled' });
  expect(asked.body).toMatchObject({ status: 'releasing', releaseReason: 'Settled' });
  expect(await namesOn(other)).toContain('Ends');
  expect(await decide(holdId, 'approve', owner)).toBe(403);
  expect(await namesOn(other)).toContain('Ends');
  expect(await decide(holdId, 'approve')).toBe(200);
  expect(await namesOn(other)).not.toContain('Ends');
  expect(await statusOf(holdId)).toBe('released');
  expect((await send(owner, `holds/${holdId}/release`, { reason: 'Again' })).body.code).toBe('holds.not-active');
});

test('a refused end leaves the hold in force, and it can be asked for again', async () => {
  const { holdId } = await place({ name: 'Stays', resourceId: other });
  await send(owner, `holds/${holdId}/release`, { reason: 'Too early' });
  expect(await decide(holdId, 'refuse')).toBe(200);
  expect(await statusOf(holdId)).toBe('active');
  expect(await namesOn(other)).toContain('Stays');
  expect((await send<Hold>(owner, `holds/${holdId}/release`, { reason: 'Now' })).body.status).toBe('releasing');
});

test('a hold that is being placed is obeyed by a deletion that has decided already', async () => {
  const { scope, tenantId, locationId } = ground;
  const resourceId = await aResource(testing.database, ground, { graphId: 'eve', name: 'Eve' });
  const catalog = createCatalog({
    database: testing.database,
    scope,
    locationId,
    ids,
    keptWithin: async (tx, at) => ({ holds: await store.on(tx, at), minimums: [] }),
  });
  for (const sequence of [1, 2, 3]) {
    await catalog.apply({ ...aSegment(resourceId, sequence), committedAt: `2026-11-0${sequence}T12:00:00.000Z` });
  }
  const text = { hold_id: ids.uuid(), tenant_id: tenantId, resource_id: resourceId, name: 'Just now', reason: 'Court order' };
  const placer = { placed_by: owner.accountId, placer: owner.email, placed_at: new Date('2026-11-20T12:00:00.000Z') };
  const forgotten = await store.within(scope, async (tx) => {
    await store.add(tx, { ...text, ...placer, from_at: null, to_at: '2026-11-01T18:00:00.000Z' });
    const forgetting = catalog.forgetPoints(resourceId, [1, 2]);
    await expect
      .poll(() =>
        testing.asSuperuser(`select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`),
      )
      .toEqual([{ waiting: 1 }]);
    return { forgetting };
  });
  // The hold is on what was there before its end and on what came until then: the first two points.
  expect(await forgotten.forgetting).toEqual([]);
  expect(await catalog.forgetPoints(resourceId, [3])).toEqual([3]);
  expect((await catalog.points(resourceId)).map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('operators and auditors neither see nor place holds', async () => {
  const operator = await server.member(ground.scope.organisationId, 'operator');
  expect((await send(operator, 'holds')).status).toBe(403);
  expect((await send(operator, 'holds', { name: 'Mine', reason: 'Why', resourceId: mailbox })).status).toBe(403);
});

test('a tenant with a hold is not removed', async () => {
  const held = await aGround(testing.database);
  const its = await server.member(held.scope.organisationId, 'owner');
  await testing.asSuperuser(`update tenants set status = 'connected', active = false where tenant_id = $1`, [held.tenantId]);
  const remove = () => server.send(`/apollo/api/Tenants/${held.tenantId}`, { method: 'DELETE', token: its.tokens.main });
  const period = { name: 'All', reason: 'Audit', from: '2020-01-01T00:00:00.000Z' };
  const placed = await server.send(`/apollo/api/${held.tenantId}/holds`, { token: its.tokens.main, body: period });
  expect(placed.status).toBe(201);
  const refused = await remove();
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'tenants.in-use']);
  await testing.asSuperuser('update holds set released_at = now() where tenant_id = $1', [held.tenantId]);
  expect((await remove()).status).toBe(204);
});

test('the application can neither remove a hold nor its record', async () => {
  await expect(
    testing.database.within(ground.scope, (tx) => tx.deleteFrom('holds').where('tenant_id', '=', ground.tenantId).execute()),
  ).rejects.toThrow(/permission denied/);
});

test('the page of all holds says what each really guards, and what it names without guarding anything of it', async () => {
  const place = await aGround(testing.database);
  const its = await server.member(place.scope.organisationId, 'owner');
  const path = `/apollo/api/${place.tenantId}/holds`;
  const ann = await aResource(testing.database, place, { graphId: 'ann2', name: 'Ann' });
  await aResource(testing.database, place, { graphId: 'ben2', name: 'Ben' });
  const catalog = createCatalog({ database: testing.database, scope: place.scope, locationId: place.locationId, ids });
  const made = (sequence: number) => ({ ...aSegment(ann, sequence), committedAt: `2026-11-0${sequence}T12:00:00.000Z` });
  await catalog.apply({ ...made(1), put: [anItem('a', { sizeBytes: 100 }), anItem('b', { sizeBytes: 10 })] });
  await catalog.apply({ ...made(2), put: [anItem('a', { sizeBytes: 200 })] });
  await catalog.apply({ ...made(3), put: [anItem('c', { sizeBytes: 1_000 })], removed: ['b'] });
  await catalog.apply({ ...made(4), put: [anItem('d', { sizeBytes: 10_000 })] });
  const on = async (body: object): Promise<string> => {
    const placed = await server.send(path, { token: its.tokens.main, body: { name: 'Case', reason: 'Court', ...body } });
    return ((await placed.json()) as Hold).holdId;
  };
  const all = await on({ resourceId: ann });
  // Of the third, the point before it begins and the one after it ends are guarded too: 2, 3 and 4.
  const third = await on({ from: '2026-11-03T00:00:00.000Z', to: '2026-11-03T23:00:00.000Z' });
  const early = await on({ to: '2026-11-01T00:00:00.000Z' });
  const answer = await server.send(`${path}/guarded`, { token: its.tokens.main });
  const { items } = (await answer.json()) as { items: GuardedByHold[] };
  const of = (holdId: string) => items.find((one) => one.holdId === holdId);
  const missed = { unreached: 1, unreachedNames: ['Ben'] };
  const none = { unreached: 0, unreachedNames: [] };
  expect(of(all)).toEqual({ holdId: all, resources: 1, points: 4, items: 4, bytes: 11_310, ...none });
  expect(of(third)).toEqual({ holdId: third, resources: 1, points: 3, items: 4, bytes: 11_210, ...missed });
  expect(of(early)).toEqual({ holdId: early, resources: 1, points: 1, items: 2, bytes: 110, ...missed });
  await testing.asSuperuser('update holds set released_at = now() where hold_id = $1', [third]);
  const later = (await (await server.send(`${path}/guarded`, { token: its.tokens.main })).json()) as { items: GuardedByHold[] };
  expect(later.items.map(({ holdId }) => holdId).toSorted()).toEqual([all, early].toSorted());
});
