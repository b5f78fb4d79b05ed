import type { ResponseOf } from '@holdfast/contract/route';
import type { compliance } from '@holdfast/contract/compliance';
import type { Approval } from '@holdfast/contract/approvals';
import type { Policy, PolicyPreview, RetentionEvent } from '@holdfast/contract/retention';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createMinimums } from './minimums.service.ts';
import { createRetentionStore } from './retention.store.ts';

/** Policies on sites, folders and files: which restore points they keep and until when, and what the pages say of it. */
const testing = testDatabase(import.meta.url);
const store = createRetentionStore(testing.database);
const minimums = createMinimums(store, { recognisesScans: false });
let server: TestServer;
let owner: SignedIn;
let second: SignedIn;
let ground: Ground;

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  const { organisationId } = ground.scope;
  await testing.asSuperuser(`update organisations set time_zone = 'Europe/Berlin' where organisation_id = $1`, [organisationId]);
  owner = await server.member(organisationId, 'owner');
  second = await server.member(organisationId, 'administrator');
}, 120_000);
afterEach(() => testing.asSuperuser('update retention_policies set ended_at = now() where activated_at is not null and ended_at is null'));
afterAll(() => server.close());

const keptForYears = { about: 'files', anchor: 'received', length: { amount: 60, unit: 'years' }, start: 'calendarYear' } as const;

interface Answer<T> {
  readonly status: number;
  readonly body: T & { code?: string; message?: string; errors?: Record<string, string[]> };
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

const preview = async ({ policyId }: Policy): Promise<PolicyPreview> =>
  (await send<PolicyPreview>(`archive/policies/${policyId}/preview`, {})).body;

async function draft(body: object): Promise<Policy> {
  const answer = await send<Policy>('archive/policies', { ...keptForYears, ...body });
  expect(answer).toMatchObject({ status: 201, body: { status: 'draft', about: 'files', mailboxes: null } });
  return answer.body;
}

async function activate(policy: Policy): Promise<void> {
  await preview(policy);
  await send(`archive/policies/${policy.policyId}/activate`, {});
  const { items } = (await send<{ items: Approval[] }>('approvals', undefined, { who: second })).body;
  const request = items.find(({ subjectId, status }) => subjectId === policy.policyId && status === 'waiting');
  expect((await send(`approvals/${request?.approvalId}/approve`, {}, { who: second })).status).toBe(200);
}

async function inForce(body: object): Promise<Policy> {
  const policy = await draft(body);
  await activate(policy);
  return policy;
}

/** A drive whose folder F loses one file by a move and another by a deletion, and gets a third; the sizes tell versions apart. */
async function aDrive(graphId: string) {
  const { scope, locationId } = ground;
  const resourceId = await aResource(testing.database, ground, { graphId, name: 'Site', kind: 'drive' });
  const keptWithin = async (...at: Parameters<typeof minimums.within>) => ({ holds: [], minimums: await minimums.within(...at) });
  const catalog = createCatalog({ database: testing.database, scope, locationId, ids, keptWithin });
  const made = (sequence: number, change: object) =>
    catalog.apply({ ...aSegment(resourceId, sequence), committedAt: `2026-11-0${sequence}T12:00:00.000Z`, ...change });
  const file = (key: string, sizeBytes: number, modifiedAt: string, changes: object = {}) =>
    anItem(key, {
      kind: 'file',
      name: `${key}.docx`,
      sizeBytes,
      parentKey: 'F',
      modifiedAt,
      createdAt: '1950-01-01T00:00:00.000Z',
      ...changes,
    });
  const folder = anItem('F', { kind: 'folder', name: 'Contracts', sizeBytes: 0 });
  await made(1, { put: [folder, file('a', 1, '1955-05-05T10:00:00.000Z'), file('b', 10, '2024-05-05T10:00:00.000Z')] });
  await made(2, { put: [file('a', 100, '2019-12-31T23:30:00.000Z')] });
  await made(3, { put: [file('a', 1_000, '2025-05-05T10:00:00.000Z', { parentKey: null })], removed: ['b'] });
  await made(4, { put: [file('c', 10_000, '2026-05-05T10:00:00.000Z')] });
  await made(5, { put: [file('d', 100_000, '2026-05-05T10:00:00.000Z', { parentKey: null })] });
  const [source] = await testing.asSuperuser('select source_id from catalog_sources where resource_id = $1', [resourceId]);
  const sourceId = String(source?.['source_id']);
  const kept = async (nodeId: string) => {
    const { policies } = (await send<ResponseOf<(typeof compliance)['kept']>>(`data-management/kept?sourceId=${sourceId}&nodeId=${nodeId}`))
      .body;
    const opened = await send<{ ticket: string }>('content-tickets', { locationId: ground.locationId, sourceId, nodeId, reason: 'Test' });
    // What the newest restore point no longer has is opened from an older one.
    if (opened.status !== 201) return policies;
    const read = await send<ResponseOf<(typeof compliance)['keptItem']>>(`content-tickets/${opened.body.ticket}/kept`);
    expect(read.body).toMatchObject({ policies, deletedBy: [] });
    return policies;
  };
  return { resourceId, catalog, file, kept };
}

test('a policy on a folder keeps a restore point of each version of what is, was or comes to be in it while its period runs', async () => {
  const { resourceId, catalog, file } = await aDrive('folder');
  const policy = await draft({ name: 'Contracts', places: [{ resourceId, nodeId: 'F' }] });
  expect(policy.places).toEqual([{ resourceId, resourceName: 'Site', nodeId: 'F', name: 'Contracts', isContainer: true }]);
  expect(await preview(policy)).toMatchObject({
    // The period of 1955 is over. 31 December 23:30 in Greenwich is 2020 in Berlin. d never was in the folder.
    kept: { messages: 4, bytes: 10 + 100 + 1_000 + 10_000 },
    over: { messages: 1, bytes: 1 },
    keptUntil: '2086-12-31T23:00:00.000Z',
    years: [{ year: 1955 }, { year: 2020 }, { year: 2024 }, { year: 2025 }, { year: 2026 }],
    mailboxes: [{ mailboxId: resourceId, kept: { messages: 4 }, over: { messages: 1 } }],
  });
  await activate(policy);
  // b is shown last by 2, as is a of 2020; a of 2025 and c by 5, which is the newest anyway.
  expect(await catalog.forgetPoints(resourceId, [1, 2, 3, 4])).toEqual([1, 3, 4]);
  expect(await catalog.forgetPoints(resourceId, [2])).toEqual([]);
  await catalog.apply({
    ...aSegment(resourceId, 6),
    put: [file('e', 1, '2026-06-06T10:00:00.000Z')],
    committedAt: '2026-11-06T12:00:00.000Z',
  });
  await catalog.apply({ ...aSegment(resourceId, 7), removed: ['e'], committedAt: '2026-11-07T12:00:00.000Z' });
  expect(await catalog.forgetPoints(resourceId, [5, 6])).toEqual([5]);
});

test('a policy on one file keeps nothing of others, and lets go when it has ended', async () => {
  const { resourceId, catalog } = await aDrive('file');
  const other = await aDrive('other-drive');
  await inForce({ name: 'One file', places: [{ resourceId, nodeId: 'b' }] });
  expect(await catalog.forgetPoints(resourceId, [1, 2, 3, 4])).toEqual([1, 3, 4]);
  expect(await other.catalog.forgetPoints(other.resourceId, [1, 2, 3, 4])).toEqual([1, 2, 3, 4]);
  await testing.asSuperuser('update retention_policies set ended_at = now() where activated_at is not null');
  expect(await catalog.forgetPoints(resourceId, [2])).toEqual([2]);
});

test('why a file is kept and until when names its policies, the longest first; that of a folder is the longest of what was in it', async () => {
  const { resourceId, kept } = await aDrive('kept');
  await inForce({ name: 'Whole site', places: [{ resourceId }] });
  await inForce({ name: 'Longer', length: { amount: 90, unit: 'years' }, places: [{ resourceId, nodeId: 'b' }] });
  expect(await kept('b')).toEqual([
    { name: 'Longer', until: '2114-12-31T23:00:00.000Z' },
    { name: 'Whole site', until: '2084-12-31T23:00:00.000Z' },
  ]);
  expect(await kept('d')).toEqual([{ name: 'Whole site', until: '2086-12-31T23:00:00.000Z' }]);
  expect(await kept('F')).toEqual([
    { name: 'Longer', until: '2114-12-31T23:00:00.000Z' },
    { name: 'Whole site', until: '2086-12-31T23:00:00.000Z' },
  ]);
});

test('A21: a file that came with an old date counts from when it came, and one without any date from its restore point', async () => {
  const { resourceId, catalog, file } = await aDrive('claimed');
  const old = '1951-01-01T00:00:00.000Z';
  const put = [file('moved-in', 7, old, { createdAt: '2026-10-10T10:00:00.000Z' }), anItem('dateless', { kind: 'file', parentKey: 'F' })];
  await catalog.apply({ ...aSegment(resourceId, 6), put, committedAt: '2026-11-06T12:00:00.000Z' });
  await catalog.apply({ ...aSegment(resourceId, 7), removed: ['moved-in'], committedAt: '2026-11-07T12:00:00.000Z' });
  const policy = await draft({ name: 'Came late', start: 'day', places: [{ resourceId, nodeId: 'moved-in' }] });
  expect(await preview(policy)).toMatchObject({ kept: { messages: 1 }, keptUntil: '2086-10-10T22:00:00.000Z' });
  await activate(policy);
  expect(await catalog.forgetPoints(resourceId, [5, 6])).toEqual([5]);
});

test('an event about a folder starts the period of what is in it alone; until then it is kept without end', async () => {
  const { resourceId, kept } = await aDrive('event');
  await inForce({ name: 'Matter', anchor: 'event', eventKind: 'caseClosed', start: 'day', places: [{ resourceId }] });
  expect(await kept('c')).toEqual([{ name: 'Matter', until: null }]);
  const event = { kind: 'caseClosed', subject: resourceId, items: ['F'], description: 'Closed', date: '2026-06-30' };
  const refused = async (changes: object) => (await send('archive/events', { ...event, ...changes })).body;
  expect((await refused({ description: ' ' })).errors).toEqual({ description: ['The description must not be empty.'] });
  expect((await refused({ date: '' })).errors).toEqual({ date: ['The date must not be empty.'] });
  expect(await refused({ items: ['nowhere'] })).toMatchObject({ code: 'retention.place-unknown' });
  const recorded = await send<RetentionEvent>('archive/events', event);
  expect(recorded).toMatchObject({
    status: 201,
    body: { subject: { mailboxId: resourceId }, items: [{ nodeId: 'F', name: 'Contracts', isContainer: true }], policies: ['Matter'] },
  });
  expect(await kept('c')).toEqual([{ name: 'Matter', until: '2086-06-30T22:00:00.000Z' }]);
  expect(await kept('d')).toEqual([{ name: 'Matter', until: null }]);
  const { items } = (await send<{ items: RetentionEvent[] }>('archive/events')).body;
  expect(items[0]).toMatchObject({ eventId: recorded.body.eventId, policies: ['Matter'] });
});

test('A23: a policy that leaves out a folder of the one it replaces says how many versions are kept for a shorter time', async () => {
  const { resourceId } = await aDrive('replaced');
  const whole = await inForce({ name: 'Site', places: [{ resourceId }] });
  const smaller = await draft({ name: 'Site', places: [{ resourceId, nodeId: 'd' }], replaces: whole.policyId });
  expect(await preview(smaller)).toMatchObject({ kept: { messages: 1 }, shortened: { messages: 4 } });
  const other = await send('archive/policies', { ...keptForYears, about: 'messages', name: 'Mail', replaces: whole.policyId });
  expect(other.body.code).toBe('retention.other-subject');
});

test('a location with files that a policy keeps is not removed, and the refusal names policy and day', async () => {
  const { resourceId } = await aDrive('location');
  await inForce({ name: 'Stays', places: [{ resourceId, nodeId: 'b' }] });
  const answer = await server.send(`/apollo/api/${ground.tenantId}/locations/${ground.locationId}`, {
    method: 'DELETE',
    token: owner.tokens.main,
  });
  expect(await answer.json()).toMatchObject({ code: 'retention.in-force', message: expect.stringContaining('Stays (2084-12-31)') });
});

test('a policy on files needs places that a restore point has, and counts from no day of archiving', async () => {
  const { resourceId } = await aDrive('faults');
  const fault = async (body: object) => (await send('archive/policies', { ...keptForYears, name: 'Fault', ...body })).body;
  expect((await fault({ places: [] })).errors).toHaveProperty('places');
  expect((await fault({ about: 'messages', places: [{ resourceId }] })).errors).toHaveProperty('places');
  expect((await fault({ places: [{ resourceId, nodeId: 'nowhere' }] })).errors).toHaveProperty('places');
  expect((await fault({ places: [{ resourceId: ids.uuid() }] })).errors).toHaveProperty('places');
  expect((await fault({ places: [{ resourceId }], anchor: 'archived' })).errors).toHaveProperty('anchor');
});
