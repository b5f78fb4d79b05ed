import type { Approval } from '@holdfast/contract/approvals';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGround, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { anIndexedMailbox } from '../search/testing/indexed.ts';

const testing = testDatabase(import.meta.url);
let server: TestServer;
let ground: Ground;
let owner: SignedIn;
let second: SignedIn;

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  owner = await server.member(ground.scope.organisationId, 'owner');
  second = await server.member(ground.scope.organisationId, 'administrator');
  await (await anIndexedMailbox(testing.database, ground, 'Adele Vance')).receive({ m1: 'An offer' });
}, 120_000);
afterAll(() => server.close());

async function send<T>(who: SignedIn, to: string, given: { body?: unknown; method?: string } = {}) {
  const answer = await server.send(`/apollo/api/${ground.tenantId}/${to}`, { token: who.tokens.main, ...given });
  return { status: answer.status, body: (await answer.json()) as T & { code?: string } };
}
interface Rule {
  readonly access: string;
  readonly isChanging: boolean;
}
const change = (access: string, who = owner) => send<Rule>(who, 'content-access', { method: 'PUT', body: { access } });
const searched = async (): Promise<number> => (await send(owner, 'archive/search', { body: { query: 'offer', reason: 'Test' } })).status;

async function approve(who: SignedIn): Promise<number> {
  const { items } = (await send<{ items: Approval[] }>(owner, 'approvals')).body;
  const open = items.find(({ status }) => status === 'waiting');
  return (await send(who, `approvals/${open?.approvalId}/approve`, { body: {} })).status;
}

test('access to content becomes strict, and open again, when a second person has approved, and not before', async () => {
  expect((await change('open')).body.code).toBe('content.access-unchanged');
  for (const [access, before, after] of [
    ['strict', 200, 403],
    ['open', 403, 200],
  ] as const) {
    expect((await change(access)).body).toMatchObject({ isChanging: true });
    expect([await approve(owner), await searched()]).toEqual([403, before]);
    expect(await approve(second)).toBe(200);
    expect((await send<Rule>(second, 'content-access')).body).toMatchObject({ access, isChanging: false });
    expect(await searched()).toBe(after);
  }
});

test('nobody but an owner asks for another rule', async () => {
  expect((await change('strict', second)).status).toBe(403);
});
