import { graphError, type GraphClient, type Listing } from '@holdfast/m365';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext, Workload } from '../../pipeline/workload.ts';
import type { Json } from '../../ports/item.ts';
import { compareListing, guardPart, jsonProperties, without } from '../compare-listing.ts';
import { createRevisits, notListed, resolveLost } from '../revisit.ts';
import { enumerateChannelMessages, isOfChannel, putAgain } from './channel.ts';

async function collect(listing: Listing<object>): Promise<readonly Json[]> {
  const found: Json[] = [];
  for await (const entry of listing) found.push(jsonProperties(without(entry)));
  return found.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Keys of a team and its channels. */
export function channelKey(channelId: string): string {
  return `channel:${channelId}`;
}

async function* putTeam(context: EnumerateContext, graph: GraphClient, teamId: string): AsyncGenerator<Step, void, undefined> {
  const team = await graph.teams.team({ teamId });
  if (!team) throw graphError('graph.resource-gone', { kind: 'team' });
  const members = await collect(graph.teams.members({ teamId }));
  const apps = await collect(graph.teams.apps({ teamId }));
  const key = `team:${teamId}`;
  const properties = jsonProperties({ ...without(team, 'id', 'summary'), members, apps });
  const draft = { key, kind: 'team', parentKey: null, name: team.displayName ?? '', contentTag: '', properties } as const;
  yield { step: 'put', draft, previous: (await context.known.load([key])).get(key) };
}

interface ListedChannel {
  readonly id: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, Json>>;
}

async function describeChannel(
  graph: GraphClient,
  teamId: string,
  channel: { readonly id: string; readonly membershipType?: string | null; readonly displayName?: string | null },
): Promise<ListedChannel> {
  const channelId = channel.id;
  const tabs = await collect(graph.teams.tabs({ teamId, channelId }));
  const isOpen = channel.membershipType === 'standard' || !channel.membershipType;
  const members = isOpen ? undefined : await collect(graph.teams.channelMembers({ teamId, channelId }));
  const folder = await graph.teams.filesFolder({ teamId, channelId }).catch(() => undefined);
  const files = folder && { driveId: folder.parentReference?.driveId, itemId: folder.id, name: folder.name, webUrl: folder.webUrl };
  const properties = jsonProperties({ ...without(channel, 'id', 'migrationMode', 'summary'), tabs, members, files });
  return { id: channelId, name: channel.displayName ?? '', properties };
}

async function* enumerate(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const teamId = context.resource.graphId;
  const teamKey = `team:${teamId}`;
  yield* putTeam(context, graph, teamId);
  const channels: ListedChannel[] = [];
  const revisits = createRevisits(context);

  async function* listed(): AsyncGenerator<ListedChannel, void, undefined> {
    for await (const channel of graph.teams.channels({ teamId })) {
      const one = await describeChannel(graph, teamId, channel);
      channels.push(one);
      yield one;
    }
  }

  yield* compareListing(context, {
    parentKey: teamKey,
    kind: 'channel',
    listing: listed(),
    draft: ({ id, name, properties }) => ({ key: channelKey(id), kind: 'channel', parentKey: teamKey, name, contentTag: '', properties }),
  });
  for (const { id, name } of channels) {
    const run = { context, graph, teamId, channelId: id, channelKey: channelKey(id) };
    const part = { key: `unread:posts:${id}`, kind: 'channel', parentKey: teamKey, name } as const;
    yield* revisits.noting(guardPart(part, () => enumerateChannelMessages(run)));
  }
  const there = channels.map(({ id }) => id);
  yield* resolveLost(context, 'unread:posts:', there);
  for (const channelId of there) {
    const run = { context, graph, teamId, channelId, channelKey: channelKey(channelId) };
    yield* revisits.rest(
      ({ key }) => isOfChannel(key, channelId),
      (unread) => putAgain(run, unread),
    );
  }
  yield* revisits.rest(({ key, kind }) => kind !== 'channel' && !there.some((id) => isOfChannel(key, id)), notListed);
}

/** Teams: settings, members, apps, channels with tabs and members, messages with replies and what they host. */
export function createTeamWorkload(graph: GraphClient): Workload {
  return {
    roles: ['TeamSettings.Read.All', 'ChannelSettings.Read.All', 'ChannelMessage.Read.All', 'TeamMember.Read.All', 'TeamsTab.Read.All'],
    enumerate: (context) => enumerate(context, graph),
  };
}
