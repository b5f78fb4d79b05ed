import type { Candidate, Node, RestorePoint, Source } from '@holdfast/contract/discovery';
import { testDatabase } from '@holdfast/database/testing/test-database';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';

/** What the pickers and the browsing of a restore are answered over HTTP. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let token = '';
let base = '';

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  const owner = await server.owner();
  token = owner.tokens.main;
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  base = `${tenant.tenantId}/discovery/${tenant.locationId}`;
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail', source: everyone }));
}, 120_000);
afterAll(() => running.close());

interface Listed<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly total: number;
}

const list = <Item>(what: string): Promise<Listed<Item>> => tenant.call(`${base}/${what}`);

async function refusal(what: string): Promise<readonly unknown[]> {
  const answer = await running.server.send(`/apollo/api/${base}/${what}`, { token });
  return [answer.status, ((await answer.json()) as { code?: string }).code];
}

test('people are listed in pages that follow each other, by name, each with how well it is protected', async () => {
  const all = await list<Candidate>('users?limit=200');
  expect(all.total).toBe(all.items.length);
  expect(all.items.some(({ protection }) => protection === 'protected')).toBe(true);
  const first = await list<Candidate>('users?limit=2');
  const second = await list<Candidate>(`users?limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
  expect([...first.items, ...second.items]).toEqual(all.items.slice(0, 4));
  const [one] = all.items;
  expect((await list<Candidate>(`users?search=${encodeURIComponent(one?.address ?? '')}`)).items.map(({ id }) => id)).toEqual([one?.id]);
});

test('the members of a group are people of the directory, and a group that is not there is not found', async () => {
  const people = new Set((await list<Candidate>('users?limit=200')).items.map(({ id }) => id));
  const [group] = (await list<Candidate>('groups')).items;
  const members = await list<Candidate>(`groups/${group?.id}/users`);
  expect(members.items.length).toBeGreaterThan(0);
  expect(members.items.every(({ id }) => people.has(id))).toBe(true);
  expect(await refusal('groups/11111111-1111-4111-8111-111111111111/users')).toEqual([404, 'not-found']);
});

test('teams have channels, and sites their addresses', async () => {
  const [team] = (await list<Candidate>('teams')).items;
  const { items: channels } = await list<{ id: string; name: string }>(`teams/${team?.id}/channels`);
  expect(channels.map(({ name }) => name)).toContain('General');
  const { items: sites } = await list<Candidate>('sites');
  expect(sites.length).toBeGreaterThan(0);
  expect(sites.every(({ address }) => address.startsWith('https://'))).toBe(true);
  expect(await refusal('teams?expression=%5B')).toEqual([400, 'discovery.expression-invalid']);
});

test('what is held is browsed from its points down to its messages', async () => {
  const { items: sources } = await list<Source>('sources?workload=exchange');
  const [source] = sources;
  const { items: points } = await list<RestorePoint>(`source/${source?.sourceId}/points`);
  expect(points.length).toBe(source?.points);
  const root = await list<Node>(`source/${source?.sourceId}/items/root`);
  const mail = root.items.find(({ kind, name }) => kind === 'area' && name === 'mail');
  const folders = await list<Node>(`source/${source?.sourceId}/items/${encodeURIComponent(mail?.nodeId ?? '')}`);
  expect(folders.items.some(({ isContainer }) => isContainer)).toBe(true);
  expect(await refusal('source/11111111-1111-4111-8111-111111111111')).toEqual([404, 'restore.source-unknown']);
  expect(await refusal(`source/${source?.sourceId}/items/nothing`)).toEqual([404, 'not-found']);
});
