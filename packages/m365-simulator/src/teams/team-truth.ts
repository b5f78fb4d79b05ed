import { openChannel } from '../conversations/channel-conversation.ts';
import { messageRecords } from '../conversations/message-truth.ts';
import { conversationState } from '../conversations/conversation.ts';
import type { JsonObject } from '../values/json.ts';
import { placesOf } from '../places/places.ts';
import type { Tenant } from '../state/tenant.ts';
import type { TruthProvider, TruthRecord } from '../state/truth.ts';
import { appsOf, tabsOf } from './team-apps.ts';
import { channelsOf, type ChannelRecord, findTeam } from '../places/team-records.ts';

function teamRecord(tenant: Tenant, id: string): TruthRecord[] {
  const team = findTeam(tenant, id);
  const group = tenant.directory.group(id);
  if (!team || !group) return [];
  return [
    {
      path: group.displayName,
      id,
      kind: 'team',
      metadata: {
        displayName: group.displayName,
        description: group.description,
        visibility: group.visibility.toLowerCase(),
        settings: team.settings,
        isArchived: team.isArchived,
        ownerIds: group.ownerIds,
        memberIds: group.memberIds,
        apps: appsOf(tenant, id),
      },
    },
  ];
}

function channelFacts(tenant: Tenant, channel: ChannelRecord): JsonObject {
  const site = placesOf(tenant).siteOfChannel(channel.id);
  return {
    displayName: channel.displayName,
    description: channel.description,
    membershipType: channel.membershipType,
    createdAt: new Date(channel.createdMs).toISOString(),
    members: channel.members ?? null,
    migrationMode: channel.migration?.mode ?? null,
    siteId: site?.id ?? null,
    tabs: tabsOf(tenant, channel.id).map(({ displayName, appId, configuration }) => ({ displayName, appId, configuration })),
  };
}

/** Of the first `at` changes of all channels together, in the order of time: how many fell into each channel. */
function shareOf(tenant: Tenant, channels: readonly ChannelRecord[], at: number): Map<string, number> {
  const changes = channels.flatMap(({ id }) => conversationState(tenant, id).journal.map(({ atMs }) => ({ id, atMs })));
  const share = new Map(channels.map(({ id }) => [id, 0]));
  for (const { id } of changes.sort((a, b) => a.atMs - b.atMs).slice(0, at)) share.set(id, (share.get(id) ?? 0) + 1);
  return share;
}

function* recordsOf(tenant: Tenant, teamId: string, at: number | undefined): Generator<TruthRecord, void, undefined> {
  yield* teamRecord(tenant, teamId);
  const name = tenant.directory.group(teamId)?.displayName ?? '';
  const channels = channelsOf(tenant, teamId);
  const share = at === undefined ? new Map<string, number>() : shareOf(tenant, channels, at);
  for (const channel of channels) {
    const path = `${name}/${channel.displayName}`;
    yield { path, id: channel.id, kind: 'channel', metadata: channelFacts(tenant, channel) };
    yield* messageRecords(openChannel(tenant, channel), path, share.get(channel.id));
  }
}

/** What is really in a team: settings, channels, posts with replies and hosted contents. */
export const teamTruth: TruthProvider = {
  kind: 'teams',
  owners: (tenant) =>
    tenant.directory
      .groups()
      .filter((group) => group.isTeam)
      .map((group) => group.id),
  changeCount: (tenant, owner) =>
    channelsOf(tenant, owner).reduce((sum, channel) => sum + conversationState(tenant, channel.id).journal.length, 0),
  records: (tenant, owner, at) => recordsOf(tenant, owner, at),
};

/** The same for one channel, where `at` counts the changes of that channel alone. */
export const channelTruth: TruthProvider = {
  kind: 'channels',
  owners: (tenant) => teamTruthOwners(tenant),
  changeCount: (tenant, owner) => conversationState(tenant, owner).journal.length,
  records(tenant, owner, at) {
    for (const teamId of teamTruth.owners(tenant)) {
      const channel = channelsOf(tenant, teamId).find(({ id }) => id === owner);
      if (channel) return messageRecords(openChannel(tenant, channel), channel.displayName, at);
    }
    return [];
  },
};

function teamTruthOwners(tenant: Tenant): string[] {
  return [...teamTruth.owners(tenant)].flatMap((teamId) => channelsOf(tenant, teamId).map(({ id }) => id));
}
