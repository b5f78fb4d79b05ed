import { addressName } from '../values/names.ts';
import { guidOf } from '../values/seeded.ts';
import type { Group } from '../state/directory.ts';
import { listField, objectField, textField, timeField } from '../http/body-fields.ts';
import { badRequest, notFound } from '../http/failure.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { accepted, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { teamsTime } from '../conversations/render-message.ts';
import { folderOf } from './channel-routes.ts';
import { boundKey, boundPerson, requireTeam } from './find-team.ts';
import { withMember } from './member-routes.ts';
import { renderTeam } from './render-team.ts';
import { channelIdOf, channelsOf, findTeam, type OperationRecord, putChannel, putTeam, teamsState } from '../places/team-records.ts';

const SETTINGS = ['memberSettings', 'guestSettings', 'messagingSettings', 'funSettings'] as const;

/** The settings in `body` over those that hold. */
function mergeSettings(current: JsonObject, body: JsonObject): JsonObject {
  const merged: Record<string, JsonObject> = {};
  for (const name of SETTINGS) merged[name] = { ...objectField(current, name), ...objectField(body, name) };
  return merged;
}

function newGroup(context: Context, body: JsonObject, createdMs: number): Group {
  const { tenant } = context;
  const displayName = textField(body, 'displayName') ?? '';
  if (displayName === '') throw badRequest('teams', 'displayName is required.');
  const number = teamsState(tenant).operations.size;
  const id = guidOf(tenant.seed, 'new-team', number);
  let group: Group = {
    id,
    displayName,
    description: textField(body, 'description') ?? '',
    mailNickname: `${addressName(displayName).replaceAll('.', '')}${number === 0 ? '' : number}-${id.slice(0, 4)}`,
    kind: 'unified',
    isTeam: true,
    visibility: textField(body, 'visibility')?.toLowerCase() === 'public' ? 'Public' : 'Private',
    ownerIds: [],
    memberIds: [],
    createdMs,
  };
  for (const value of listField(body, 'members').filter(isJsonObject)) {
    group = withMember(group, boundPerson(context, value), listField(value, 'roles').includes('owner'));
  }
  if (group.ownerIds.length === 0) throw badRequest('teams', 'A team owner must be provided when creating a team in application context.');
  return group;
}

async function createTeam(context: Context): Promise<Reply> {
  const body = await context.json();
  const { tenant } = context;
  if (boundKey(body, 'template') === undefined) throw badRequest('teams', "'template@odata.bind' is required.");
  const isMigrating = body['@microsoft.graph.teamCreationMode'] === 'migration';
  const nowMs = tenant.clock.nowMs();
  const createdMs = (isMigrating ? timeField(body, 'createdDateTime') : undefined) ?? nowMs;
  const group = newGroup(context, body, nowMs);
  tenant.directory.putGroup(group);
  const migration = isMigrating ? { mode: 'inProgress' as const, appId: context.caller.appId, createdMs } : undefined;
  const defaults = findTeam(tenant, group.id)?.settings ?? {};
  const endsMs = nowMs + tenant.switches.teamCreationMs;
  putTeam(tenant, {
    id: group.id,
    createdMs,
    settings: mergeSettings(defaults, body),
    isArchived: false,
    visibleMs: endsMs,
    ...(migration ? { migration } : {}),
  });
  const general = { displayName: textField(body, 'firstChannelName') ?? 'General', description: group.description };
  const id = channelIdOf(tenant.seed, group.id, general.displayName);
  putChannel(tenant, {
    id,
    teamId: group.id,
    ...general,
    folderName: general.displayName,
    filesFromMs: nowMs + tenant.switches.channelFolderMs,
    membershipType: 'standard',
    isGeneral: true,
    createdMs,
    seededMessages: 0,
    ...(migration ? { migration } : {}),
  });
  for (const channel of channelsOf(tenant, group.id)) folderOf(tenant, channel);
  const operation: OperationRecord = { id: guidOf(tenant.seed, 'operation', group.id), teamId: group.id, startedMs: nowMs, endsMs };
  teamsState(tenant).operations.set(operation.id, operation);
  return accepted({ Location: `/teams('${group.id}')/operations('${operation.id}')`, 'Content-Location': `/teams('${group.id}')` });
}

function statusOf(operation: OperationRecord, nowMs: number): string {
  if (nowMs >= operation.endsMs) return 'succeeded';
  return nowMs < operation.startedMs + (operation.endsMs - operation.startedMs) / 4 ? 'notStarted' : 'inProgress';
}

function readOperation(context: Context): Reply {
  const { tenant } = context;
  const [teamId, id = ''] = context.params;
  const operation = teamsState(tenant).operations.get(id);
  if (!operation || operation.teamId !== teamId) throw notFound('teams', 'The operation was not found.');
  const nowMs = tenant.clock.nowMs();
  return ok({
    '@odata.context': context.links.context(`teams('${teamId}')/operations/$entity`),
    id: operation.id,
    operationType: 'createTeam',
    createdDateTime: teamsTime(operation.startedMs),
    lastActionDateTime: teamsTime(Math.min(nowMs, operation.endsMs)),
    status: statusOf(operation, nowMs),
    attemptsCount: 1,
    targetResourceId: operation.teamId,
    targetResourceLocation: `/teams('${operation.teamId}')`,
    error: null,
  });
}

async function updateTeam(context: Context): Promise<Reply> {
  const body = await context.json();
  const team = requireTeam(context);
  const { directory } = context.tenant;
  putTeam(context.tenant, { ...team, settings: mergeSettings(team.settings, body) });
  const group = directory.group(team.id);
  const displayName = textField(body, 'displayName');
  const description = textField(body, 'description');
  if (group && (displayName !== undefined || description !== undefined)) {
    directory.putGroup({
      ...group,
      ...(displayName === undefined ? {} : { displayName }),
      ...(description === undefined ? {} : { description }),
    });
  }
  return noContent;
}

function completeTeamMigration(context: Context): Reply {
  const team = requireTeam(context);
  if (team.migration?.mode !== 'inProgress') throw badRequest('teams', 'The team is not in migration mode.');
  const isOpen = channelsOf(context.tenant, team.id).some((channel) => channel.migration?.mode === 'inProgress');
  if (isOpen) throw badRequest('teams', 'A channel of the team is still in migration mode.');
  putTeam(context.tenant, { ...team, migration: { ...team.migration, mode: 'completed' } });
  return noContent;
}

/** Teams: made, read, set, migrated. */
export const teamRoutes: readonly RouteEntry[] = [
  { method: 'POST', path: '/teams', service: 'teams', handler: createTeam },
  {
    method: 'GET',
    path: '/teams/{id}',
    service: 'teams',
    query: ['$select'],
    handler: (context) => ok({ '@odata.context': context.links.context('teams/$entity'), ...renderTeam(context, requireTeam(context)) }),
  },
  { method: 'PATCH', path: '/teams/{id}', service: 'teams', handler: updateTeam },
  { method: 'GET', path: '/teams/{id}/operations/{id}', service: 'teams', query: ['$select'], handler: readOperation },
  { method: 'POST', path: '/teams/{id}/completeMigration', service: 'teams', handler: completeTeamMigration },
];
