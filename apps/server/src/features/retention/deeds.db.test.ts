import type { Approval } from '@holdfast/contract/approvals';
import type { Page } from '@holdfast/contract/paging';
import type { Policy, PolicyPreview, RetentionDeed } from '@holdfast/contract/retention';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

/** The activity list of retention policies, over HTTP. */
const testing = testDatabase(import.meta.url);
let server: TestServer;
let owner: SignedIn;
let second: SignedIn;
let ground: Ground;
let mailbox = '';

const letters = { anchor: 'received', length: { amount: 60, unit: 'years' }, start: 'day' } as const;

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  owner = await server.member(ground.scope.organisationId, 'owner');
  second = await server.member(ground.scope.organisationId, 'administrator');
  mailbox = await aResource(testing.database, ground, { workload: 'archive', kind: 'archive', name: 'Ann' });
  const catalog = createCatalog({ database: testing.database, scope: ground.scope, locationId: ground.locationId, ids });
  const put = [anItem('letter', { modifiedAt: '2026-10-01T10:00:00.000Z', sizeBytes: 700 })];
  await catalog.apply({ ...aSegment(mailbox, 1), committedAt: '2026-11-01T12:00:00.000Z', put });
}, 120_000);
afterAll(() => server.close());

async function send<T>(to: string, body?: unknown, method?: string, who = owner): Promise<T> {
  const answer = await server.send(`/apollo/api/${ground.tenantId}/${to}`, {
    token: who.tokens.main,
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  });
  if (!answer.ok) throw new Error(`${to} answered ${answer.status}: ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}
const deeds = async (narrowed = ''): Promise<readonly RetentionDeed[]> =>
  (await send<Page<RetentionDeed>>(`archive/retention-activity?limit=200${narrowed}`)).items;
const draft = (name: string): Promise<Policy> => send<Policy>('archive/policies', { ...letters, name });

async function decide({ policyId }: Policy, verb: 'approve' | 'refuse'): Promise<void> {
  const { items } = await send<{ items: Approval[] }>('approvals');
  const request = items.find(({ subjectId, status }) => subjectId === policyId && status === 'waiting');
  await send(`approvals/${request?.approvalId}/${verb}`, {}, undefined, second);
}

test('a draft is no activity; its preview, its request and what was decided are, with who did it and what was counted', async () => {
  const policy = await draft('Looked at');
  expect(await deeds()).toEqual([]);
  const { kept } = await send<PolicyPreview>(`archive/policies/${policy.policyId}/preview`, {});
  expect(kept).toEqual({ messages: 1, bytes: 700 });
  const counted = { name: 'Looked at', startedBy: owner.email, about: 'messages', messages: 1, bytes: 700 };
  expect(await deeds()).toMatchObject([{ kind: 'preview', state: 'done', decidedBy: null, ...counted }]);
  await send(`archive/policies/${policy.policyId}/activate`, {});
  expect(await deeds('&kind=activation')).toMatchObject([{ state: 'waiting', endedAt: null, decidedBy: null, ...counted }]);
  await decide(policy, 'refuse');
  expect(await deeds('&kind=activation')).toMatchObject([{ state: 'refused', decidedBy: second.email, ...counted }]);
  await send(`archive/policies/${policy.policyId}`, undefined, 'DELETE');
  expect(await deeds()).toMatchObject([{ kind: 'activation', state: 'refused', name: 'Looked at', about: null, startedBy: owner.email }]);
});

test('a policy that came into force and ended, and an event, are found by name and kind, the newest first', async () => {
  const policy = await draft('In force');
  await send(`archive/policies/${policy.policyId}/preview`, {});
  await send(`archive/policies/${policy.policyId}/activate`, {});
  await decide(policy, 'approve');
  await send(`archive/policies/${policy.policyId}/end`, { reason: 'Too long' });
  await decide(policy, 'approve');
  await send('archive/events', { kind: 'caseClosed', subject: mailbox, description: 'Settled', date: '2026-01-31' });
  const ofPolicy = await deeds('&search=In force');
  expect(ofPolicy.map(({ kind, state, decidedBy, messages }) => [kind, state, decidedBy, messages])).toEqual([
    ['end', 'approved', second.email, null],
    ['activation', 'approved', second.email, 1],
    ['preview', 'done', null, 1],
  ]);
  expect(ofPolicy.every(({ startedAt, endedAt }) => endedAt !== null && endedAt >= startedAt)).toBe(true);
  expect(await deeds('&kind=event')).toMatchObject([
    { state: 'done', name: 'Ann', about: 'messages', startedBy: owner.email, messages: null, bytes: null },
  ]);
});

test('activity of retention is for whoever manages deletion, and of the own organisation alone', async () => {
  const address = `/apollo/api/${ground.tenantId}/archive/retention-activity`;
  const reader = await server.member(ground.scope.organisationId, 'reader');
  expect((await server.send(address, { token: reader.tokens.main })).status).toBe(403);
  const stranger = await server.owner();
  expect((await server.send(address, { token: stranger.tokens.main })).status).toBe(404);
});
