import type { compliance } from '@holdfast/contract/compliance';
import type { ResponseOf } from '@holdfast/contract/route';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { createHttpsClient, type HttpsClient } from '@holdfast/m365-simulator/testing/https-client';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';

/** Chats and channels that name account numbers, and the guests in them, over HTTP and from the vault. */
type Found = ResponseOf<typeof compliance.sensitiveConversations>;

const IBAN = 'DE89 3704 0044 0532 0130 00';
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let client: HttpsClient;
let jobId = '';

interface Person {
  readonly id: string;
  readonly kind: string;
  readonly displayName: string;
}
interface Channel {
  readonly id: string;
  readonly displayName: string;
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator } = running;
  const owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(running.folder, 'vault') });
  client = await createHttpsClient(simulator);
  jobId = await tenant.job({ name: 'All of Teams', type: 'backup', workload: 'teams', source: { ...everyone, options: { chats: true } } });
}, 240_000);
afterAll(async () => {
  client.close();
  await running.close();
});

const people = (): readonly Person[] => running.simulator.simulation.tenants.values().next().value?.directory.users() ?? [];
const teamId = (): string =>
  running.simulator.simulation.tenants
    .values()
    .next()
    .value?.directory.groups()
    .find(({ isTeam }) => isTeam)?.id ?? '';
const read = (narrowed = ''): Promise<Found> =>
  tenant.call<Found>(`${tenant.tenantId}/data-management/sensitive-conversations?limit=200${narrowed}`);
const rows = async (narrowed = '') =>
  (await read(narrowed)).items.map(({ name, team, messages, guests }) => [name, team === null ? 'chat' : 'channel', messages, guests]);
const bind = ({ id }: Person, role: string): object => ({
  '@odata.type': '#microsoft.graph.aadUserConversationMember',
  roles: [role],
  'user@odata.bind': `https://graph.microsoft.com/v1.0/users('${id}')`,
});

/** Waits until the index has read what the backup has brought. */
async function backedUp(messages: Readonly<Record<string, number>>): Promise<void> {
  expect((await tenant.finish(jobId)).status).toBe('successful');
  const found = async () => Object.fromEntries((await read()).items.map((row) => [row.team === null ? 'chat' : row.name, row.messages]));
  await expect.poll(found, { timeout: 90_000, interval: 1_000 }).toEqual(messages);
}

test('numbers in a chat or channel with guests are exposed, those where only people of the tenant are stay apart', async () => {
  const [ann, ben] = people().filter(({ kind }) => kind === 'member');
  const guest = people().find(({ kind }) => kind === 'guest');
  if (!ann || !ben || !guest) throw new Error('The tenant has too few people.');
  const { value } = (await client.send('GET', `/teams/${teamId()}/channels`)).json as unknown as { readonly value: readonly Channel[] };
  const [general, leads] = ['General', 'Leads'].map((name) => value.find(({ displayName }) => displayName === name));
  const post = (channel: string | undefined, rootId?: string) =>
    act(running.simulator, 'teams.post', { channel, content: `<p>To ${IBAN}</p>`, ...(rootId === undefined ? {} : { rootId }) });
  const { value: roots } = (await client.send('GET', `/teams/${teamId()}/channels/${general?.id}/messages`)).json as unknown as {
    readonly value: readonly { readonly id: string }[];
  };
  post(general?.id);
  post(general?.id, roots[0]?.id);
  post(leads?.id);
  const created = await client.send('POST', '/chats', {
    body: JSON.stringify({
      chatType: 'group',
      topic: 'With a guest',
      members: [bind(ann, 'owner'), bind(ben, 'owner'), bind(guest, 'guest')],
    }),
  });
  const chat = created.json as unknown as { readonly id: string };
  act(running.simulator, 'chats.post', { chat: chat.id, by: ann.id, content: `<p>Mine is ${IBAN}</p>` });
  await backedUp({ General: 2, Leads: 1, chat: 1 });
  const expected = [
    ['General', 'channel', 2, []],
    ['Leads', 'channel', 1, []],
  ];
  expect(new Set(await rows('&exposed=false'))).toEqual(new Set(expected));
  expect(await rows('&exposed=true')).toEqual([[expect.any(String), 'chat', 1, [guest.displayName]]]);
  expect((await read()).totals).toEqual({ conversations: 3, messages: 4, exposed: 1 });
  const { items } = await read('&kind=iban');
  expect(items).toHaveLength(3);
  expect(items.every(({ found }) => found.length === 1 && found[0]?.kind === 'iban' && !found[0].sample.includes('3704'))).toBe(true);
  expect(await rows('&kind=card')).toEqual([]);
}, 240_000);

test('a guest who joins a team reads its open channels and not the private one; once gone, or without the message, nothing is exposed', async () => {
  const guest = people().find(({ kind }) => kind === 'guest');
  act(running.simulator, 'directory.joinGroup', { group: teamId(), user: guest?.id });
  await backedUp({ General: 2, Leads: 1, chat: 1 });
  const channels = async () => (await rows('&exposed=true')).filter(([, kind]) => kind === 'channel');
  await expect.poll(channels).toEqual([['General', 'channel', 2, [guest?.displayName]]]);
  act(running.simulator, 'directory.leaveGroup', { group: teamId(), user: guest?.id });
  await backedUp({ General: 2, Leads: 1, chat: 1 });
  expect(await channels()).toEqual([]);
  const chatId = (await read('&exposed=true')).items[0]?.nodeId.replace(/^chat:/u, '') ?? '';
  const { value } = (await client.send('GET', `/chats/${chatId}/messages`)).json as unknown as {
    readonly value: readonly { readonly id: string }[];
  };
  act(running.simulator, 'chats.delete', { chat: chatId, id: value[0]?.id });
  await backedUp({ General: 2, Leads: 1 });
  expect((await read()).totals).toEqual({ conversations: 2, messages: 3, exposed: 0 });
}, 360_000);
