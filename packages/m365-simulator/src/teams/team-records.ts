import { guidOf, hashText } from '../content/seeded.ts';
import type { JsonObject } from '../http/json.ts';
import type { ChangeLog } from '../state/change-log.ts';
import type { Tenant } from '../state/tenant.ts';

export type MembershipType = 'standard' | 'private' | 'shared';

/** A conversation that is being imported: who may post, and from when. */
export interface Migration {
  readonly mode: 'inProgress' | 'completed';
  readonly appId: string;
  /** Messages must be younger than this. */
  readonly createdMs: number;
}

/** A channel as it is now; replaced, never changed in place. */
export interface ChannelRecord {
  readonly id: string;
  readonly teamId: string;
  readonly displayName: string;
  readonly description: string | null;
  readonly membershipType: MembershipType;
  readonly isGeneral: boolean;
  readonly createdMs: number;
  /** How many root messages the seed gives it; 0 for a channel that somebody created. */
  readonly seededMessages: number;
  /** Members of a private or shared channel by user id, with their role. */
  readonly members?: Readonly<Record<string, 'owner' | 'member'>>;
  readonly migration?: Migration;
}

/** What of a team can be set. Members and name are those of its group. */
export interface TeamRecord {
  readonly id: string;
  readonly createdMs: number;
  readonly settings: JsonObject;
  readonly isArchived: boolean;
  /** From when on Graph knows it: a new team answers 404 for a while. */
  readonly visibleMs: number;
  readonly migration?: Migration;
}

/** What was changed about teams and channels since the seed. */
export interface TeamsState {
  readonly teams: Map<string, TeamRecord>;
  readonly channels: Map<string, ChannelRecord>;
  /** Channels that were created, in order. */
  readonly created: string[];
  /** Counts up with every change; what is derived from teams is made anew then. */
  version: number;
}

export function teamsState(tenant: Tenant): TeamsState {
  return tenant.store.state<TeamsState>('teams', () => ({ teams: new Map(), channels: new Map(), created: [], version: 0 }));
}

const DAY_MS = 86_400_000;

/** `19:{32 hex digits}@thread.tacv2`, the same for the same seed and name. */
export function channelIdOf(seed: number, teamId: string, name: string): string {
  return `19:${guidOf(seed, 'channel', teamId, name).replaceAll('-', '')}@thread.tacv2`;
}

function seededMembers(tenant: Tenant, teamId: string, position: number): Record<string, 'owner' | 'member'> {
  const group = tenant.directory.group(teamId);
  const ids = group?.memberIds ?? [];
  const [owner = ids[0]] = group?.ownerIds ?? [];
  const members: Record<string, 'owner' | 'member'> = {};
  if (owner !== undefined) members[owner] = 'owner';
  for (const id of ids) if (id !== owner && hashText(id, position) % 2 === 0) members[id] = 'member';
  return members;
}

/** Groups with a team and the part of the recipe each was made from, in order. */
function seededTeams(tenant: Tenant): { teamId: string; createdMs: number; plan: number }[] {
  const groups = tenant.directory.groups().filter((group) => group.isTeam);
  const byName = new Map(tenant.recipe.teams.map((team, index) => [team.displayName, index]));
  return groups.flatMap((group) => {
    const plan = byName.get(group.displayName);
    const isSeeded = plan !== undefined && group.createdMs < tenant.epochMs;
    return isSeeded ? [{ teamId: group.id, createdMs: group.createdMs, plan }] : [];
  });
}

function seededChannels(tenant: Tenant): ChannelRecord[] {
  return seededTeams(tenant).flatMap(({ teamId, createdMs, plan }) =>
    (tenant.recipe.teams[plan]?.channels ?? []).map((channel, position) => ({
      id: channelIdOf(tenant.seed, teamId, channel.displayName),
      teamId,
      displayName: channel.displayName,
      description: position === 0 ? null : `${channel.displayName} (${tenant.recipe.teams[plan]?.displayName ?? ''})`,
      membershipType: position === 0 ? 'standard' : channel.membershipType,
      isGeneral: position === 0,
      createdMs: createdMs + position * 11 * DAY_MS,
      seededMessages: channel.messages,
      ...(channel.membershipType === 'standard' ? {} : { members: seededMembers(tenant, teamId, position) }),
    })),
  );
}

const seeded = new WeakMap<ChangeLog, { readonly stamp: number; readonly channels: readonly ChannelRecord[] }>();

function cachedSeeded(tenant: Tenant): readonly ChannelRecord[] {
  const { log } = tenant.directory.groupFeed();
  const known = seeded.get(log);
  if (known?.stamp === log.ids.length) return known.channels;
  const channels = seededChannels(tenant);
  seeded.set(log, { stamp: log.ids.length, channels });
  return channels;
}

/** Channels that the seed made, as they are now. */
export function seededChannelsNow(tenant: Tenant): ChannelRecord[] {
  const { channels } = teamsState(tenant);
  return cachedSeeded(tenant).map((channel) => channels.get(channel.id) ?? channel);
}

/** All channels of the tenant as they are now, seeded ones first. */
export function allChannels(tenant: Tenant): ChannelRecord[] {
  const state = teamsState(tenant);
  const first = seededChannelsNow(tenant);
  const later = state.created.map((id) => state.channels.get(id)).filter((channel) => channel !== undefined);
  return [...first, ...later];
}

export function channelsOf(tenant: Tenant, teamId: string): ChannelRecord[] {
  return allChannels(tenant).filter((channel) => channel.teamId === teamId);
}

export function findChannel(tenant: Tenant, channelId: string): ChannelRecord | undefined {
  return teamsState(tenant).channels.get(channelId) ?? cachedSeeded(tenant).find(({ id }) => id === channelId);
}

/** Creates or replaces a channel. */
export function putChannel(tenant: Tenant, channel: ChannelRecord): void {
  const state = teamsState(tenant);
  if (!findChannel(tenant, channel.id)) state.created.push(channel.id);
  state.channels.set(channel.id, channel);
  state.version += 1;
}
