import { describe, expect, it } from 'vitest';
import { openChannel } from '../conversations/channel-conversation.ts';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { drivesWorkload } from '../drives/drives-workload.ts';
import type { JsonObject } from '../values/json.ts';
import { answerTo, collection, type DocumentedRow, entity, missingRows } from '../testing/documented-rows.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { bound, imported, member, message, migrating, type Shapes, userOf } from '../testing/message-shapes.ts';
import { allChannels, type ChannelRecord, teamsState } from '../places/team-records.ts';
import { teamsWorkload } from './teams-workload.ts';

const text = 'string';
const flag = 'boolean';
const number = 'number';

const team: Shapes = {
  id: text,
  createdDateTime: text,
  displayName: text,
  description: text,
  internalId: text,
  classification: null,
  specialization: text,
  visibility: text,
  webUrl: text,
  isArchived: flag,
  tenantId: text,
  memberSettings: {
    allowCreateUpdateChannels: flag,
    allowCreatePrivateChannels: flag,
    allowDeleteChannels: flag,
    allowAddRemoveApps: flag,
    allowCreateUpdateRemoveTabs: flag,
    allowCreateUpdateRemoveConnectors: flag,
  },
  guestSettings: { allowCreateUpdateChannels: flag, allowDeleteChannels: flag },
  messagingSettings: {
    allowUserEditMessages: flag,
    allowUserDeleteMessages: flag,
    allowOwnerDeleteMessages: flag,
    allowTeamMentions: flag,
    allowChannelMentions: flag,
  },
  funSettings: { allowGiphy: flag, giphyContentRating: text, allowStickersAndMemes: flag, allowCustomMemes: flag },
  summary: { ownersCount: number, membersCount: number, guestsCount: number },
};
const channel: Shapes = {
  id: text,
  createdDateTime: text,
  displayName: text,
  description: text,
  isFavoriteByDefault: null,
  email: text,
  webUrl: text,
  membershipType: text,
  isArchived: flag,
  tenantId: text,
};
const general: Shapes = { ...channel, description: null, isFavoriteByDefault: flag };
const app: Shapes = { id: text, externalId: null, displayName: text, distributionMethod: text };
const definition: Shapes = {
  id: text,
  teamsAppId: text,
  displayName: text,
  version: text,
  publishingState: text,
  shortDescription: text,
  description: text,
  lastModifiedDateTime: null,
  createdBy: null,
};
const folder: Shapes = {
  '@odata.etag': text,
  id: text,
  name: text,
  size: number,
  eTag: text,
  cTag: text,
  webUrl: text,
  createdDateTime: text,
  lastModifiedDateTime: text,
  createdBy: { user: { email: text, id: text, displayName: text } },
  lastModifiedBy: { user: { email: text, id: text, displayName: text } },
  parentReference: { driveId: text, driveType: text, id: text, name: text, path: text, siteId: text },
  fileSystemInfo: { createdDateTime: text, lastModifiedDateTime: text },
  folder: { childCount: number },
};

function someChannel(sim: InProcess, type: ChannelRecord['membershipType'] = 'standard'): ChannelRecord {
  const found = allChannels(sim.tenant).find((entry) => entry.membershipType === type && !entry.isGeneral);
  if (!found) throw new Error(`The recipe has no ${type} channel.`);
  return found;
}
const inTeam = (sim: InProcess): string => `/teams/${someChannel(sim).teamId}`;
const inChannel = (sim: InProcess): string => `${inTeam(sim)}/channels/${someChannel(sim).id}`;
async function aRoot(sim: InProcess, more = ''): Promise<string> {
  const place = await migrating(sim, inChannel(sim));
  const { json } = await sim.ask('POST', `${place}/messages`, { body: imported(sim) });
  return `${place}/messages/${json['id'] as string}${more}`;
}

/** A channel message of the seed with a picture: where its bytes are. */
function aPicture(sim: InProcess): string {
  for (const entry of allChannels(sim.tenant)) {
    const { roots } = openChannel(sim.tenant, entry);
    for (let position = 0; position < roots.size; position += 1) {
      const found = roots.at(position);
      const [hosted] = found?.hosted ?? [];
      if (found && hosted) return `/teams/${entry.teamId}/channels/${entry.id}/messages/${found.id}/hostedContents/${hosted.id}/$value`;
    }
  }
  throw new Error('The recipe has no picture.');
}

function aReplyPicture(sim: InProcess): string {
  for (const entry of allChannels(sim.tenant)) {
    const open = openChannel(sim.tenant, entry);
    for (let position = 0; position < open.roots.size; position += 1) {
      const replies = open.repliesTo(open.rootIdAt(position));
      for (let index = 0; index < replies.size; index += 1) {
        const reply = replies.at(index);
        const [hosted] = reply?.hosted ?? [];
        if (reply && hosted)
          return `/teams/${entry.teamId}/channels/${entry.id}/messages/${reply.rootId ?? ''}/replies/${reply.id}/hostedContents/${hosted.id}/$value`;
      }
    }
  }
  throw new Error('The recipe has no picture in a reply.');
}

const newTeam = (sim: InProcess): JsonObject => ({
  'template@odata.bind': "https://graph.microsoft.com/v1.0/teamsTemplates('standard')",
  displayName: 'New',
  members: [bound(sim)],
});
const migratedTeam = (sim: InProcess): JsonObject => ({
  ...newTeam(sim),
  '@microsoft.graph.teamCreationMode': 'migration',
  createdDateTime: '2016-01-01T00:00:00Z',
});
const polly = { 'teamsApp@odata.bind': "https://graph.microsoft.com/v1.0/appCatalogs/teamsApps('1542629c-01b3-4a6d-8f76-1938b779e48d')" };
const web = { 'teamsApp@odata.bind': "https://graph.microsoft.com/v1.0/appCatalogs/teamsApps('com.microsoft.teamspace.tab.web')" };

const rows: readonly DocumentedRow[] = [
  { row: 'POST /teams', ask: () => '/teams', body: newTeam, status: 202 },
  { row: 'GET /teams/{id}', ask: inTeam, status: 200, shape: entity(team) },
  { row: 'PATCH /teams/{id}', ask: inTeam, body: { memberSettings: { allowDeleteChannels: false } }, status: 204 },
  {
    row: 'GET /teams/{id}/operations/{id}',
    async ask(sim) {
      await sim.ask('POST', '/teams', { body: newTeam(sim) });
      const [operation] = teamsState(sim.tenant).operations.values();
      return `/teams/${operation?.teamId ?? ''}/operations/${operation?.id ?? ''}`;
    },
    status: 200,
    shape: entity({
      id: text,
      operationType: text,
      createdDateTime: text,
      lastActionDateTime: text,
      status: text,
      attemptsCount: number,
      targetResourceId: text,
      targetResourceLocation: text,
      error: null,
    }),
  },
  { row: 'GET /teams/{id}/members', ask: (sim) => `${inTeam(sim)}/members`, status: 200, shape: collection(member) },
  {
    row: 'POST /teams/{id}/members/add',
    ask: (sim) => `${inTeam(sim)}/members/add`,
    body: (sim) => ({ values: [bound(sim)] }),
    status: 200,
    shape: collection({ '@odata.type': text, userId: text, error: null }),
  },
  {
    row: 'GET /teams/{id}/installedApps',
    ask: (sim) => `${inTeam(sim)}/installedApps?$expand=teamsAppDefinition`,
    status: 200,
    shape: collection({ id: text, teamsAppDefinition: definition }),
  },
  { row: 'POST /teams/{id}/installedApps', ask: (sim) => `${inTeam(sim)}/installedApps`, body: polly, status: 201 },
  { row: 'GET /teams/{id}/channels', ask: (sim) => `${inTeam(sim)}/channels`, status: 200, shape: collection(general) },
  {
    row: 'POST /teams/{id}/channels',
    ask: (sim) => `${inTeam(sim)}/channels`,
    body: { displayName: 'New', description: 'd', membershipType: 'standard' },
    status: 201,
    shape: entity(channel),
  },
  {
    row: 'GET /teams/{id}/allChannels',
    ask: (sim) => `${inTeam(sim)}/allChannels`,
    status: 200,
    shape: collection({ '@odata.id': text, ...general }),
  },
  { row: 'GET /teams/{id}/channels/{id}', ask: inChannel, status: 200, shape: entity(channel) },
  { row: 'PATCH /teams/{id}/channels/{id}', ask: inChannel, body: { description: 'other' }, status: 204 },
  { row: 'DELETE /teams/{id}/channels/{id}', ask: inChannel, status: 204 },
  { row: 'GET /teams/{id}/channels/{id}/filesFolder', ask: (sim) => `${inChannel(sim)}/filesFolder`, status: 200, shape: entity(folder) },
  { row: 'GET /teams/{id}/channels/{id}/members', ask: (sim) => `${inChannel(sim)}/members`, status: 200, shape: collection(member) },
  {
    row: 'POST /teams/{id}/channels/{id}/members',
    ask: (sim) => `/teams/${someChannel(sim, 'private').teamId}/channels/${someChannel(sim, 'private').id}/members`,
    body: (sim) => bound(sim),
    status: 201,
    shape: entity(member),
  },
  {
    row: 'GET /teams/{id}/channels/{id}/tabs',
    ask: (sim) => `${inChannel(sim)}/tabs?$expand=teamsApp`,
    status: 200,
    shape: collection({
      id: text,
      displayName: text,
      webUrl: text,
      configuration: { entityId: null, contentUrl: text, websiteUrl: text, removeUrl: null },
      teamsApp: app,
    }),
  },
  {
    row: 'POST /teams/{id}/channels/{id}/tabs',
    ask: (sim) => `${inChannel(sim)}/tabs`,
    body: { ...web, displayName: 'Site', configuration: { contentUrl: 'https://example.com' } },
    status: 201,
    shape: entity({ id: text, displayName: text, webUrl: text, configuration: { contentUrl: text } }),
  },
  {
    row: 'GET /teams/{id}/channels/{id}/messages',
    async ask(sim) {
      await aRoot(sim);
      return `${inChannel(sim)}/messages?$top=50`;
    },
    status: 200,
    shape: collection(message()),
  },
  {
    row: 'POST /teams/{id}/channels/{id}/messages',
    ask: async (sim) => `${await migrating(sim, inChannel(sim))}/messages`,
    body: (sim) => imported(sim),
    status: 201,
    shape: entity(message()),
  },
  {
    row: 'GET /teams/{id}/channels/{id}/messages/delta',
    async ask(sim) {
      const { deltaLink } = await sim.all(`${inChannel(sim)}/messages/delta?$expand=replies`);
      sim.act('teams.post', { channel: someChannel(sim).id, by: userOf(sim) });
      return deltaLink ?? '';
    },
    status: 200,
    shape: {
      '@odata.context': text,
      '@odata.deltaLink': text,
      value: [message({ 'replies@odata.context': text, 'replies@odata.count': number, replies: [] })],
    },
  },
  { row: 'GET /teams/{id}/channels/{id}/messages/{id}', ask: (sim) => aRoot(sim), status: 200, shape: entity(message()) },
  {
    row: 'GET /teams/{id}/channels/{id}/messages/{id}/replies',
    async ask(sim) {
      const replies = await aRoot(sim, '/replies');
      await sim.ask('POST', replies, { body: imported(sim, '2016-01-02T00:00:00.000Z') });
      return replies;
    },
    status: 200,
    shape: collection(message({ replyToId: text })),
  },
  {
    row: 'POST /teams/{id}/channels/{id}/messages/{id}/replies',
    ask: (sim) => aRoot(sim, '/replies'),
    body: (sim) => imported(sim, '2016-01-02T00:00:00.000Z'),
    status: 201,
    shape: entity(message({ replyToId: text })),
  },
  { row: 'GET /teams/{id}/channels/{id}/messages/{id}/hostedContents/{id}/$value', ask: aPicture, status: 200 },
  { row: 'GET /teams/{id}/channels/{id}/messages/{id}/replies/{id}/hostedContents/{id}/$value', ask: aReplyPicture, status: 200 },
  {
    row: 'GET /teams/{id}/channels/getAllMessages',
    async ask(sim) {
      sim.act('teams.post', { channel: someChannel(sim).id, by: userOf(sim) });
      return `${inTeam(sim)}/channels/getAllMessages?$filter=lastModifiedDateTime gt ${new Date(sim.clock.nowMs() - 1000).toISOString()}`;
    },
    status: 200,
    shape: collection(message()),
  },
  {
    row: 'POST /teams/{id}/channels/{id}/startMigration',
    ask: (sim) => `${inChannel(sim)}/startMigration`,
    body: { conversationCreationDateTime: '2015-01-01T00:00:00Z' },
    status: 204,
  },
  {
    row: 'POST /teams/{id}/channels/{id}/completeMigration',
    ask: async (sim) => `${await migrating(sim, inChannel(sim))}/completeMigration`,
    status: 204,
  },
  {
    row: 'POST /teams/{id}/completeMigration',
    async ask(sim) {
      const place = (await sim.ask('POST', '/teams', { body: migratedTeam(sim) })).headers['Content-Location'] ?? '';
      const [first] = (await sim.all(`${place}/channels`)).entries;
      await sim.ask('POST', `${place}/channels/${first?.['id'] as string}/completeMigration`);
      return `${place}/completeMigration`;
    },
    status: 204,
  },
];

describe('teams answer in the documented shape', () => {
  it.each(rows)('$row', async (documented) => {
    const sim = createInProcess({ workloads: [directoryWorkload, drivesWorkload, teamsWorkload], recipe: 'contoso' });
    expect(await answerTo(sim, documented)).toEqual({ status: documented.status, shape: documented.shape });
    sim.requireValid();
  });

  it('and every route has its row', () => {
    expect(missingRows(teamsWorkload, rows)).toEqual([]);
  });
});
