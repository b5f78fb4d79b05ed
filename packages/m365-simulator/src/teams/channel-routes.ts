import { guidOf } from '../values/seeded.ts';
import { openChannel } from '../conversations/channel-conversation.ts';
import { beginMigration, endMigration } from '../conversations/write-messages.ts';
import { positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import type { ItemRecord } from '../drives/drive-record.ts';
import { type OpenDrive, openDrive } from '../drives/open-drive.ts';
import { renderItem } from '../drives/render-item.ts';
import { listField, textField, timeField } from '../http/body-fields.ts';
import { badRequest, conflict, notFound } from '../http/failure.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { created, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { placesOf } from '../places/places.ts';
import type { Tenant } from '../state/tenant.ts';
import { boundPerson, requireChannel, requireTeam } from './find-team.ts';
import { renderChannel } from './render-team.ts';
import {
  allChannels,
  type ChannelRecord,
  channelsOf,
  deleteChannel,
  type MembershipType,
  putChannel,
  teamsState,
} from '../places/team-records.ts';

const LIST = ['$select', '$top', '$filter'];

function listChannels(context: Context, channels: readonly ChannelRecord[], render: (channel: ChannelRecord) => JsonObject): Reply {
  if (context.query.filter !== undefined) {
    const type = /^membershipType eq '(\w+)'$/i.exec(context.query.filter)?.[1];
    if (type === undefined) throw badRequest('teams', 'The filter is not supported on channels.');
    return listChannels(
      { ...context, query: { ...context.query, filter: undefined } },
      channels.filter((channel) => channel.membershipType === type),
      render,
    );
  }
  return listPage(context, {
    items: positionsOf(channels),
    context: `teams('${context.params[0] ?? ''}')/channels`,
    defaultSize: 100,
    maxSize: 999,
    render,
  });
}

/** Shared channels that another team hosts and shares with this one: with the first team of the tenant. */
function incomingChannels(tenant: Tenant, teamId: string): ChannelRecord[] {
  const [first] = tenant.directory.groups().filter((group) => group.isTeam);
  if (first?.id !== teamId) return [];
  return allChannels(tenant).filter((channel) => channel.membershipType === 'shared' && channel.teamId !== teamId);
}

function listAllChannels(context: Context): Reply {
  const { tenant, links } = context;
  const team = requireTeam(context);
  return listChannels(context, [...channelsOf(tenant, team.id), ...incomingChannels(tenant, team.id)], (channel) => ({
    '@odata.id': `${links.graph}/tenants/${tenant.tenantId}/teams/${channel.teamId}/channels/${channel.id}`,
    ...renderChannel(context, channel),
  }));
}

function readType(body: JsonObject): MembershipType {
  const type = textField(body, 'membershipType') ?? 'standard';
  if (type === 'standard' || type === 'private' || type === 'shared') return type;
  throw badRequest('teams', `The membershipType '${type}' is not supported.`);
}

function readMembers(context: Context, body: JsonObject): Record<string, 'owner' | 'member'> {
  const members: Record<string, 'owner' | 'member'> = {};
  for (const value of listField(body, 'members').filter(isJsonObject)) {
    members[boundPerson(context, value).id] = listField(value, 'roles').includes('owner') ? 'owner' : 'member';
  }
  if (!Object.values(members).includes('owner')) throw badRequest('teams', 'A private or shared channel needs an owner.');
  return members;
}

/** Signs, words and dots that no name of a channel may have. */
const FORBIDDEN_NAME = /[~#%&*{}+/\\:<>?|'"]|^[_.]|\.\.|\.$|_vti_|^(?:forms|con|prn|aux|nul|com\d|lpt\d|desktop\.ini)$/iu;

/** The name of a new channel, if nothing in the team has it. */
function readName(context: Context, teamId: string, body: JsonObject): string {
  const name = textField(body, 'displayName') ?? '';
  if (name === '' || name.length > 50) throw badRequest('teams', 'The channel name is missing or longer than 50 characters.');
  if (FORBIDDEN_NAME.test(name)) throw badRequest('teams', 'The channel name contains characters that are not allowed.');
  const isTaken = channelsOf(context.tenant, teamId).some((channel) => channel.displayName.toLowerCase() === name.toLowerCase());
  if (isTaken) throw conflict('teams', 'Channel name already existed, please use other name.');
  return name;
}

function driveOfChannel(tenant: Tenant, channel: ChannelRecord): OpenDrive {
  const places = placesOf(tenant);
  const site = places.siteOfChannel(channel.id) ?? places.siteOfGroup(channel.teamId);
  const [library] = site ? places.librariesOf(site.id) : [];
  if (!library) throw notFound('teams', 'The files of the channel are not provisioned.');
  return openDrive(tenant, library);
}

/** The folder of a channel in the library of its site; undefined until the service has made it. */
export function folderOf(tenant: Tenant, channel: ChannelRecord): ItemRecord | undefined {
  const drive = driveOfChannel(tenant, channel);
  const existing = drive.childNamed(drive.rootId, channel.folderName);
  if (existing) return existing;
  if (tenant.clock.nowMs() < (channel.filesFromMs ?? 0)) return undefined;
  const nowMs = tenant.clock.nowMs();
  const actor = { appId: 'Microsoft Teams' };
  const times = { createdMs: nowMs, modifiedMs: nowMs, fileCreatedMs: nowMs, fileModifiedMs: nowMs };
  const folder: ItemRecord = {
    id: drive.newId(),
    parentId: drive.rootId,
    name: channel.folderName,
    kind: 'folder',
    ...times,
    createdBy: actor,
    modifiedBy: actor,
    revision: 1,
    contentRevision: 1,
    versions: [],
    grants: [],
    inherits: true,
  };
  drive.put(folder);
  return folder;
}

async function createChannel(context: Context): Promise<Reply> {
  const body = await context.json();
  const team = requireTeam(context);
  const { tenant } = context;
  const membershipType = readType(body);
  const displayName = readName(context, team.id, body);
  const isMigrating = body['@microsoft.graph.channelCreationMode'] === 'migration';
  const createdMs = (isMigrating ? timeField(body, 'createdDateTime') : undefined) ?? tenant.clock.nowMs();
  const channel: ChannelRecord = {
    id: `19:${guidOf(tenant.seed, 'new-channel', team.id, teamsState(tenant).created.length).replaceAll('-', '')}@thread.tacv2`,
    teamId: team.id,
    displayName,
    folderName: displayName,
    filesFromMs: tenant.clock.nowMs() + tenant.switches.channelFolderMs,
    description: textField(body, 'description') ?? null,
    membershipType,
    isGeneral: false,
    createdMs,
    seededMessages: 0,
    ...(membershipType === 'standard' ? {} : { members: readMembers(context, body) }),
    ...(isMigrating ? { migration: { mode: 'inProgress' as const, appId: context.caller.appId, createdMs } } : {}),
  };
  putChannel(tenant, channel);
  folderOf(tenant, channel);
  return created({ '@odata.context': context.links.context(`teams('${team.id}')/channels/$entity`), ...renderChannel(context, channel) });
}

async function updateChannel(context: Context): Promise<Reply> {
  const body = await context.json();
  const channel = requireChannel(context);
  const description = textField(body, 'description');
  const wanted = textField(body, 'displayName');
  const isRenamed = wanted !== undefined && wanted !== channel.displayName;
  if (isRenamed && channel.isGeneral) throw badRequest('teams', 'The general channel can not be renamed.');
  const displayName = isRenamed ? readName(context, channel.teamId, body) : channel.displayName;
  putChannel(context.tenant, { ...channel, displayName, ...(description === undefined ? {} : { description }) });
  return noContent;
}

function removeChannel(context: Context): Reply {
  const channel = requireChannel(context);
  if (channel.isGeneral) throw badRequest('teams', 'The general channel can not be deleted.');
  deleteChannel(context.tenant, channel);
  return noContent;
}

function filesFolder(context: Context): Reply {
  const channel = requireChannel(context);
  const folder = folderOf(context.tenant, channel);
  if (!folder) throw notFound('teams', 'Folder location for this channel is not ready yet, please try again later.');
  const drive = driveOfChannel(context.tenant, channel);
  return ok({ '@odata.context': context.links.context('driveItem'), ...renderItem(context, drive, folder) });
}

async function startMigration(context: Context): Promise<Reply> {
  const body = await context.json();
  const channel = requireChannel(context);
  putChannel(context.tenant, {
    ...channel,
    migration: beginMigration(context, body, { createdMs: channel.createdMs, migration: channel.migration }),
  });
  return noContent;
}

function completeMigration(context: Context): Reply {
  const channel = requireChannel(context);
  const migration = endMigration(context, openChannel(context.tenant, channel), channel.migration);
  putChannel(context.tenant, { ...channel, migration });
  return noContent;
}

const CHANNEL = '/teams/{id}/channels/{id}';

/** Channels of the three kinds. */
export const channelRoutes: readonly RouteEntry[] = [
  {
    method: 'GET',
    path: '/teams/{id}/channels',
    service: 'teams',
    query: LIST,
    handler: (context) =>
      listChannels(context, channelsOf(context.tenant, requireTeam(context).id), (channel) => renderChannel(context, channel)),
  },
  { method: 'POST', path: '/teams/{id}/channels', service: 'teams', handler: createChannel },
  { method: 'GET', path: '/teams/{id}/allChannels', service: 'teams', query: LIST, handler: listAllChannels },
  {
    method: 'GET',
    path: CHANNEL,
    service: 'teams',
    query: ['$select'],
    handler(context) {
      const channel = requireChannel(context);
      return ok({
        '@odata.context': context.links.context(`teams('${channel.teamId}')/channels/$entity`),
        ...renderChannel(context, channel),
      });
    },
  },
  { method: 'PATCH', path: CHANNEL, service: 'teams', handler: updateChannel },
  { method: 'DELETE', path: CHANNEL, service: 'teams', handler: removeChannel },
  { method: 'GET', path: `${CHANNEL}/filesFolder`, service: 'teams', query: ['$select'], handler: filesFolder },
  { method: 'POST', path: `${CHANNEL}/startMigration`, service: 'teams', handler: startMigration },
  { method: 'POST', path: `${CHANNEL}/completeMigration`, service: 'teams', handler: completeMigration },
];
