import type { Approval } from '@holdfast/contract/approvals';
import type { Policy, PolicyPreview } from '@holdfast/contract/retention';
import type { SavedSearch } from '@holdfast/contract/saved-searches';
import type { Tx } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, aTenantRow, testIds as ids, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { readWords } from '../search/testing/indexed.ts';
import { createDeletedBy } from './deleted-by.service.ts';
import { keptVersions } from './kept-versions.views.ts';
import { createMaximums } from './maximums.service.ts';
import { createMinimums } from './minimums.service.ts';
import { createPolicySearches } from './policy-searches.service.ts';
import { createRetentionStore } from './retention.store.ts';

/** Policies on what a saved search finds: what they keep and delete, and what becomes of them when somebody changes the search. */
const testing = testDatabase(import.meta.url);
const store = createRetentionStore(testing.database);
const minimums = createMinimums(store, { recognisesScans: false });
const maximums = createMaximums({ store, recognisesScans: false });
const deletedBy = createDeletedBy({ store, recognisesScans: false });
let server: TestServer;
let owner: SignedIn;
let second: SignedIn;
let ground: Ground;
const searches = createPolicySearches({ store, clock: systemClock, logger: silentLogger, scopes: async () => [ground.scope] });

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  owner = await server.member(ground.scope.organisationId, 'owner');
  second = await server.member(ground.scope.organisationId, 'administrator');
}, 120_000);
afterEach(() =>
  testing.asSuperuser('update retention_policies set ended_at = now(), look_at = null where ended_at is null and activated_at is not null'),
);
afterAll(() => server.close());

const keeps = { anchor: 'received', length: { amount: 60, unit: 'years' }, start: 'day' } as const;
const deletes = { anchor: 'received', length: null, maximum: { amount: 1, unit: 'years' }, start: 'day' } as const;

interface Answer<T> {
  readonly status: number;
  readonly body: T & { readonly code?: string; readonly message?: string; readonly errors?: Record<string, string[]> };
}

async function send<T>(to: string, body?: unknown, options: { who?: SignedIn; method?: string } = {}): Promise<Answer<T>> {
  const { who = owner, method } = options;
  const answer = await server.send(`/apollo/api/${ground.tenantId}/${to}`, {
    token: who.tokens.main,
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  });
  return { status: answer.status, body: (answer.status === 204 ? {} : await answer.json()) as Answer<T>['body'] };
}

const save = async (query: string): Promise<SavedSearch> =>
  (await send<SavedSearch>('archive/searches', { name: ids.token(6), query, hasAlert: false })).body;
const rewrite = ({ searchId, name }: SavedSearch, query: string) =>
  send<SavedSearch>(`archive/searches/${searchId}`, { name, query, hasAlert: false }, { method: 'PUT' });

async function draft(name: string, body: object): Promise<Policy> {
  const answer = await send<Policy>('archive/policies', { name: `${name} ${ids.token(4)}`, ...body });
  expect(answer).toMatchObject({ status: 201, body: { status: 'draft' } });
  return answer.body;
}

const preview = async ({ policyId }: Policy): Promise<PolicyPreview> =>
  (await send<PolicyPreview>(`archive/policies/${policyId}/preview`, {})).body;
const read = async ({ policyId }: Policy): Promise<Policy> => (await send<Policy>(`archive/policies/${policyId}`)).body;
const ask = ({ policyId }: Policy) => send<Policy>(`archive/policies/${policyId}/activate`, {});

async function approve({ policyId }: Policy): Promise<Answer<object>> {
  const { items } = (await send<{ items: Approval[] }>('approvals', undefined, { who: second })).body;
  const request = items.find(({ subjectId, status }) => subjectId === policyId && status === 'waiting');
  return send(`approvals/${request?.approvalId}/approve`, {}, { who: second });
}

async function inForce(name: string, body: object): Promise<Policy> {
  const policy = await draft(name, body);
  await preview(policy);
  expect((await ask(policy)).body.status).toBe('waiting');
  expect((await approve(policy)).status).toBe(200);
  return read(policy);
}

const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => testing.database.within(ground.scope, work);

/** An archive or a drive whose items are named by their keys; their words are read when asked. */
async function aPlace(kind: 'archive' | 'drive' = 'archive') {
  const { scope, locationId } = ground;
  const workload = kind === 'archive' ? 'archive' : 'onedrive';
  const resourceId = await aResource(testing.database, ground, { name: `Of ${kind}`, kind, workload });
  const keptWithin = async (...at: Parameters<typeof minimums.within>) => ({ holds: [], minimums: await minimums.within(...at) });
  const catalog = createCatalog({ database: testing.database, scope, locationId, ids, keptWithin });
  let sequence = 0;
  const subjects: Record<string, string> = {};
  const item = kind === 'archive' ? 'message' : 'file';
  return {
    resourceId,
    async commit(put: Readonly<Record<string, string>>, removed: readonly string[] = []): Promise<void> {
      sequence += 1;
      Object.assign(subjects, put);
      const items = Object.keys(put).map((key) => anItem(key, { kind: item, modifiedAt: '2019-03-05T10:00:00.000Z' }));
      await catalog.apply(aSegment(resourceId, sequence, { put: items, removed }));
    },
    read: (at?: string) => readWords(testing.database, scope, subjects, { at }),
    forget: (sequences: readonly number[]) => catalog.forgetPoints(resourceId, [...sequences]),
    /** The names of the policies that keep each message. */
    async kept(...messageIds: string[]): Promise<Record<string, readonly string[]>> {
      const found = await within((tx) => minimums.ofMessages(tx, { resourceId, messageIds }));
      return Object.fromEntries([...found].map(([id, by]) => [id, by.map(({ name }) => name)]));
    },
    /** What a run would delete of these, by the page it lists and by the question it asks before it erases; both are the same. */
    async deleted({ policyId }: Policy, ...messageIds: string[]): Promise<readonly string[]> {
      const asked = await within((tx) => maximums.among(tx, policyId, { resourceId, messageIds }));
      const listed = await within(async (tx) => {
        const all: string[] = [];
        for await (const page of maximums.pages(tx, policyId)) if (page.resourceId === resourceId) all.push(...page.messageIds);
        return all;
      });
      const named = await within((tx) =>
        Promise.all(messageIds.map(async (messageId) => ((await deletedBy(tx, { resourceId, messageId })).length > 0 ? [messageId] : []))),
      );
      expect(listed.sort()).toEqual([...asked].sort());
      expect(named.flat().sort()).toEqual([...asked].sort());
      return [...asked].sort();
    },
    state: (key: string, state: string) =>
      testing.asSuperuser(
        'update search_items set state = $1 where item_key = $2 and source_id in (select source_id from catalog_sources where resource_id = $3)',
        [state, key, resourceId],
      ),
  };
}

test('A19: a minimum keeps what the search finds and what nobody has read yet, and what has been read and is no hit may go', async () => {
  const place = await aPlace();
  await place.commit({ bill: 'alpha invoice', lunch: 'alpha lunch' });
  await place.read();
  const search = await save('invoice');
  const policy = await inForce('Invoices', { ...keeps, searchId: search.searchId });
  expect(policy.search).toEqual({ searchId: search.searchId, name: search.name, query: 'invoice', queryVersion: 1, isChanged: false });
  const by = [policy.name];
  expect(await place.kept('bill', 'lunch')).toEqual({ bill: by });
  await place.commit({ late: 'invoice', later: 'dinner' });
  expect(await place.kept('bill', 'lunch', 'late', 'later')).toEqual({ bill: by, late: by, later: by });
  await place.read();
  expect(await place.kept('bill', 'lunch', 'late', 'later')).toEqual({ bill: by, late: by });
  expect((await send<{ items: object[] }>(`archive/searches/${search.searchId}/uses`)).body.items).toEqual([
    { kind: 'policy', id: policy.policyId, name: policy.name },
  ]);
});

test('A19: the restore points of an archive stay that a hit is in, also when it came after the policy', async () => {
  const place = await aPlace();
  await place.commit({ note: 'beta lunch' });
  await place.read();
  const policy = await inForce('Beta', { ...keeps, searchId: (await save('beta invoice')).searchId });
  const points = () => within((tx) => minimums.on(tx, { resourceId: place.resourceId, locationId: ground.locationId }));
  expect(await points()).toEqual([]);
  await place.commit({ bill: 'beta invoice' });
  await place.read();
  await place.commit({ other: 'beta lunch' });
  await place.read();
  expect(await points()).toMatchObject([{ name: policy.name, fromSequence: 2 }]);
  expect(await place.forget([1, 2])).toEqual([1]);
});

test('what cannot be read is kept by a search for words inside, and what failed by every search; neither is deleted', async () => {
  const place = await aPlace();
  await place.commit({ plain: 'gamma', sealed: 'gamma', broken: 'gamma', odd: 'gamma' });
  await place.read();
  await place.state('sealed', 'encrypted');
  await place.state('broken', 'failed');
  await place.state('odd', 'unsupported');
  const all = ['plain', 'sealed', 'broken', 'odd'];
  const inside = await inForce('Inside', { ...keeps, searchId: (await save('delta')).searchId });
  const outside = await inForce('Outside', { ...keeps, searchId: (await save('subject:delta')).searchId });
  expect(await place.kept(...all)).toEqual({ sealed: [inside.name], broken: [inside.name, outside.name] });
  const gone = await inForce('Gone', { ...deletes, searchId: (await save('gamma')).searchId });
  expect(await place.deleted(gone, ...all)).toEqual(['plain']);
  const byName = await inForce('By name', { ...deletes, searchId: (await save('subject:gamma')).searchId });
  expect(await place.deleted(byName, ...all)).toEqual(['odd', 'plain', 'sealed']);
  // Other tests count what is kept without these.
  for (const key of all) await place.state(key, 'indexed');
});

test('a maximum deletes what the search certainly finds, and nothing that nobody has read', async () => {
  const place = await aPlace();
  await place.commit({ spam: 'epsilon', ham: 'lunch' });
  await place.read();
  const draftOfIt = await draft('Epsilon', { ...deletes, searchId: (await save('epsilon')).searchId });
  await place.commit({ unread: 'epsilon' });
  expect(await preview(draftOfIt)).toMatchObject({ due: { messages: 1, bytes: 10 }, mailboxes: [{ mailboxId: place.resourceId }] });
  await ask(draftOfIt);
  expect((await approve(draftOfIt)).status).toBe(200);
  expect(await place.deleted(draftOfIt, 'spam', 'ham', 'unread')).toEqual(['spam']);
  await place.read();
  expect(await place.deleted(draftOfIt, 'spam', 'ham', 'unread')).toEqual(['spam', 'unread']);
});

test('where scans are recognised, what has one that waits is kept and not deleted, whatever its search says without it', async () => {
  const place = await aPlace();
  await place.commit({ scanned: 'sigma' });
  await place.read();
  await within((tx) =>
    sql`insert into search_scans (item_no, document_hash, source_id, at) select item_no, repeat('b', 64), source_id, at from search_items
      where item_key = 'scanned'`.execute(tx),
  );
  const kept = await inForce('Signed', { ...keeps, searchId: (await save('signature')).searchId });
  const gone = await inForce('Unsigned', { ...deletes, searchId: (await save('sigma NOT signature')).searchId });
  const asked = { resourceId: place.resourceId, messageIds: ['scanned'] };
  const said = async (recognisesScans: boolean) => {
    const keeping = await within((tx) => createMinimums(store, { recognisesScans }).ofMessages(tx, asked));
    const deleting = await within((tx) => createMaximums({ store, recognisesScans }).among(tx, gone.policyId, asked));
    return [(keeping.get('scanned') ?? []).map(({ name }) => name), [...deleting]];
  };
  expect(await said(false)).toEqual([[], ['scanned']]);
  expect(await said(true)).toEqual([[kept.name], []]);
  await testing.asSuperuser(`update search_scans set state = 'read', text = 'nothing'`);
  expect(await said(true)).toEqual([[], ['scanned']]);
});

test('A23: another query takes nothing from a minimum and adds to it; a maximum waits for preview and a second person again', async () => {
  const place = await aPlace();
  await place.commit({ a: 'zeta', b: 'eta', c: 'theta' });
  await place.read();
  const search = await save('zeta OR eta');
  const both = await inForce('Both', {
    ...keeps,
    length: { amount: 1, unit: 'years' },
    maximum: { amount: 2, unit: 'years' },
    searchId: search.searchId,
  });
  const kept = await inForce('Kept', { ...keeps, searchId: search.searchId });
  const by = [kept.name];
  expect(await place.deleted(both, 'a', 'b', 'c')).toEqual(['a', 'b']);
  expect((await rewrite(search, 'eta OR theta')).status).toBe(200);
  expect(await place.kept('a', 'b', 'c')).toEqual({ a: by, b: by, c: by });
  expect(await place.deleted(both, 'a', 'b', 'c')).toEqual([]);
  expect((await preview(both)).due.messages).toBe(0);
  expect((await read(both)).search).toMatchObject({ query: 'zeta OR eta', queryVersion: 1, isChanged: true });
  // A query that was in force in between has kept something too.
  expect((await rewrite(search, 'nothing')).status).toBe(200);
  expect(await place.kept('a', 'b', 'c')).toEqual({ a: by, b: by, c: by });
  const next = await draft('Next', { ...keeps, searchId: search.searchId, replaces: kept.policyId });
  expect(await preview(next)).toMatchObject({ kept: { messages: 0 }, shortened: { messages: 3 } });
  expect((await ask(next)).status).toBe(200);
  expect((await approve(next)).status).toBe(200);
  expect(await place.kept('a', 'b', 'c')).toEqual({});
});

test('A23: whoever rewrites the query between preview and approval has it previewed again', async () => {
  const search = await save('iota');
  const policy = await draft('Iota', { ...keeps, searchId: search.searchId });
  await preview(policy);
  await rewrite(search, 'kappa');
  expect((await ask(policy)).body.code).toBe('retention.preview-needed');
  expect(await preview(policy)).toMatchObject({ kept: { messages: 0 } });
  expect((await read(policy)).search).toMatchObject({ query: 'kappa', queryVersion: 2 });
  expect((await ask(policy)).status).toBe(200);
  await rewrite(search, 'lambda');
  expect((await approve(policy)).body.code).toBe('retention.preview-needed');
  expect((await read(policy)).status).toBe('waiting');
});

test('a search of a policy is not deleted, draft or not, and the refusal names the policy; after the policy it is free', async () => {
  const search = await save('mu');
  const policy = await inForce('Mu', { ...keeps, searchId: search.searchId });
  const remove = () => send(`archive/searches/${search.searchId}`, undefined, { method: 'DELETE' });
  const refused = await remove();
  expect(refused).toMatchObject({ status: 409, body: { code: 'search.in-use' } });
  expect(refused.body.message).toContain(policy.name);
  await testing.asSuperuser('update retention_policies set ended_at = now() where policy_id = $1', [policy.policyId]);
  const other = await draft('Other', { ...keeps, searchId: search.searchId });
  expect((await remove()).body.message).toContain(other.name);
  await send(`archive/policies/${other.policyId}`, undefined, { method: 'DELETE' });
  expect((await remove()).status).toBe(204);
  expect((await read(policy)).search).toMatchObject({ searchId: null, name: search.name, query: 'mu' });
});

test('what a query for recent days has found once stays kept, although the query finds it no longer', async () => {
  const place = await aPlace();
  await place.commit({ recent: 'nu' });
  await place.read(new Date(Date.now() - 86_400_000).toISOString());
  const policy = await inForce('Recent', { ...keeps, searchId: (await save('nu AND received>=-7d')).searchId });
  await searches.turn(ground.scope);
  await testing.asSuperuser(`update search_items set at = at - interval '30 days'`);
  expect(await place.kept('recent')).toEqual({ recent: [policy.name] });
});

test('a search that nobody can read any longer keeps everything and deletes nothing', async () => {
  const place = await aPlace();
  await place.commit({ one: 'xi', two: 'lunch' });
  await place.read();
  const search = await save('xi');
  const kept = await inForce('Kept', { ...keeps, searchId: search.searchId });
  const gone = await inForce('Gone', { ...deletes, searchId: search.searchId });
  expect(await place.deleted(gone, 'one', 'two')).toEqual(['one']);
  await testing.asSuperuser(`update saved_search_queries set query = '((' where search_id = $1`, [search.searchId]);
  expect(await place.kept('one', 'two')).toEqual({ one: [kept.name], two: [kept.name] });
  expect(await place.deleted(gone, 'one', 'two')).toEqual([]);
});

test('a search that is not there, belongs to another tenant, asks for marks or comes with mailboxes is refused at its field', async () => {
  // Another tenant of the same organisation.
  const elsewhere = aTenantRow({ active: false });
  await within((tx) => tx.insertInto('tenants').values(elsewhere).execute());
  const { searchId: foreign } = await save('foreign');
  await testing.asSuperuser('update saved_searches set tenant_id = $1 where search_id = $2', [elsewhere.tenant_id, foreign]);
  const place = await aPlace();
  const { searchId } = await save('omicron');
  for (const [body, code] of [
    [{ searchId: ids.uuid() }, 'retention.search-unknown'],
    [{ searchId: foreign }, 'retention.search-unknown'],
    [{ searchId: (await save('omicron AND NOT hold:true')).searchId }, 'retention.search-marks'],
    [{ searchId, mailboxes: [place.resourceId] }, 'request.invalid'],
    [{ searchId, attributes: [{ attribute: 'department', values: ['Sales'] }] }, 'request.invalid'],
    [{ searchId, about: 'files', places: [{ resourceId: place.resourceId }] }, 'request.invalid'],
  ] as const) {
    const refused = await send('archive/policies', { name: 'Refused', ...keeps, ...body });
    expect([refused.status, refused.body.code]).toEqual([400, code]);
  }
});

test('a policy on files by search keeps the restore points of what it finds in any drive, and says so of the file', async () => {
  const place = await aPlace('drive');
  await place.commit({ plan: 'rho plan', menu: 'rho lunch' });
  await place.commit({}, ['plan']);
  await place.commit({}, ['menu']);
  await place.commit({});
  await place.read();
  const search = await save('rho plan');
  const policy = await draft('Plans', { ...keeps, about: 'files', searchId: search.searchId });
  expect(await preview(policy)).toMatchObject({ kept: { messages: 1, bytes: 10 }, mailboxes: [{ mailboxId: place.resourceId }] });
  await ask(policy);
  expect((await approve(policy)).status).toBe(200);
  const ofFile = async (itemKey: string) =>
    (await within((tx) => minimums.ofFile(tx, { resourceId: place.resourceId, itemKey }))).map(({ name }) => name);
  expect([await ofFile('plan'), await ofFile('menu')]).toEqual([[policy.name], []]);
  const versions = await within(async (tx) => {
    const isKept = await keptVersions(tx, ground.tenantId, Date.now());
    const column = { sourceId: sql`item.source_id`, itemKey: sql`item.item_key`, modifiedAt: sql`item.modified_at` };
    const { rows } = await sql<{ item_key: string }>`select item_key from catalog_items item join catalog_sources source using (source_id)
      where source.resource_id = ${place.resourceId} and ${isKept(column)}`.execute(tx);
    return rows.map(({ item_key: key }) => key);
  });
  expect(versions).toEqual(['plan']);
  expect(await within((tx) => minimums.namesIn(tx, ground.tenantId))).toEqual([expect.stringContaining(policy.name)]);
  expect(await place.forget([1, 2, 3])).toEqual([2, 3]);
});
