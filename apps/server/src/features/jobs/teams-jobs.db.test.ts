import type { Job } from '@holdfast/contract/jobs';
import type { RunAccount } from '@holdfast/contract/monitoring';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { clientFor } from '@holdfast/engine/testing/rig';
import { systemClock } from '@holdfast/foundation/clock';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testIds } from '../../testing/rows.ts';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, unscheduled, type SimulatedTenant } from '../../testing/simulated-tenant.ts';

/** Jobs whose sources are channels, members or an expression, over what has really run. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let token = '';

interface Listed<Item> {
  readonly items: readonly Item[];
}
interface Named {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}
interface Node {
  readonly nodeId: string;
  readonly name: string;
  readonly kind: string;
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  const owner = await server.owner();
  token = owner.tokens.main;
  await makeTeams();
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
}, 120_000);
afterAll(() => running.close());

/** Teams in which nothing was said yet: to read one with all that people say would wait for the service's rates. */
async function makeTeams(): Promise<void> {
  const graph = clientFor(running.simulator, systemClock, testIds);
  const owner = (await Array.fromAsync(graph.directory.users())).find(({ userType }) => userType !== 'Guest');
  const user = `https://graph.microsoft.com/v1.0/users('${owner?.id}')`;
  const members = [{ '@odata.type': '#microsoft.graph.aadUserConversationMember', roles: ['owner'], 'user@odata.bind': user }];
  for (const displayName of ['Engineering', 'Sales DACH']) {
    const template = { 'template@odata.bind': "https://graph.microsoft.com/v1.0/teamsTemplates('standard')" };
    await graph.teams.waitFor(await graph.teams.createTeam({ ...template, displayName, members }));
  }
  for await (const { id, displayName } of graph.directory.groups({ teamsOnly: true }))
    if (displayName === 'Engineering')
      await graph.teams.createChannel({ teamId: id }, { displayName: 'Releases', membershipType: 'standard' });
  await graph.close();
}

async function putFile(teamId: string, channelId: string): Promise<void> {
  const graph = clientFor(running.simulator, systemClock, testIds);
  const { id, parentReference } = await graph.teams.filesFolder({ teamId, channelId });
  act(running.simulator, 'drives.createFile', { drive: parentReference?.driveId, parentId: id, name: 'Plan.txt', content: 'What we do' });
  await graph.close();
}

const discovered = <Item>(what: string) =>
  tenant.call<Listed<Item>>(`${tenant.tenantId}/discovery/${tenant.locationId}/${what}`).then(({ items }) => items);
const teams = () => discovered<Named>('teams');
const made = async (name: string): Promise<Named> => {
  const team = (await teams()).find((one) => one.name === name);
  if (!team) throw new Error(`There is no team ${name}.`);
  return team;
};
const exactly = (name: string) => `^${name.replaceAll(/[^\p{L}\p{N} ]/gu, '.')}$`;
const refOf = ({ id, name, address }: Named) => ({ id, name, address });
const body = (source: object) => ({
  type: 'backup',
  workload: 'teams',
  name: 'Some of Teams',
  locationId: tenant.locationId,
  schedule: unscheduled,
  source,
});
const refusal = async (to: string, sent: object) => {
  const answer = await running.server.send(`/apollo/api/${tenant.tenantId}/${to}`, { method: 'POST', token, body: sent });
  return { status: answer.status, ...((await answer.json()) as object) };
};

/** The file of a channel is found, looked at and downloaded below it. */
async function expectFile(sourceId: string, channelNode: string): Promise<void> {
  const inside = (nodeId: string) => discovered<Node>(`source/${sourceId}/items/${encodeURIComponent(nodeId)}`);
  const [folder] = (await inside(channelNode)).filter(({ kind }) => kind === 'folder');
  const [file] = await inside(folder?.nodeId ?? '');
  expect(file).toMatchObject({ kind: 'file', name: 'Plan.txt', path: expect.stringContaining('Releases') });
  const found = await discovered<Node>(`source/${sourceId}/items/root?search=Plan.txt&everywhere=true`);
  expect(found.map(({ nodeId }) => nodeId)).toEqual([file?.nodeId]);
  const { locationId, tenantId } = tenant;
  const asked = { locationId, sourceId, nodeId: file?.nodeId, reason: 'A plan' };
  const { ticket } = await tenant.call<{ ticket: string }>(`${tenantId}/content-tickets`, asked);
  expect(await tenant.call<object>(`${tenantId}/content-tickets/${ticket}`)).toMatchObject({ kind: 'file', text: 'What we do' });
  const bytes = await running.server.send(`/apollo/api/${tenantId}/content-tickets/${ticket}/file`, { token });
  expect(await bytes.text()).toBe('What we do');
}

test('an expression and a single channel: a run takes the teams with that name whole, and of the other team the channel', async () => {
  const [other, named] = [await made('Engineering'), await made('Sales DACH')];
  const channels = await discovered<Node & { readonly id: string }>(`teams/${other.id}/channels`);
  for (const { id } of channels) act(running.simulator, 'teams.post', { channel: id, content: 'Said here' });
  const channel = channels.find(({ name }) => name === 'Releases');
  if (!channel || channels.length < 2) throw new Error('The team has no two channels.');
  const chosen = { id: channel.id, name: channel.name, address: other.address, teamId: other.id, teamName: other.name };
  await putFile(other.id, channel.id);
  const jobId = await tenant.job(body({ teamExpression: exactly(named.name).toLowerCase(), channels: [chosen] }));
  // As a version before members has kept it.
  await testing.asSuperuser(`update jobs set body = body #- '{source,members}' where job_id = $1`, [jobId]);
  expect(await tenant.call<Job>(`${tenant.tenantId}/jobs/${jobId}`)).toMatchObject({
    sourceCount: 2,
    source: { channels: [chosen], members: [] },
  });
  const run = await tenant.finish(jobId);
  expect(run.status).toBe('successful');
  const accounts = await tenant.call<Listed<RunAccount>>(`${tenant.tenantId}/monitoring/${run.run_id}/accounts`);
  expect(accounts.items.map(({ name }) => name).toSorted()).toEqual([named.name, other.name].toSorted());

  const sources = await discovered<Named & { readonly sourceId: string; readonly graphId: string }>('sources');
  const source = sources.find(({ graphId }) => graphId === other.id);
  const inside = (nodeId: string) => discovered<Node>(`source/${source?.sourceId}/items/${encodeURIComponent(nodeId)}`);
  const listed = (await Promise.all((await inside('root')).map(({ nodeId }) => inside(nodeId)))).flat();
  const holding = [];
  for (const one of listed) if ((await inside(one.nodeId)).length > 0) holding.push(one.name);
  expect(holding).toEqual([channel.name]);
  await expectFile(String(source?.sourceId), listed.find(({ name }) => name === channel.name)?.nodeId ?? '');
  const gaps = await tenant.call<Listed<{ reason: string; path: string }>>(`${tenant.tenantId}/protection?state=excluded&limit=200`);
  expect(gaps.items.filter(({ reason }) => reason === 'coverage.channel-not-selected')).toHaveLength(channels.length - 1);
  await running.server.send(`/apollo/api/${tenant.tenantId}/jobs/${jobId}`, { method: 'DELETE', token });
});

test('a preview counts the teams that have the name now, and those that the members are in', async () => {
  const all = await teams();
  const count = async (source: object) =>
    (await tenant.call<{ resources: number }>(`${tenant.tenantId}/jobs/preview`, body(source))).resources;
  expect(await count({ teamExpression: '.' })).toBe(all.length);
  expect(await count({ teamExpression: 'no team has this name' })).toBe(0);
  const [team] = all;
  const [member] = await discovered<Named>(`groups/${team?.id}/users`);
  if (!team || !member) throw new Error('The first team has no member.');
  const joined = [];
  for (const one of all) if ((await discovered<Named>(`groups/${one.id}/users`)).some(({ id }) => id === member.id)) joined.push(one);
  expect(await count({ members: [refOf(member)] })).toBe(joined.length);
  expect(await count({ members: [refOf(member)], excluded: [refOf(team)] })).toBe(joined.length - 1);
});

test('the teams that an expression finds can be looked at before the job is saved', async () => {
  const names = async (query: string) => (await discovered<Named>(`teams?${query}`)).map(({ name }) => name);
  const engineering = (await names('')).filter((name) => /engin/iu.test(name));
  expect(engineering).toContain('Engineering');
  expect(await names('expression=ENGIN')).toEqual(engineering);
  expect(await names('expression=ENGIN&search=no+such+team')).toEqual([]);
});

test('an expression that is none is refused by its field, when it is saved and when it is tried', async () => {
  const said = {
    status: 400,
    code: 'discovery.expression-invalid',
    errors: { 'source.teamExpression': [expect.stringContaining('brackets')] },
  };
  for (const to of ['jobs', 'jobs/preview']) expect(await refusal(to, body({ teamExpression: '(' })), to).toMatchObject(said);
  await expect(discovered('teams?expression=%28')).rejects.toThrow('discovery.expression-invalid');
  expect(await refusal('jobs', body({ teamExpression: 'a'.repeat(501) }))).toMatchObject({ status: 400, code: 'request.invalid' });
  expect(await refusal('jobs', body({}))).toMatchObject({ status: 400, code: 'request.invalid' });
});

test('a group or a team that is not there is not found, and the directory is not to blame', async () => {
  for (const what of [
    'groups/nonsense/users',
    `groups/${tenant.locationId}/users`,
    'teams/nonsense/channels',
    `teams/${tenant.locationId}/channels`,
  ])
    await expect(discovered(what), what).rejects.toThrow('answered 404');
});

test('a location that is not there is not found, and nobody is called unprotected in it', async () => {
  const [team] = await teams();
  const inside = ['users', 'groups', 'sites', 'teams', 'sources', `groups/${team?.id}/users`, `teams/${team?.id}/channels`];
  for (const what of inside) {
    const to = `${tenant.tenantId}/discovery/${tenant.tenantId}/${what}`;
    await expect(tenant.call(to), what).rejects.toThrow(/answered 404.*"not-found"/u);
  }
});

test('single channels are for backups', async () => {
  const channel = { id: '19:a@thread.tacv2', name: 'General', address: '', teamId: 'team', teamName: 'Sales' };
  const drill = { ...body({ channels: [channel] }), type: 'drill' };
  const deletion = { ...drill, type: 'deletion', retention: { mode: 'days', days: 1 } };
  for (const sent of [drill, deletion])
    expect(await refusal('jobs', sent)).toMatchObject({
      status: 400,
      errors: { 'source.channels': [expect.stringContaining('whole team')] },
    });
});
