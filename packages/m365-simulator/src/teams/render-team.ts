import type { Group, Person } from '../state/directory.ts';
import type { JsonObject } from '../values/json.ts';
import { project } from '../http/query.ts';
import type { Context } from '../http/route.ts';
import { teamsTime } from '../conversations/render-message.ts';
import type { Tenant } from '../state/tenant.ts';
import type { ChannelRecord, MembershipType, TeamRecord } from '../places/team-records.ts';

const BEGINNING = '0001-01-01T00:00:00Z';

function summaryOf(tenant: Tenant, group: Group): JsonObject {
  const guests = group.memberIds.filter((id) => tenant.directory.user(id)?.kind === 'guest').length;
  const isThere = (id: string): boolean => tenant.directory.user(id) !== undefined;
  const owners = group.ownerIds.filter(isThere).length;
  return { ownersCount: owners, membersCount: group.memberIds.filter(isThere).length - owners - guests, guestsCount: guests };
}

/** A team as Graph answers it: name and visibility are those of the group. */
export function renderTeam(context: Context, team: TeamRecord): JsonObject {
  const { tenant } = context;
  const group = tenant.directory.group(team.id);
  return project(
    {
      id: team.id,
      createdDateTime: teamsTime(team.createdMs),
      displayName: group?.displayName ?? '',
      description: group?.description ?? null,
      internalId: `19:${team.id.replaceAll('-', '')}@thread.tacv2`,
      classification: null,
      specialization: 'none',
      visibility: group?.visibility === 'Public' ? 'public' : 'private',
      webUrl: `https://teams.microsoft.com/l/team/${team.id}/conversations?groupId=${team.id}&tenantId=${tenant.tenantId}`,
      isArchived: team.isArchived,
      tenantId: tenant.tenantId,
      ...team.settings,
      summary: group ? summaryOf(tenant, group) : null,
    },
    context.query.select,
  );
}

function membershipType(context: Context, type: MembershipType): string {
  return type === 'shared' && !context.prefer.includeUnknownEnumMembers ? 'unknownFutureValue' : type;
}

/** A channel as Graph answers it; what of migration there is must be selected. */
export function renderChannel(context: Context, channel: ChannelRecord): JsonObject {
  const { tenant, query } = context;
  const { migration } = channel;
  const isMigrationWanted = query.select?.some((name) => name === 'migrationMode' || name === 'originalCreatedDateTime') ?? false;
  const entity: JsonObject = {
    id: channel.id,
    createdDateTime: teamsTime(migration?.createdMs ?? channel.createdMs),
    displayName: channel.displayName,
    description: channel.description,
    isFavoriteByDefault: channel.isGeneral ? true : null,
    email: `${channel.displayName.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}.${channel.teamId.slice(0, 8)}@emea.teams.ms`,
    webUrl: `https://teams.microsoft.com/l/channel/${encodeURIComponent(channel.id)}/${encodeURIComponent(channel.displayName)}?groupId=${channel.teamId}&tenantId=${tenant.tenantId}`,
    membershipType: membershipType(context, channel.membershipType),
    isArchived: false,
    tenantId: tenant.tenantId,
    ...(isMigrationWanted
      ? { migrationMode: migration?.mode ?? null, originalCreatedDateTime: migration ? teamsTime(channel.createdMs) : null }
      : {}),
  };
  return project(entity, query.select);
}

/** Someone's place in a team, channel or chat. */
export function renderMember(tenant: Tenant, placeId: string, person: Person, isOwner: boolean): JsonObject {
  const roles = isOwner ? ['owner'] : person.kind === 'guest' ? ['guest'] : [];
  return {
    '@odata.type': '#microsoft.graph.aadUserConversationMember',
    id: Buffer.from(`MCMjMSMj${placeId}##${person.id}`).toString('base64'),
    roles,
    displayName: person.displayName,
    visibleHistoryStartDateTime: BEGINNING,
    userId: person.id,
    email: person.mail,
    tenantId: tenant.tenantId,
  };
}
