import type { Approval } from '@holdfast/contract/approvals';
import type { Policy, PolicyPreview, RetentionEvent } from '@holdfast/contract/retention';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { ItemVersion } from '@holdfast/engine';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createMinimums } from './minimums.service.ts';
import { createRetentionStore } from './retention.store.ts';

/** Retention policies over HTTP, and what they keep of archives in the catalog. */
const testing = testDatabase(import.meta.url);
const store = createRetentionStore(testing.database);
const minimums = createMinimums(store, { recognisesScans: false });
let server: TestServer;
let owner: SignedIn;
let second: SignedIn;
let ground: Ground;
let ann = '';
let ben = '';

const letters = { name: 'Letters', anchor: 'received', length: { amount: 60, unit: 'years' }, start: 'calendarYear' } as const;

/** A message by the day on which it was received, in an archive. */
const received = (key: string, at: string, changes: Partial<ItemVersion> = {}): ItemVersion =>
  anItem(key, { modifiedAt: at, createdAt: '1940-01-01T00:00:00.000Z', sizeBytes: 1_000, ...changes });

async function archive(name: string, points: readonly (readonly ItemVersion[])[]): Promise<string> {
  const { scope, locationId } = ground;
  const resourceId = await aResource(testing.database, ground, { workload: 'archive', kind: 'archive', name });
  const address = `${name.toLowerCase()}@contoso.example`;
  await testing.asSuperuser('update resources set address = $1 where resource_id = $2', [address, resourceId]);
  const catalog = createCatalog({ database: testing.database, scope, locationId, ids });
  for (const [index, put] of points.entries()) {
    const committedAt = `2026-11-0${index + 1}T12:00:00.000Z`;
    await catalog.apply({ ...aSegment(resourceId, index + 1), committedAt, put: [...put] });
  }
  return resourceId;
}

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  const { organisationId } = ground.scope;
  await testing.asSuperuser(`update organisations set time_zone = 'Europe/Berlin' where organisation_id = $1`, [organisationId]);
  owner = await server.member(organisationId, 'owner');
  second = await server.member(organisationId, 'administrator');
  ann = await archive('Ann', [
    [received('old', '1955-05-05T10:00:00.000Z')],
    [received('new-year', '2019-12-31T23:30:00.000Z'), received('summer', '2024-07-01T10:00:00.000Z')],
    [received('last', '2026-10-01T10:00:00.000Z')],
  ]);
  ben = await archive('Ben', [[received('bens', '2023-02-02T10:00:00.000Z', { sizeBytes: 500 })]]);
}, 120_000);
afterAll(() => server.close());

interface Answer<T> {
  readonly status: number;
  readonly body: T & { code?: string; message?: string; errors?: Record<string, string[]> };
}

async function send<T>(who: SignedIn, to: string, body?: unknown, method?: string): Promise<Answer<T>> {
  const answer = await server.send(`/apollo/api/${ground.tenantId}/${to}`, {
    token: who.tokens.main,
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  });
  return { status: answer.status, body: (answer.status === 204 ? {} : await answer.json()) as Answer<T>['body'] };
}

async function draft(body: object): Promise<Policy> {
  const answer = await send<Policy>(owner, 'archive/policies', { ...letters, ...body });
  expect(answer).toMatchObject({ status: 201, body: { status: 'draft', preview: null } });
  return answer.body;
}

const preview = async ({ policyId }: Policy): Promise<PolicyPreview> =>
  (await send<PolicyPreview>(owner, `archive/policies/${policyId}/preview`, {})).body;
const ask = ({ policyId }: Policy) => send<Policy>(owner, `archive/policies/${policyId}/activate`, {});
const read = async ({ policyId }: Policy): Promise<Policy> => (await send<Policy>(owner, `archive/policies/${policyId}`)).body;

async function decide(policy: Policy, verb: 'approve' | 'refuse', who = second): Promise<Answer<Approval>> {
  const { items } = (await send<{ items: Approval[] }>(second, 'approvals')).body;
  const request = items.find(({ subjectId, status }) => subjectId === policy.policyId && status === 'waiting');
  return send<Approval>(who, `approvals/${request?.approvalId}/${verb}`, {});
}

async function activated(body: object): Promise<Policy> {
  const policy = await draft(body);
  await preview(policy);
  expect((await ask(policy)).body.status).toBe('waiting');
  expect((await decide(policy, 'approve')).status).toBe(200);
  return read(policy);
}

async function endAll(): Promise<void> {
  await testing.asSuperuser('update retention_policies set ended_at = now() where activated_at is not null and ended_at is null');
}

const keptOf = (resourceId: string) =>
  store.within(ground.scope, (tx) => minimums.within(tx, { resourceId, locationId: ground.locationId }));
const policiesOf = (resourceId: string, messageId: string) =>
  store.within(ground.scope, (tx) => minimums.ofMessage(tx, { resourceId, messageId }));

/** What the catalog forgets when it is told to forget these points of an archive. */
const forgotten = (resourceId: string, sequences: readonly number[]) =>
  createCatalog({
    database: testing.database,
    scope: ground.scope,
    locationId: ground.locationId,
    ids,
    keptWithin: async (...place) => ({ holds: [], minimums: await minimums.within(...place) }),
  }).forgetPoints(resourceId, sequences);

test('a draft keeps nothing, and its preview counts to the message by mailbox and year', async () => {
  const policy = await draft({});
  const counted = await preview(policy);
  expect(counted).toMatchObject({
    // The period of 1955 is over; 31 December 23:30 in Greenwich is 2020 in Berlin.
    kept: { messages: 4, bytes: 3_500 },
    over: { messages: 1, bytes: 1_000 },
    waiting: { messages: 0 },
    longer: { messages: 0 },
    shortened: { messages: 0 },
    keptUntil: '2086-12-31T23:00:00.000Z',
  });
  expect(counted.years.map(({ year, kept, over, keptUntil }) => [year, kept.messages, over.messages, keptUntil])).toEqual([
    [1955, 0, 1, null],
    [2020, 1, 0, '2080-12-31T23:00:00.000Z'],
    [2023, 1, 0, '2083-12-31T23:00:00.000Z'],
    [2024, 1, 0, '2084-12-31T23:00:00.000Z'],
    [2026, 1, 0, '2086-12-31T23:00:00.000Z'],
  ]);
  expect(counted.mailboxes).toMatchObject([
    { mailboxId: ann, name: 'Ann', kept: { messages: 3, bytes: 3_000 }, over: { messages: 1 } },
    { mailboxId: ben, name: 'Ben', kept: { messages: 1, bytes: 500 }, over: { messages: 0 } },
  ]);
  expect(await keptOf(ann)).toEqual([]);
  expect((await send(owner, `archive/policies/${policy.policyId}`, undefined, 'DELETE')).status).toBe(204);
  expect((await send(owner, `archive/policies/${policy.policyId}`)).status).toBe(404);
});

test('A21: what the sender claims ages no mail, for what has no other date counts from when it was archived', async () => {
  const claimed = '1955-03-03T10:00:00.000Z';
  const carl = await archive('Carl', [
    [received('today', '2026-10-30T10:00:00.000Z', { createdAt: claimed })],
    [anItem('file', { modifiedAt: claimed, createdAt: claimed, properties: { receivedBy: 'date' } })],
    [anItem('dateless', { createdAt: claimed })],
    [received('year one', '0001-01-01T00:00:00.000Z', { createdAt: claimed })],
  ]);
  const policy = await draft({ start: 'day', mailboxes: [carl] });
  expect(await preview(policy)).toMatchObject({ kept: { messages: 4 }, over: { messages: 0 }, keptUntil: '2086-11-04T23:00:00.000Z' });
  await send(owner, `archive/policies/${policy.policyId}`, undefined, 'DELETE');
});

test('a policy comes into force when a second person approves it within a day of its preview, and not before', async () => {
  const policy = await draft({ name: 'Ann alone', mailboxes: [ann] });
  expect((await ask(policy)).body.code).toBe('retention.preview-needed');
  await preview(policy);
  await testing.asSuperuser(`update retention_policies set previewed_at = now() - interval '25 hours'`);
  expect((await ask(policy)).body.code).toBe('retention.preview-needed');
  await preview(policy);
  expect((await ask(policy)).body.status).toBe('waiting');
  expect((await ask(policy)).body.code).toBe('retention.not-draft');
  expect((await send(owner, `archive/policies/${policy.policyId}`, { ...letters, mailboxes: [ben] }, 'PUT')).body.code).toBe(
    'retention.not-draft',
  );
  expect((await decide(policy, 'approve', owner)).status).toBe(403);
  expect(await keptOf(ann)).toEqual([]);
  await testing.asSuperuser(`update retention_policies set previewed_at = now() - interval '25 hours'`);
  expect((await decide(policy, 'approve')).body.code).toBe('retention.preview-needed');
  expect(await read(policy)).toMatchObject({ status: 'waiting' });
  await testing.asSuperuser(`update retention_policies set previewed_at = now() - interval '23 hours'`);
  expect((await decide(policy, 'approve')).status).toBe(200);
  expect(await read(policy)).toMatchObject({ status: 'active', mailboxes: [{ mailboxId: ann }] });
  // The first point has a message whose period is over alone.
  expect(await keptOf(ann)).toEqual([{ name: 'Ann alone', fromSequence: 2, untilMs: Date.parse('2086-12-31T23:00:00Z') }]);
  expect(await keptOf(ben)).toEqual([]);
  const logged = await testing.asSuperuser('select distinct event from audit_inbox where subject_id = $1 order by 1', [policy.policyId]);
  expect(logged.map(({ event }) => event)).toEqual([
    'approvals.approved',
    'approvals.requested',
    'retention.activation-asked',
    'retention.drafted',
  ]);
  await endAll();
});

test('a refused activation leaves a draft that can be changed, and a change needs another preview', async () => {
  const policy = await draft({ name: 'Refused' });
  await preview(policy);
  await ask(policy);
  expect((await decide(policy, 'refuse')).status).toBe(200);
  const changed = await send<Policy>(
    owner,
    `archive/policies/${policy.policyId}`,
    { ...letters, name: 'Changed', mailboxes: [ben] },
    'PUT',
  );
  expect(changed.body).toMatchObject({ status: 'draft', name: 'Changed', preview: null, mailboxes: [{ mailboxId: ben }] });
  expect((await ask(policy)).body.code).toBe('retention.preview-needed');
  await send(owner, `archive/policies/${policy.policyId}`, undefined, 'DELETE');
});

test('the catalog forgets no point that a minimum keeps, and forgets it when the policy has ended', async () => {
  const dora = await archive('Dora', [
    [received('a', '1955-05-05T10:00:00.000Z')],
    [received('b', '2024-05-05T10:00:00.000Z')],
    [received('c', '2026-05-05T10:00:00.000Z')],
  ]);
  await activated({ name: 'Dora', mailboxes: [dora] });
  expect(await forgotten(dora, [1, 2])).toEqual([1]);
  await endAll();
  expect(await forgotten(dora, [2])).toEqual([2]);
});

test('a policy that comes into force is obeyed by a deletion that has decided already', async () => {
  const eve = await archive('Eve', [[received('a', '2024-05-05T10:00:00.000Z')], [received('b', '2026-05-05T10:00:00.000Z')]]);
  const policy = await draft({ name: 'Just now', mailboxes: [eve] });
  const { forgetting } = await store.within(ground.scope, async (tx) => {
    await store.lock(tx, 'changing');
    const gone = forgotten(eve, [1]);
    await expect
      .poll(() =>
        testing.asSuperuser(`select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`),
      )
      .toEqual([{ waiting: 1 }]);
    await store.change(tx, policy.policyId, { activated_at: new Date() });
    return { forgetting: gone };
  });
  expect(await forgetting).toEqual([]);
  await endAll();
});

test('of several policies the longest minimum wins, and a message names all that keep it', async () => {
  await activated({ name: 'Sixty years' });
  const books = await activated({ name: 'Books', length: { amount: 70, unit: 'years' }, mailboxes: [ann] });
  expect(books.preview).toMatchObject({ longer: { messages: 0 }, kept: { messages: 3 }, over: { messages: 1 } });
  expect(await policiesOf(ann, 'summer')).toEqual([
    { name: 'Books', until: new Date('2094-12-31T23:00:00Z') },
    { name: 'Sixty years', until: new Date('2084-12-31T23:00:00Z') },
  ]);
  expect(await policiesOf(ann, 'old')).toEqual([]);
  expect(await policiesOf(ben, 'bens')).toMatchObject([{ name: 'Sixty years' }]);
  const short = await draft({ name: 'Short', length: { amount: 50, unit: 'years' }, mailboxes: [ann] });
  expect(await preview(short)).toMatchObject({ kept: { messages: 3 }, longer: { messages: 3 } });
  await send(owner, `archive/policies/${short.policyId}`, undefined, 'DELETE');
  await endAll();
});

test('A23: a shorter policy takes the place of a longer one by a second person alone, who is told how many messages it concerns', async () => {
  const long = await activated({ name: 'Long', length: { amount: 100, unit: 'years' }, mailboxes: [ann, ben] });
  expect((await send(owner, `archive/policies/${long.policyId}`, { ...letters }, 'PUT')).body.code).toBe('retention.not-draft');
  expect((await send(owner, `archive/policies/${long.policyId}`, undefined, 'DELETE')).body.code).toBe('retention.not-draft');
  const short = await draft({ name: 'Long', mailboxes: [ann], replaces: long.policyId });
  expect(await preview(short)).toMatchObject({ kept: { messages: 3 }, shortened: { messages: 5 } });
  await ask(short);
  const { items } = (await send<{ items: Approval[] }>(second, 'approvals')).body;
  expect(items.find(({ subjectId }) => subjectId === short.policyId)?.details).toMatchObject({ shortened: 5, replaces: 'Long' });
  expect((await keptOf(ann))[0]).toMatchObject({ untilMs: Date.parse('2126-12-31T23:00:00Z') });
  expect((await decide(short, 'approve')).status).toBe(200);
  expect(await read(long)).toMatchObject({ status: 'ended' });
  expect(await keptOf(ann)).toEqual([{ name: 'Long', fromSequence: 2, untilMs: Date.parse('2086-12-31T23:00:00Z') }]);
  await endAll();
});

test('A23: a policy ends by a second person alone, and is in force until then', async () => {
  const policy = await activated({ name: 'Ends' });
  const end = (reason: string) => send<Policy>(owner, `archive/policies/${policy.policyId}/end`, { reason });
  expect((await end(' ')).body.errors).toHaveProperty('reason');
  expect((await end('Not needed')).body).toMatchObject({ status: 'ending', endReason: 'Not needed' });
  expect((await decide(policy, 'approve', owner)).status).toBe(403);
  expect(await keptOf(ann)).toHaveLength(1);
  expect((await decide(policy, 'refuse')).status).toBe(200);
  expect(await read(policy)).toMatchObject({ status: 'active', endReason: null });
  await end('Again');
  expect((await decide(policy, 'approve')).status).toBe(200);
  expect(await read(policy)).toMatchObject({ status: 'ended', endReason: 'Again' });
  expect(await keptOf(ann)).toEqual([]);
  expect((await end('Once more')).body.code).toBe('retention.not-active');
});

test('an event needs a description and a date', async () => {
  const event = { kind: 'leftCompany', subject: 'ann@contoso.example', description: 'Left the company', date: '2026-06-30' };
  const refused = async (changes: object) => (await send(owner, 'archive/events', { ...event, ...changes })).body.errors;
  expect(await refused({ description: ' ' })).toEqual({ description: ['The description must not be empty.'] });
  expect(await refused({ description: undefined })).toEqual({ description: ['The description must not be empty.'] });
  expect(await refused({ date: '' })).toEqual({ date: ['The date must not be empty.'] });
  expect(await refused({ date: undefined })).toEqual({ date: ['The date must not be empty.'] });
  expect(await refused({ date: '2026-02-30' })).toHaveProperty('date');
  expect(await refused({ subject: 'nobody@contoso.example' })).toHaveProperty('subject');
  expect((await send<{ items: unknown[] }>(owner, 'archive/events')).body.items).toEqual([]);
});

test('a list of events is recorded as a whole or not at all, and says which line is wrong', async () => {
  const event = { kind: 'caseClosed', subject: 'ann@contoso.example', description: 'Closed', date: '2020-06-30' };
  const record = (...changes: readonly object[]) =>
    send<{ recorded: number }>(owner, 'archive/events/list', { events: changes.map((change) => ({ ...event, ...change })) });
  const unknown = (await record({}, { subject: 'nobody@contoso.example' })).body;
  expect(unknown).toMatchObject({ code: 'retention.event-unknown', message: expect.stringContaining('Line 3') });
  expect((await record({}, { date: '' })).body.errors).toEqual({ 'events.1.date': ['The date must not be empty.'] });
  expect((await record({}, { description: ' ' })).body.errors).toEqual({ 'events.1.description': ['The description must not be empty.'] });
  expect((await send<{ items: unknown[] }>(owner, 'archive/events')).body.items).toEqual([]);
  expect(await record({}, { subject: ben })).toMatchObject({ status: 201, body: { recorded: 2 } });
  const { items } = (await send<{ items: RetentionEvent[] }>(owner, 'archive/events')).body;
  expect(items.map(({ subject }) => subject.mailboxId).toSorted()).toEqual([ann, ben].toSorted());
  await testing.asSuperuser('delete from retention_events');
});

test('a policy that waits for an event keeps without end, and the event starts its period for its mailbox alone', async () => {
  const leavers = { name: 'Leavers', anchor: 'event', eventKind: 'leftCompany', start: 'day', mailboxes: [ann, ben] };
  expect((await send(owner, 'archive/policies', { ...letters, ...leavers, eventKind: null })).body.errors).toHaveProperty('eventKind');
  const policy = await draft(leavers);
  expect(await preview(policy)).toMatchObject({ kept: { messages: 5 }, waiting: { messages: 5 }, keptUntil: null });
  await ask(policy);
  await decide(policy, 'approve');
  expect(await keptOf(ann)).toEqual([{ name: 'Leavers', fromSequence: 1, untilMs: null }]);
  const event = { kind: 'leftCompany', subject: ann, description: 'Left the company', date: '2026-06-30' };
  const recorded = await send<RetentionEvent>(owner, 'archive/events', event);
  expect(recorded).toMatchObject({ status: 201, body: { subject: { name: 'Ann' }, date: '2026-06-30', policies: ['Leavers'] } });
  // The message of October came after the event: it is kept from then on.
  expect(await keptOf(ann)).toEqual([{ name: 'Leavers', fromSequence: 1, untilMs: Date.parse('2086-10-01T22:00:00Z') }]);
  expect(await policiesOf(ann, 'old')).toEqual([{ name: 'Leavers', until: new Date('2086-06-30T22:00:00Z') }]);
  expect(await keptOf(ben)).toEqual([{ name: 'Leavers', fromSequence: 1, untilMs: null }]);
  await send(owner, 'archive/events', { ...event, kind: 'contractEnded', date: '2030-01-01' });
  expect((await keptOf(ann))[0]?.untilMs).toBe(Date.parse('2086-10-01T22:00:00Z'));
  const { items } = (await send<{ items: RetentionEvent[] }>(second, 'archive/events')).body;
  expect(items.map(({ kind, policies }) => [kind, policies])).toEqual([
    ['contractEnded', []],
    ['leftCompany', ['Leavers']],
  ]);
  await endAll();
});

test('names are taken once, mailboxes have an archive, and lengths have an end', async () => {
  const policy = await draft({ name: 'Taken' });
  const fault = async (body: object) => (await send(owner, 'archive/policies', { ...letters, name: 'Other', ...body })).body;
  expect(await fault({ name: 'TAKEN' })).toMatchObject({ code: 'retention.name-taken', errors: { name: [expect.any(String)] } });
  const plain = await aResource(testing.database, ground, { name: 'No archive' });
  expect((await fault({ mailboxes: [plain] })).code).toBe('retention.mailbox-unknown');
  expect((await fault({ mailboxes: [] })).errors).toHaveProperty('mailboxes');
  expect((await fault({ length: { amount: 101, unit: 'years' } })).errors).toHaveProperty(['length.amount']);
  expect((await fault({ length: { amount: 0, unit: 'days' } })).errors).toHaveProperty(['length.amount']);
  expect((await fault({ replaces: policy.policyId })).code).toBe('retention.not-active');
  await send(owner, `archive/policies/${policy.policyId}`, undefined, 'DELETE');
});

test('a tenant and a location with messages that a policy keeps are not removed, and the refusal names policy and day', async () => {
  const remove = async (to: string) => (await server.send(to, { method: 'DELETE', token: owner.tokens.main })).json();
  const [tenant, location] = [`/apollo/api/Tenants/${ground.tenantId}`, `/apollo/api/${ground.tenantId}/locations/${ground.locationId}`];
  await testing.asSuperuser(`update tenants set status = 'connected', active = false where tenant_id = $1`, [ground.tenantId]);
  await activated({ name: 'Kept' });
  for (const to of [tenant, location]) {
    expect(await remove(to)).toMatchObject({ code: 'retention.in-force', message: expect.stringContaining('Kept (2086-12-31)') });
  }
  await endAll();
  expect(await remove(tenant)).toMatchObject({ code: 'tenants.holds-restore-points' });
  expect(await remove(location)).toMatchObject({ code: 'locations.in-use' });
});

test('operators, auditors and other organisations neither see nor make policies and events', async () => {
  const stranger = await server.owner();
  for (const who of [
    await server.member(ground.scope.organisationId, 'operator'),
    await server.member(ground.scope.organisationId, 'auditor'),
    stranger,
  ]) {
    const expected = who === stranger ? 404 : 403;
    expect((await send(who, 'archive/policies')).status).toBe(expected);
    expect((await send(who, 'archive/policies', letters)).status).toBe(expected);
    expect((await send(who, 'archive/events')).status).toBe(expected);
  }
});
