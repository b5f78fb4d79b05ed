import { afterEach, describe, expect, it } from 'vitest';
import { leaverOf } from '../conversations/channel-conversation.ts';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { drivesWorkload } from '../drives/drives-workload.ts';
import { listField, objectField, textField } from '../http/body-fields.ts';
import type { JsonObject } from '../values/json.ts';
import { placesOf } from '../places/places.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { allChannels, type ChannelRecord } from '../places/team-records.ts';
import { teamsWorkload } from './teams-workload.ts';

const PREFER = { prefer: 'include-unknown-enum-members' };
let simulator: InProcess | undefined;

function start(recipe = 'contoso'): InProcess {
  simulator = createInProcess({ workloads: [directoryWorkload, drivesWorkload, teamsWorkload], recipe });
  return simulator;
}

afterEach(() => simulator?.requireValid());

function channelIn(sim: InProcess, type: ChannelRecord['membershipType'] = 'standard'): ChannelRecord {
  const found = allChannels(sim.tenant).find((channel) => channel.membershipType === type);
  if (!found) throw new Error(`The recipe has no ${type} channel.`);
  return found;
}

function bodyOf(message: JsonObject): string {
  return textField(objectField(message, 'body'), 'content') ?? '';
}

function at({ teamId, id }: ChannelRecord): string {
  return `/teams/${teamId}/channels/${id}`;
}

const owner = (sim: InProcess, id = sim.tenant.directory.users()[0]?.id ?? ''): JsonObject => ({
  '@odata.type': '#microsoft.graph.aadUserConversationMember',
  roles: ['owner'],
  'user@odata.bind': `https://graph.microsoft.com/v1.0/users('${id}')`,
});

function aPost(sim: InProcess, createdDateTime: string, more: JsonObject = {}): JsonObject {
  const person = sim.tenant.directory.users()[0];
  const user = { id: person?.id, displayName: person?.displayName, userIdentityType: 'aadUser' };
  return { createdDateTime, from: { user }, body: { contentType: 'html', content: 'Hi' }, ...more };
}

describe('teams', () => {
  it('show settings, members, apps and channels of the three kinds', async () => {
    const sim = start();
    const teams = (await sim.all("/groups?$filter=resourceProvisioningOptions/Any(x:x eq 'Team')")).entries;
    expect(teams).toHaveLength(3);
    const kinds = new Set<unknown>();
    for (const { id } of teams) {
      const team = await sim.get(`/teams/${id as string}`);
      expect(team.json).toMatchObject({ isArchived: false, funSettings: { allowGiphy: true } });
      const { entries } = await sim.all(`/teams/${id as string}/channels`, PREFER);
      for (const channel of entries) kinds.add(channel['membershipType']);
      expect((await sim.all(`/teams/${id as string}/members`)).entries.length).toBeGreaterThan(5);
      expect((await sim.all(`/teams/${id as string}/installedApps?$expand=teamsAppDefinition`)).entries[0]).toHaveProperty(
        'teamsAppDefinition',
      );
    }
    expect(kinds).toEqual(new Set(['standard', 'private', 'shared']));
    const shared = channelIn(sim, 'shared');
    expect((await sim.get(at(shared))).json['membershipType']).toBe('unknownFutureValue');
    const [first] = teams;
    const all = await sim.all(`/teams/${first?.['id'] as string}/allChannels`, PREFER);
    expect(all.entries.map((entry) => entry['id'])).toContain(shared.id);
  });

  it('have a folder for each channel: in the library of the team, or of the site that the channel has for itself', async () => {
    const sim = start();
    for (const type of ['standard', 'private', 'shared'] as const) {
      const channel = channelIn(sim, type);
      const { json } = await sim.get(`${at(channel)}/filesFolder`);
      expect(json['name']).toBe(channel.displayName);
      const places = placesOf(sim.tenant);
      const site = type === 'standard' ? places.siteOfGroup(channel.teamId) : places.siteOfChannel(channel.id);
      expect((json['parentReference'] as JsonObject)['siteId']).toBe(site?.id);
    }
  });

  it('keep their folder when they are renamed, and leave it when they are deleted', async () => {
    const sim = start();
    const channel = channelIn(sim, 'private');
    const before = (await sim.get(`${at(channel)}/filesFolder`)).json;
    expect((before['folder'] as JsonObject)['childCount']).toBe(2);
    expect((await sim.ask('PATCH', at(channel), { body: { displayName: 'Another name' } })).status).toBe(204);
    const { id, name, parentReference } = (await sim.get(`${at(channel)}/filesFolder`)).json;
    expect({ id, name, parentReference }).toEqual({ id: before['id'], name: before['name'], parentReference: before['parentReference'] });
    expect((await sim.ask('DELETE', at(channel))).status).toBe(204);
    const driveId = (parentReference as JsonObject)['driveId'] as string;
    expect((await sim.get(`/drives/${driveId}/items/${id as string}`)).status).toBe(200);
    const body = { displayName: channel.displayName, membershipType: 'private', members: [owner(sim)] };
    const again = (await sim.ask('POST', `/teams/${channel.teamId}/channels`, { body })).json['id'] as string;
    const folder = (await sim.get(`/teams/${channel.teamId}/channels/${again}/filesFolder`)).json;
    expect((folder['parentReference'] as JsonObject)['driveId']).not.toBe(driveId);
  });

  it('have no folder for their files before the service has made it', async () => {
    const sim = start();
    sim.set({ channelFolderMs: 60_000 });
    const { teamId } = channelIn(sim);
    const made = await sim.ask('POST', `/teams/${teamId}/channels`, { body: { displayName: 'Just made' } });
    const folder = `/teams/${teamId}/channels/${made.json['id'] as string}/filesFolder`;
    expect((await sim.get(folder)).status).toBe(404);
    sim.clock.advance(60_000);
    expect((await sim.get(folder)).json['name']).toBe('Just made');
  });

  it('are made in the background: 202, an operation to poll, 404 until it is done', async () => {
    const sim = start();
    sim.set({ teamCreationMs: 30_000 });
    const body = {
      'template@odata.bind': "https://graph.microsoft.com/v1.0/teamsTemplates('standard')",
      displayName: 'New team',
      members: [owner(sim)],
    };
    const made = await sim.ask('POST', '/teams', { body });
    expect(made.status).toBe(202);
    const operation = made.headers['Location'] ?? '';
    const team = made.headers['Content-Location'] ?? '';
    expect([(await sim.get(operation)).json['status'], (await sim.get(team)).status]).toEqual(['notStarted', 404]);
    sim.clock.advance(20_000);
    expect((await sim.get(operation)).json['status']).toBe('inProgress');
    sim.clock.advance(10_000);
    expect([(await sim.get(operation)).json['status'], (await sim.get(team)).status]).toEqual(['succeeded', 200]);
    const channels = await sim.all(`${team}/channels`);
    expect(channels.entries.map((entry) => entry['displayName'])).toEqual(['General']);
    expect((await sim.ask('POST', '/teams', { body: { ...body, members: [] } })).status).toBe(400);
  });

  it('take many members at once and say which failed', async () => {
    const sim = start();
    const { teamId } = channelIn(sim);
    const outside = sim.tenant.directory.users().find((person) => !sim.tenant.directory.group(teamId)?.memberIds.includes(person.id));
    const good = owner(sim, outside?.id);
    expect((await sim.ask('POST', `/teams/${teamId}/members/add`, { body: { values: [good] } })).status).toBe(200);
    const mixed = await sim.ask('POST', `/teams/${teamId}/members/add`, { body: { values: [good, owner(sim, 'nobody')] } });
    expect(mixed.status).toBe(207);
    expect(mixed.json['value']).toMatchObject([{ error: null }, { userId: 'nobody', error: { code: 'NotFound' } }]);
  });

  it('take apps before tabs', async () => {
    const sim = start();
    const channel = channelIn(sim);
    const app = { 'teamsApp@odata.bind': "https://graph.microsoft.com/v1.0/appCatalogs/teamsApps('1542629c-01b3-4a6d-8f76-1938b779e48d')" };
    const tab = { ...app, displayName: 'Poll', configuration: { entityId: 'x', contentUrl: 'https://example.com' } };
    expect((await sim.ask('POST', `${at(channel)}/tabs`, { body: tab })).status).toBe(400);
    expect((await sim.ask('POST', `/teams/${channel.teamId}/installedApps`, { body: app })).status).toBe(201);
    expect((await sim.ask('POST', `${at(channel)}/tabs`, { body: tab })).status).toBe(201);
    const { entries } = await sim.all(`${at(channel)}/tabs?$expand=teamsApp`);
    expect(entries.at(-1)).toMatchObject({ displayName: 'Poll', teamsApp: { displayName: 'Polly' }, configuration: { entityId: 'x' } });
  });

  it('let channels be made, renamed and given members', async () => {
    const sim = start();
    const { teamId } = channelIn(sim);
    const body = { displayName: 'Secret', membershipType: 'private', members: [owner(sim)] };
    const made = await sim.ask('POST', `/teams/${teamId}/channels`, { body });
    expect(made.status).toBe(201);
    const address = `/teams/${teamId}/channels/${made.json['id'] as string}`;
    expect((await sim.ask('POST', `/teams/${teamId}/channels`, { body })).status).toBe(409);
    expect((await sim.ask('PATCH', address, { body: { displayName: 'Open secret' } })).status).toBe(204);
    const second = sim.tenant.directory.users()[1]?.id;
    expect((await sim.ask('POST', `${address}/members`, { body: { ...owner(sim, second), roles: [] } })).status).toBe(201);
    expect((await sim.all(`${address}/members`)).entries.map((entry) => entry['roles'])).toEqual([['owner'], []]);
  });
});

describe('channel messages', () => {
  it('come complete from lists with their replies, from delta, and from getAllMessages', async () => {
    const sim = start();
    const channel = channelIn(sim);
    const truth = (await sim.truth('channels', channel.id)).map((line) => line.id);
    const collect = (roots: readonly JsonObject[]): unknown[] =>
      roots.flatMap((root) => [root['id'], ...(root['replies'] as JsonObject[]).map((reply) => reply['id'])]);
    const delta = await sim.all(`${at(channel)}/messages/delta?$top=50&$expand=replies`, PREFER);
    const thread = delta.entries.find((root) => root['replies@odata.nextLink']);
    expect(thread?.['replies@odata.count']).toBe(1050);
    const rest = await sim.all(thread?.['replies@odata.nextLink'] as string);
    const ids = [...collect(delta.entries), ...rest.entries.map((entry) => entry['id'])];
    sim.set({ channelDeltaMonths: 1200 });
    const list: unknown[] = [];
    for (const root of (await sim.all(`${at(channel)}/messages?$top=50`, PREFER)).entries) {
      list.push(
        root['id'],
        ...(await sim.all(`${at(channel)}/messages/${root['id'] as string}/replies`)).entries.map((entry) => entry['id']),
      );
    }
    expect(new Set(list)).toEqual(new Set(truth));
    expect(list).toHaveLength(truth.length);
    expect(truth).toEqual(expect.arrayContaining(ids));
    const all = await sim.all(`/teams/${channel.teamId}/channels/getAllMessages`);
    const own = all.entries.filter((entry) => (entry['channelIdentity'] as JsonObject)['channelId'] === channel.id);
    expect(new Set(own.map((entry) => entry['id']))).toEqual(new Set(truth));
    expect(own).toHaveLength(truth.length);
    const since = all.entries[40]?.['lastModifiedDateTime'] as string;
    const later = await sim.all(`/teams/${channel.teamId}/channels/getAllMessages?$filter=lastModifiedDateTime gt ${since}`);
    expect(later.entries.every((entry) => (entry['lastModifiedDateTime'] as string) > since)).toBe(true);
  });

  it('reach back eight months in delta and not further', async () => {
    const sim = start();
    const channel = channelIn(sim);
    const limit = new Date(sim.clock.nowMs());
    limit.setUTCMonth(limit.getUTCMonth() - 8);
    const { entries } = await sim.all(`${at(channel)}/messages/delta`);
    const all = await sim.truth('channels', channel.id);
    const roots = all.filter((line) => line.metadata['rootId'] === null);
    expect(entries.length).toBeLessThan(roots.length);
    const recent = roots.filter((line) => (line.metadata['modifiedAt'] as string) >= limit.toISOString()).map((line) => line.id);
    expect(entries.map((entry) => entry['id'])).toEqual(expect.arrayContaining(recent));
  });

  it('move their root in the delta when somebody replies, reacts, edits or deletes', async () => {
    const sim = start();
    const channel = channelIn(sim);
    const address = `${at(channel)}/messages/delta?$expand=replies`;
    const first = await sim.all(address, PREFER);
    const [a, b, c, d] = first.entries
      .filter((entry) => entry['messageType'] === 'message' && entry['deletedDateTime'] === null)
      .map((entry) => entry['id'] as string);
    sim.clock.advance(1000);
    sim.act('teams.post', { channel: channel.id, rootId: a ?? '', content: 'new reply' });
    sim.act('teams.react', { channel: channel.id, id: b ?? '' });
    sim.act('teams.edit', { channel: channel.id, id: c ?? '', content: 'edited' });
    sim.act('teams.delete', { channel: channel.id, id: d ?? '' });
    const { entries } = await sim.all(first.deltaLink ?? '', PREFER);
    expect(entries.map((entry) => entry['id'])).toEqual([a, b, c, d]);
    expect(listField(entries[0], 'replies')[0]).toMatchObject({ body: { content: 'new reply' } });
    expect(entries[2]?.['lastEditedDateTime']).not.toBeNull();
    expect(entries[3]).toMatchObject({ body: { content: '' } });
    expect(entries[3]?.['deletedDateTime']).not.toBeNull();
  });

  it('carry the bytes of pictures, mentions, reactions, files and what the system says', async () => {
    const sim = start();
    const channel = allChannels(sim.tenant).find((entry) => entry.displayName === 'News') ?? channelIn(sim);
    sim.set({ channelDeltaMonths: 1200 });
    const { entries } = await sim.all(`${at(channel)}/messages/delta?$expand=replies`, PREFER);
    const messages = entries.flatMap((root) => [root, ...(root['replies'] as JsonObject[])]);
    expect(messages.filter((entry) => entry['messageType'] === 'systemEventMessage')).toHaveLength(1);
    for (const part of ['mentions', 'reactions', 'attachments'])
      expect(messages.map((entry) => entry[part])).toContainEqual([expect.anything()]);
    const addresses = messages.flatMap((entry) => /src="([^"]+)"/.exec(bodyOf(entry))?.[1] ?? []);
    expect(addresses.some((address) => address.includes('/replies/'))).toBe(true);
    for (const address of addresses) {
      const { status, bytes } = await sim.get(address);
      expect([status, bytes.subarray(1, 4).toString()]).toEqual([200, 'PNG']);
    }
  });

  it('stay when their author has left', async () => {
    const sim = start();
    const posts = await sim.truth('teams', channelIn(sim).teamId);
    const authors = posts.flatMap((line) => textField(objectField(line.metadata, 'from'), 'userId') ?? []);
    expect(authors).toContain(leaverOf(sim.tenant));
    expect(sim.tenant.directory.user(leaverOf(sim.tenant))).toBeUndefined();
  });

  it('answer 400 to delta now and then when the flake is on', async () => {
    const sim = start();
    sim.set({ channelDeltaFlake: 1 });
    expect((await sim.get(`${at(channelIn(sim))}/messages/delta`)).status).toBe(400);
    expect((await sim.get(`${at(channelIn(sim))}/messages`)).status).toBe(200);
  });
});

describe('migration', () => {
  async function begin(sim: InProcess, channel = channelIn(sim)): Promise<string> {
    const body = { conversationCreationDateTime: '2015-01-01T00:00:00Z' };
    expect((await sim.ask('POST', `${at(channel)}/startMigration`, { body })).status).toBe(204);
    return at(channel);
  }

  it('takes messages with author and time, with pictures, and replies', async () => {
    const sim = start();
    const address = await begin(sim);
    const picture = {
      '@microsoft.graph.temporaryId': '1',
      contentBytes: Buffer.from('\u0089PNG').toString('base64'),
      contentType: 'image/png',
    };
    const body = { contentType: 'html', content: '<img src="../hostedContents/1/$value">' };
    const made = await sim.ask('POST', `${address}/messages`, {
      body: aPost(sim, '2016-02-03T04:05:06.007Z', { body, hostedContents: [picture] }),
    });
    expect([made.status, made.json['id']]).toEqual([201, String(Date.parse('2016-02-03T04:05:06.007Z'))]);
    const source = /src="([^"]+)"/.exec(bodyOf(made.json))?.[1] ?? '';
    expect((await sim.get(source)).bytes.toString()).toBe('\u0089PNG');
    const reply = await sim.ask('POST', `${address}/messages/${made.json['id'] as string}/replies`, {
      body: aPost(sim, '2016-02-03T04:06:00.000Z'),
    });
    expect(reply.json['replyToId']).toBe(made.json['id']);
    expect((await sim.get(`${address}?$select=id,migrationMode`)).json['migrationMode']).toBe('inProgress');
    expect((await sim.ask('POST', `${address}/completeMigration`)).status).toBe(204);
    expect((await sim.get(`${address}?$select=id,migrationMode`)).json['migrationMode']).toBe('completed');
    expect((await sim.get(address)).json).not.toHaveProperty('migrationMode');
  });

  it('refuses what collides, what is too old or in the future, out of order, or by nobody', async () => {
    const sim = start();
    const address = `${await begin(sim)}/messages`;
    const status = async (body: JsonObject): Promise<number> => (await sim.ask('POST', address, { body })).status;
    expect(await status(aPost(sim, '2016-01-01T00:00:00.000Z'))).toBe(201);
    expect(await status(aPost(sim, '2016-01-01T00:00:00.000Z'))).toBe(409);
    expect(await status(aPost(sim, '2016-01-01T00:00:00.001Z'))).toBe(201);
    expect(await status(aPost(sim, '2015-06-01T00:00:00.000Z'))).toBe(400);
    expect(await status(aPost(sim, '2014-01-01T00:00:00.000Z'))).toBe(400);
    expect(await status(aPost(sim, '2099-01-01T00:00:00.000Z'))).toBe(400);
    expect(await status(aPost(sim, '2017-01-01T00:00:00.000Z', { from: { user: { id: 'nobody' } } }))).toBe(400);
  });

  it('belongs to one app, and people wait until it ends', async () => {
    const sim = start();
    const channel = channelIn(sim);
    const address = at(channel);
    const post = { body: aPost(sim, '2016-01-01T00:00:00.000Z') };
    expect((await sim.ask('POST', `${address}/messages`, post)).status).toBe(403);
    await begin(sim, channel);
    expect((await sim.ask('POST', `${address}/startMigration`, { body: {} })).status).toBe(400);
    const other = { headers: { authorization: 'Bearer another-app' } };
    expect((await sim.ask('POST', `${address}/messages`, { ...post, ...other })).status).toBe(403);
    expect((await sim.ask('POST', `${address}/completeMigration`, other)).status).toBe(403);
    expect(() => sim.act('teams.post', { channel: channel.id })).toThrow('migrated');
    expect((await sim.ask('POST', `${address}/completeMigration`)).status).toBe(204);
    expect(sim.act('teams.post', { channel: channel.id })).toHaveProperty('id');
  });

  it('can be the way a whole team is made', async () => {
    const sim = start();
    const migration = { '@microsoft.graph.teamCreationMode': 'migration', createdDateTime: '2018-01-01T00:00:00Z' };
    const body = { ...migration, 'template@odata.bind': "x/teamsTemplates('standard')", displayName: 'Old', members: [owner(sim)] };
    const team = (await sim.ask('POST', '/teams', { body })).headers['Content-Location'] ?? '';
    const [general] = (await sim.all(`${team}/channels`)).entries;
    const channel = `${team}/channels/${general?.['id'] as string}`;
    expect((await sim.ask('POST', `${channel}/messages`, { body: aPost(sim, '2018-02-01T00:00:00.000Z') })).status).toBe(201);
    expect((await sim.ask('POST', `${team}/completeMigration`)).status).toBe(400);
    expect((await sim.ask('POST', `${channel}/completeMigration`)).status).toBe(204);
    expect((await sim.ask('POST', `${team}/completeMigration`)).status).toBe(204);
  });

  it('leaves the truth of every earlier change readable', async () => {
    const sim = start('tiny');
    const channel = channelIn(sim);
    const before = await sim.truth('channels', channel.id);
    const address = await begin(sim, channel);
    await sim.ask('POST', `${address}/messages`, { body: aPost(sim, '2016-01-01T00:00:00.000Z') });
    expect(await sim.truth('channels', channel.id, 0)).toEqual(before);
    expect(await sim.truth('channels', channel.id, 1)).toHaveLength(before.length + 1);
  });
});
