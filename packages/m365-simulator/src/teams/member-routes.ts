import { positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import type { Group, Person } from '../state/directory.ts';
import { listField } from '../http/body-fields.ts';
import { badRequest } from '../http/failure.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { created, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { boundKey, boundPerson, requireChannel, requireTeam } from './find-team.ts';
import { renderMember } from './render-team.ts';
import { type ChannelRecord, putChannel } from '../places/team-records.ts';

interface Membership {
  readonly person: Person;
  readonly isOwner: boolean;
}

function membersOfGroup(context: Context, group: Group): Membership[] {
  return group.memberIds.flatMap((id) => {
    const person = context.tenant.directory.user(id);
    return person ? [{ person, isOwner: group.ownerIds.includes(id) }] : [];
  });
}

/** Members of a channel: its own, or in a standard channel those of the team. */
export function membersOfChannel(context: Context, channel: ChannelRecord): Membership[] {
  const { directory } = context.tenant;
  if (channel.membershipType !== 'standard') {
    return Object.entries(channel.members ?? {}).flatMap(([id, role]) => {
      const person = directory.user(id);
      return person ? [{ person, isOwner: role === 'owner' }] : [];
    });
  }
  const group = directory.group(channel.teamId);
  return group ? membersOfGroup(context, group) : [];
}

function listMembers(context: Context, placeId: string, members: readonly Membership[]): Reply {
  return listPage(context, {
    items: positionsOf(members),
    context: `teams('${placeId}')/members`,
    defaultSize: 100,
    maxSize: 999,
    render: ({ person, isOwner }) => renderMember(context.tenant, placeId, person, isOwner),
  });
}

function listTeamMembers(context: Context): Reply {
  const team = requireTeam(context);
  const group = context.tenant.directory.group(team.id);
  return listMembers(context, team.id, group ? membersOfGroup(context, group) : []);
}

function isOwnerRole(value: JsonObject): boolean {
  return listField(value, 'roles').includes('owner');
}

/** A group with one more member; the same group when the person is in it already with this role. */
export function withMember(group: Group, person: Person, isOwner: boolean): Group {
  const memberIds = group.memberIds.includes(person.id) ? group.memberIds : [...group.memberIds, person.id];
  const ownerIds = isOwner && !group.ownerIds.includes(person.id) ? [...group.ownerIds, person.id] : group.ownerIds;
  return { ...group, memberIds, ownerIds };
}

async function addMembers(context: Context): Promise<Reply> {
  const body = await context.json();
  const team = requireTeam(context);
  const { directory } = context.tenant;
  const values = listField(body, 'values').filter(isJsonObject);
  if (values.length === 0 || values.length > 200) throw badRequest('teams', 'Between 1 and 200 members can be added at a time.');
  let group = directory.group(team.id);
  const results = values.map((value): JsonObject => {
    const key = boundKey(value, 'user') ?? '';
    const person = directory.user(key);
    const type = { '@odata.type': '#microsoft.graph.aadUserConversationMemberResult', userId: person?.id ?? key };
    if (!person) return { ...type, error: { code: 'NotFound', message: 'No user found in this tenant.' } };
    group = group && withMember(group, person, isOwnerRole(value));
    return { ...type, error: null };
  });
  if (group) directory.putGroup(group);
  const hasFailures = results.some((result) => result['error'] !== null);
  const annotation = { '@odata.context': context.links.context('Collection(microsoft.graph.aadUserConversationMemberResult)') };
  return { status: hasFailures ? 207 : 200, json: { ...annotation, value: results } };
}

function listChannelMembers(context: Context): Reply {
  const channel = requireChannel(context);
  return listMembers(context, channel.id, membersOfChannel(context, channel));
}

async function addChannelMember(context: Context): Promise<Reply> {
  const body = await context.json();
  const channel = requireChannel(context);
  if (channel.membershipType === 'standard') throw badRequest('teams', 'Members of a standard channel are those of the team.');
  const person = boundPerson(context, body);
  const isOwner = isOwnerRole(body);
  putChannel(context.tenant, { ...channel, members: { ...channel.members, [person.id]: isOwner ? 'owner' : 'member' } });
  const annotation = { '@odata.context': context.links.context('teams/channels/members/$entity') };
  return created({ ...annotation, ...renderMember(context.tenant, channel.id, person, isOwner) });
}

/** Members of teams and channels. */
export const memberRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/teams/{id}/members', service: 'teams', query: ['$top', '$select'], handler: listTeamMembers },
  { method: 'POST', path: '/teams/{id}/members/add', service: 'teams', handler: addMembers },
  { method: 'GET', path: '/teams/{id}/channels/{id}/members', service: 'teams', query: ['$top', '$select'], handler: listChannelMembers },
  { method: 'POST', path: '/teams/{id}/channels/{id}/members', service: 'teams', handler: addChannelMember },
];
