import { guidOf, hashText } from '../values/seeded.ts';
import { seededTeam } from '../state/generate-people.ts';
import type { JsonObject } from '../values/json.ts';
import type { Journal } from '../state/change-log.ts';
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
  /** The name it was made with: its folder of files, and the site of a private or shared one, keep it. */
  readonly folderName: string;
  /** From when on it has a folder for its files. */
  readonly filesFromMs?: number;
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

/** A tab of a channel: an app with its configuration. */
export interface TabRecord {
  readonly id: string;
  readonly displayName: string;
  readonly appId: string;
  readonly configuration: JsonObject;
}

/** Something that takes its time, such as making a team. */
export interface OperationRecord {
  readonly id: string;
  readonly teamId: string;
  readonly startedMs: number;
  readonly endsMs: number;
}

/** What was changed about teams and channels since the seed. */
export interface TeamsState {
  readonly teams: Map<string, TeamRecord>;
  readonly channels: Map<string, ChannelRecord>;
  /** Channels that were created, in order. */
  readonly created: string[];
  /** Channels that were deleted, and can be brought back for a time. */
  readonly deleted: Set<string>;
  /** Tabs by channel and apps by team, where they differ from the seed. */
  readonly tabs: Map<string, readonly TabRecord[]>;
  readonly apps: Map<string, readonly string[]>;
  readonly operations: Map<string, OperationRecord>;
  /** Teams and channels before each change, by id. */
  readonly journal: Journal<TeamRecord | ChannelRecord>;
  /** Counts up with every change; what is derived from teams is made anew then. */
  version: number;
}

export function teamsState(tenant: Tenant): TeamsState {
  const empty = (): TeamsState => ({
    teams: new Map(),
    channels: new Map(),
    created: [],
    deleted: new Set(),
    tabs: new Map(),
    apps: new Map(),
    operations: new Map(),
    journal: [],
    version: 0,
  });
  return tenant.store.state<TeamsState>('teams', empty);
}

const DAY_MS = 86_400_000;

/** `19:{32 hex digits}@thread.tacv2`, the same for the same seed and name. */
export function channelIdOf(seed: number, teamId: string, name: string): string {
  return `19:${guidOf(seed, 'channel', teamId, name).replaceAll('-', '')}@thread.tacv2`;
}

function seededMembers(memberIds: readonly string[], position: number): Record<string, 'owner' | 'member'> {
  const [owner, ...others] = memberIds;
  const members: Record<string, 'owner' | 'member'> = owner === undefined ? {} : { [owner]: 'owner' };
  for (const id of others) if (hashText(id, position) % 2 === 0) members[id] = 'member';
  return members;
}

function seededChannels(tenant: Tenant): ChannelRecord[] {
  return tenant.recipe.teams.flatMap((team, index) => {
    const { id: teamId, memberIds } = seededTeam(tenant, index);
    const createdMs = tenant.directory.group(teamId)?.createdMs ?? tenant.epochMs;
    return team.channels.map((channel, position): ChannelRecord => ({
      id: channelIdOf(tenant.seed, teamId, channel.displayName),
      teamId,
      displayName: channel.displayName,
      folderName: channel.displayName,
      description: position === 0 ? null : `${channel.displayName} (${team.displayName})`,
      membershipType: position === 0 ? 'standard' : channel.membershipType,
      isGeneral: position === 0,
      createdMs: createdMs + position * 11 * DAY_MS,
      seededMessages: channel.messages,
      ...(channel.membershipType === 'standard' ? {} : { members: seededMembers(memberIds, position) }),
    }));
  });
}

const seeded = new WeakMap<Tenant, readonly ChannelRecord[]>();

function cachedSeeded(tenant: Tenant): readonly ChannelRecord[] {
  const known = seeded.get(tenant);
  if (known) return known;
  const channels = seededChannels(tenant);
  seeded.set(tenant, channels);
  return channels;
}

/** Channels that the seed made, as they are now. */
function seededChannelsNow(tenant: Tenant): ChannelRecord[] {
  const { channels } = teamsState(tenant);
  return cachedSeeded(tenant)
    .filter((channel) => tenant.directory.group(channel.teamId))
    .map((channel) => channels.get(channel.id) ?? channel);
}

/** All channels there ever were, seeded ones first: what is deleted leaves its files. */
export function channelsEver(tenant: Tenant): ChannelRecord[] {
  const state = teamsState(tenant);
  const later = state.created.map((id) => state.channels.get(id)).filter((channel) => channel !== undefined);
  return [...seededChannelsNow(tenant), ...later];
}

/** All channels of the tenant as they are now, seeded ones first. */
export function allChannels(tenant: Tenant): ChannelRecord[] {
  const { deleted } = teamsState(tenant);
  return channelsEver(tenant).filter(({ id }) => !deleted.has(id));
}

export function channelsOf(tenant: Tenant, teamId: string): ChannelRecord[] {
  return allChannels(tenant).filter((channel) => channel.teamId === teamId);
}

export function findChannel(tenant: Tenant, channelId: string): ChannelRecord | undefined {
  const { channels, deleted } = teamsState(tenant);
  if (deleted.has(channelId)) return undefined;
  return channels.get(channelId) ?? cachedSeeded(tenant).find(({ id }) => id === channelId);
}

/** Deletes a channel. Its folder of files stays. */
export function deleteChannel(tenant: Tenant, channel: ChannelRecord): void {
  const state = teamsState(tenant);
  state.journal.push({ id: channel.id, atMs: tenant.clock.nowMs(), before: channel });
  state.deleted.add(channel.id);
  state.version += 1;
}

const DEFAULT_SETTINGS: JsonObject = {
  memberSettings: {
    allowCreateUpdateChannels: true,
    allowCreatePrivateChannels: true,
    allowDeleteChannels: true,
    allowAddRemoveApps: true,
    allowCreateUpdateRemoveTabs: true,
    allowCreateUpdateRemoveConnectors: true,
  },
  guestSettings: { allowCreateUpdateChannels: false, allowDeleteChannels: false },
  messagingSettings: {
    allowUserEditMessages: true,
    allowUserDeleteMessages: true,
    allowOwnerDeleteMessages: true,
    allowTeamMentions: true,
    allowChannelMentions: true,
  },
  funSettings: { allowGiphy: true, giphyContentRating: 'moderate', allowStickersAndMemes: true, allowCustomMemes: true },
};

/** The team behind a group; undefined when the group has none. */
export function findTeam(tenant: Tenant, id: string): TeamRecord | undefined {
  const group = tenant.directory.group(id);
  if (!group?.isTeam) return undefined;
  const stored = teamsState(tenant).teams.get(group.id);
  return stored ?? { id: group.id, createdMs: group.createdMs, settings: DEFAULT_SETTINGS, isArchived: false, visibleMs: 0 };
}

/** Creates or replaces what of a team can be set. */
export function putTeam(tenant: Tenant, team: TeamRecord): void {
  const state = teamsState(tenant);
  state.journal.push({ id: team.id, atMs: tenant.clock.nowMs(), before: findTeam(tenant, team.id) });
  state.teams.set(team.id, team);
  state.version += 1;
}

/** Creates or replaces a channel. */
export function putChannel(tenant: Tenant, channel: ChannelRecord): void {
  const state = teamsState(tenant);
  const before = findChannel(tenant, channel.id);
  if (!before) state.created.push(channel.id);
  state.journal.push({ id: channel.id, atMs: tenant.clock.nowMs(), before });
  state.channels.set(channel.id, channel);
  state.version += 1;
}
