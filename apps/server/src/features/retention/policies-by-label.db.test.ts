import type { Approval } from '@holdfast/contract/approvals';
import type { Policy, PolicyPreview } from '@holdfast/contract/retention';
import type { Tx } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import type { SensitivityLabel } from '@holdfast/foundation/sensitivity-labels';
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

/** Policies on sensitivity labels: what they keep and delete, from when they count, and what becomes of labels that go. */
const testing = testDatabase(import.meta.url);
const store = createRetentionStore(testing.database);
const minimums = createMinimums(store, { recognisesScans: false });
const maximums = createMaximums({ store, recognisesScans: false });
const deletedBy = createDeletedBy({ store, recognisesScans: false });
let server: TestServer;
let owner: SignedIn;
let second: SignedIn;
let ground: Ground;
const labels = createPolicySearches({ store, clock: systemClock, logger: silentLogger, scopes: async () => [ground.scope] });

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  owner = await server.member(ground.scope.organisationId, 'owner');
  second = await server.member(ground.scope.organisationId, 'administrator');
}, 120_000);
afterEach(async () => {
  await testing.asSuperuser(
    'update retention_policies set ended_at = now(), look_at = null where ended_at is null and activated_at is not null',
  );
  // Other tests count what is kept without what nobody knows the labels of.
  await testing.asSuperuser('update search_items set labels_known = true');
});
afterAll(() => server.close());

const keeps = { anchor: 'received', length: { amount: 60, unit: 'years' }, start: 'day' } as const;
const deletes = { anchor: 'received', length: null, maximum: { amount: 1, unit: 'years' }, start: 'day' } as const;
const threeYears = { anchor: 'labelled', length: { amount: 3, unit: 'years' }, start: 'day' } as const;
const RECEIVED = '2019-03-05T10:00:00.000Z';

/** A label of its own for each test. */
function aLabel(name: string, setAt: string | null = null): SensitivityLabel {
  return { labelId: ids.uuid(), name, setAt };
}

interface Answer<T> {
  readonly status: number;
  readonly body: T & { readonly code?: string; readonly errors?: Record<string, string[]> };
}

async function send<T>(to: string, body?: unknown, who: SignedIn = owner): Promise<Answer<T>> {
  const answer = await server.send(`/apollo/api/${ground.tenantId}/${to}`, {
    token: who.tokens.main,
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer<T>['body'] };
}

async function draft(name: string, body: object): Promise<Policy> {
  const answer = await send<Policy>('archive/policies', { name: `${name} ${ids.token(4)}`, ...body });
  expect(answer).toMatchObject({ status: 201, body: { status: 'draft' } });
  return answer.body;
}

const preview = async ({ policyId }: Policy): Promise<PolicyPreview> =>
  (await send<PolicyPreview>(`archive/policies/${policyId}/preview`, {})).body;

async function approve({ policyId }: Policy): Promise<Policy> {
  expect((await send<Policy>(`archive/policies/${policyId}/activate`, {})).body.status).toBe('waiting');
  const { items } = (await send<{ items: Approval[] }>('approvals', undefined, second)).body;
  const request = items.find(({ subjectId, status }) => subjectId === policyId && status === 'waiting');
  expect((await send(`approvals/${request?.approvalId}/approve`, {}, second)).status).toBe(200);
  return (await send<Policy>(`archive/policies/${policyId}`)).body;
}

async function inForce(name: string, body: object): Promise<Policy> {
  const policy = await draft(name, body);
  await preview(policy);
  return approve(policy);
}

const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => testing.database.within(ground.scope, work);
type Labels = Readonly<Record<string, readonly SensitivityLabel[] | null>>;

/** An archive or a drive whose items are named by their keys; their labels are read when asked. */
async function aPlace(kind: 'archive' | 'drive' = 'archive') {
  const { scope, locationId } = ground;
  const workload = kind === 'archive' ? 'archive' : 'onedrive';
  const resourceId = await aResource(testing.database, ground, { name: `Of ${kind}`, kind, workload });
  const keptWithin = async (...at: Parameters<typeof minimums.within>) => ({ holds: [], minimums: await minimums.within(...at) });
  const catalog = createCatalog({ database: testing.database, scope, locationId, ids, keptWithin });
  let sequence = 0;
  const item = kind === 'archive' ? 'message' : 'file';
  return {
    resourceId,
    async commit(put: readonly string[], modifiedAt = RECEIVED): Promise<void> {
      sequence += 1;
      await catalog.apply(aSegment(resourceId, sequence, { put: put.map((key) => anItem(key, { kind: item, modifiedAt })) }));
    },
    read: (found: Labels) => readWords(testing.database, scope, {}, { labels: found }),
    async received(found: Labels): Promise<void> {
      await this.commit(Object.keys(found));
      await this.read(found);
    },
    forget: (sequences: readonly number[]) => catalog.forgetPoints(resourceId, [...sequences]),
    /** The names of the policies that keep each message. */
    async kept(...messageIds: string[]): Promise<Record<string, readonly string[]>> {
      const found = await within((tx) => minimums.ofMessages(tx, { resourceId, messageIds }));
      return Object.fromEntries([...found].map(([id, by]) => [id, by.map(({ name }) => name)]));
    },
    /** Until when one policy keeps each message: the first moment at which it does not any longer; null without end. */
    async until(...messageIds: string[]): Promise<Record<string, string | null>> {
      const found = await within((tx) => minimums.ofMessages(tx, { resourceId, messageIds }));
      return Object.fromEntries([...found].map(([id, [by]]) => [id, by?.until?.toISOString() ?? null]));
    },
    /** What a run would delete of these, by the page it lists and by the question it asks before it erases; both are the same. */
    async deleted({ policyId }: Policy, ...messageIds: string[]): Promise<readonly string[]> {
      const asked = await within((tx) => maximums.among(tx, policyId, { resourceId, messageIds }));
      const listed = await within(async (tx) => {
        const all: string[] = [];
        for await (const page of maximums.pages(tx, policyId)) if (page.resourceId === resourceId) all.push(...page.messageIds);
        return all;
      });
      expect(listed.sort()).toEqual([...asked].sort());
      return [...asked].sort();
    },
  };
}

test('A19: a minimum by label keeps what carries the label and what nobody knows the labels of; what never had one may go', async () => {
  const [secret, general] = [aLabel('Secret'), aLabel('General')];
  const place = await aPlace();
  await place.received({ secret: [secret], general: [general], plain: [], sealed: null });
  const policy = await inForce('Secret', { ...keeps, labels: [secret.labelId] });
  expect(policy).toMatchObject({ labels: [{ labelId: secret.labelId, name: 'Secret' }], mailboxes: null, search: null });
  const by = [policy.name];
  const all = ['secret', 'general', 'plain', 'sealed', 'late', 'later'];
  expect(await place.kept(...all)).toEqual({ secret: by, sealed: by });
  await place.commit(['late', 'later']);
  expect(await place.kept(...all)).toEqual({ secret: by, sealed: by, late: by, later: by });
  await place.read({ late: [general, secret], later: [general] });
  expect(await place.kept(...all)).toEqual({ secret: by, sealed: by, late: by });
});

test('a maximum by label deletes what carries the label now, and nothing whose labels nobody knows', async () => {
  const label = aLabel('Draft');
  const place = await aPlace();
  await place.received({ labelled: [label], plain: [], sealed: null });
  const policy = await draft('Drafts', { ...deletes, labels: [label.labelId] });
  await place.commit(['unread']);
  expect(await preview(policy)).toMatchObject({ due: { messages: 1, bytes: 10 }, mailboxes: [{ mailboxId: place.resourceId }] });
  await approve(policy);
  const all = ['labelled', 'plain', 'sealed', 'unread'];
  expect(await place.deleted(policy, ...all)).toEqual(['labelled']);
  await place.read({ unread: [label] });
  // Nobody knows what its first version carried.
  await place.received({ sealed: [label] });
  expect(await place.deleted(policy, ...all)).toEqual(['labelled', 'unread']);
});

test('a label that a later version has no longer keeps by a minimum, even after the labelled version is gone, and deletes by no maximum', async () => {
  const label = aLabel('Internal');
  const place = await aPlace();
  await place.received({ once: [label], still: [label] });
  const kept = await inForce('Kept', { ...keeps, labels: [label.labelId] });
  const gone = await inForce('Gone', { ...deletes, labels: [label.labelId] });
  expect(await place.deleted(gone, 'once', 'still')).toEqual(['once', 'still']);
  await place.received({ once: [] });
  const both = { once: [kept.name], still: [kept.name] };
  expect(await place.kept('once', 'still')).toEqual(both);
  expect(await place.deleted(gone, 'once', 'still')).toEqual(['still']);
  await labels.turn(ground.scope);
  await testing.asSuperuser('delete from search_labels where label_id = $1', [label.labelId]);
  expect(await place.kept('once', 'still')).toEqual(both);
  expect(await place.deleted(gone, 'once', 'still')).toEqual([]);
});

test('A21: a period from labelling counts from the label or, if that is later, from receipt; a label without a day from receipt, and unknown labels without end', async () => {
  const label = aLabel('Contract');
  const on = (setAt: string | null) => [{ ...label, setAt }];
  const place = await aPlace();
  await place.received({
    set: on('2025-05-17T10:00:00.000Z'),
    early: on('1998-01-01T00:00:00.000Z'),
    undated: on(null),
    plain: [],
    sealed: null,
  });
  const policy = await draft('Contracts', { ...threeYears, labels: [label.labelId] });
  const found = await preview(policy);
  expect(found).toMatchObject({ kept: { messages: 2 }, waiting: { messages: 1 }, over: { messages: 2 } });
  await approve(policy);
  const all = ['set', 'early', 'undated', 'plain', 'sealed'];
  const until = await place.until(...all);
  expect(Object.keys(until).sort()).toEqual(['sealed', 'set']);
  expect(until['sealed']).toBeNull();
  expect(until['set']).toMatch(/^2028-05-1[78]T/u);
  await place.received({ sealed: on('2024-12-31T10:00:00.000Z') });
  // Its first version is still sealed: nobody knows when that was labelled.
  expect((await place.until('sealed'))['sealed']).toBeNull();
});

test('a maximum from labelling deletes no sooner, and the message says from when on', async () => {
  const label = aLabel('Case file');
  const place = await aPlace();
  const lastMonth = new Date(Date.now() - 30 * 86_400_000).toISOString();
  await place.received({ old: [{ ...label, setAt: '2020-05-17T10:00:00.000Z' }], fresh: [{ ...label, setAt: lastMonth }], sealed: null });
  const policy = await draft('Case files', { ...deletes, anchor: 'labelled', labels: [label.labelId] });
  expect(await preview(policy)).toMatchObject({ due: { messages: 1 } });
  await approve(policy);
  expect(await place.deleted(policy, 'old', 'fresh', 'sealed')).toEqual(['old']);
  const of = (messageId: string) => within((tx) => deletedBy(tx, { resourceId: place.resourceId, messageId }));
  expect((await of('fresh'))[0]?.from?.getTime()).toBeGreaterThan(Date.now() + 300 * 86_400_000);
  expect((await of('old'))[0]?.from?.getTime()).toBeLessThan(Date.now());
  expect(await of('sealed')).toEqual([]);
});

test('each policy counts from the label that it is on, whatever other labels say', async () => {
  const [first, last] = [aLabel('First', '2024-06-01T10:00:00.000Z'), aLabel('Last', '2026-06-01T10:00:00.000Z')];
  const place = await aPlace();
  await place.received({ both: [first, last] });
  await inForce('First', { ...threeYears, labels: [first.labelId] });
  expect((await place.until('both'))['both']).toMatch(/^2027-06-0[12]T/u);
  const other = await inForce('Last', { ...threeYears, labels: [last.labelId] });
  const found = await within((tx) => minimums.ofMessages(tx, { resourceId: place.resourceId, messageIds: ['both'] }));
  expect(found.get('both')?.map(({ until }) => until?.toISOString().slice(0, 7))).toEqual(['2029-06', '2027-06']);
  expect(found.get('both')?.[0]?.name).toBe(other.name);
});

test('the form is offered the labels that were found in the tenant, most items first, and the body takes names of these and GUIDs of any', async () => {
  const [many, few] = [aLabel(`Many ${ids.token(4)}`), aLabel(`Few ${ids.token(4)}`)];
  const place = await aPlace();
  await place.received({ a: [many], b: [many, few], c: [{ ...many, name: '' }] });
  const elsewhere = aTenantRow({ active: false });
  await within((tx) => tx.insertInto('tenants').values(elsewhere).execute());
  const offered = async () => {
    const { items } = (await send<{ items: { labelId: string; name: string; items: number }[] }>('archive/labels')).body;
    return items.filter(({ labelId }) => [many.labelId, few.labelId].includes(labelId));
  };
  expect(await offered()).toEqual([
    { labelId: many.labelId, name: many.name, items: 3 },
    { labelId: few.labelId, name: few.name, items: 1 },
  ]);
  const unseen = ids.uuid();
  const policy = await draft('Named', { ...keeps, labels: [many.name.toUpperCase(), unseen.toUpperCase(), many.labelId] });
  expect(policy.labels).toEqual([
    { labelId: many.labelId, name: many.name },
    { labelId: unseen, name: '' },
  ]);
  await testing.asSuperuser('update resources set tenant_id = $1 where resource_id = $2', [elsewhere.tenant_id, place.resourceId]);
  expect(await offered()).toEqual([]);
  expect(await send('archive/policies', { name: 'Foreign', ...keeps, labels: [many.name] })).toMatchObject({
    status: 400,
    body: { code: 'retention.label-unknown', errors: { labels: [expect.any(String)] } },
  });
});

test('labels beside another scope, and counting from labelling without any, are refused at their field', async () => {
  const place = await aPlace();
  const { labelId } = aLabel('Refused');
  for (const body of [
    { labels: [labelId], mailboxes: [place.resourceId] },
    { labels: [labelId], attributes: [{ attribute: 'department', values: ['Sales'] }] },
    { labels: [labelId], searchId: ids.uuid() },
    { labels: [labelId], about: 'files', places: [{ resourceId: place.resourceId }] },
    { anchor: 'labelled' },
    { labels: Array.from({ length: 51 }, () => ids.uuid()) },
  ]) {
    const refused = await send('archive/policies', { name: 'Refused', ...keeps, ...body });
    expect([refused.status, refused.body.code]).toEqual([400, 'request.invalid']);
  }
});

test('a policy on files by label keeps the restore points of what carries it in any drive, counts each version, and says so of the file', async () => {
  const label = aLabel('Blueprint', '2025-05-17T10:00:00.000Z');
  const place = await aPlace('drive');
  await place.received({ plan: [label], menu: [] });
  await place.commit(['plan'], '2026-05-05T10:00:00.000Z');
  await place.read({ plan: [] });
  await place.commit(['other']);
  await place.read({ other: [] });
  const policy = await draft('Blueprints', { ...threeYears, about: 'files', labels: [label.labelId] });
  expect(await preview(policy)).toMatchObject({
    kept: { messages: 2 },
    waiting: { messages: 0 },
    mailboxes: [{ mailboxId: place.resourceId }],
  });
  await approve(policy);
  const ofFile = (itemKey: string) => within((tx) => minimums.ofFile(tx, { resourceId: place.resourceId, itemKey }));
  const [kept] = await ofFile('plan');
  // The later version counts from its own change: it came after the label.
  expect([kept?.name, kept?.until?.toISOString().slice(0, 7)]).toEqual([policy.name, '2029-05']);
  expect(await ofFile('menu')).toEqual([]);
  const versions = await within(async (tx) => {
    const isKept = await keptVersions(tx, ground.tenantId, Date.now());
    const column = { sourceId: sql`item.source_id`, itemKey: sql`item.item_key`, modifiedAt: sql`item.modified_at` };
    const { rows } = await sql<{ item_key: string }>`select item_key from catalog_items item join catalog_sources source using (source_id)
      where source.resource_id = ${place.resourceId} and ${isKept(column)}`.execute(tx);
    return rows.map(({ item_key: key }) => key);
  });
  expect(versions).toEqual(['plan', 'plan']);
  expect(await place.forget([1, 2])).toEqual([2]);
});
