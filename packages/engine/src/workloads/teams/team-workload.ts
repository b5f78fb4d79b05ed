import { graphError, type GraphClient, type Listing } from '@holdfast/m365';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext, Workload } from '../../pipeline/workload.ts';
import type { Json } from '../../ports/item.ts';
import { compareListing, describeListed, guardPart, jsonProperties, without } from '../compare-listing.ts';
import { forgetScopes } from '../follow-delta.ts';
import { createRevisits, notListed, resolveLost } from '../revisit.ts';
import { enumerateChannelMessages, isOfChannel, putAgain } from './channel.ts';
import { channelKey, createChannelChoice } from './channel-choice.ts';
import { createChannelFiles } from './channel-files.ts';

async function collect(listing: Listing<object>): Promise<readonly Json[]> {
  const found: Json[] = [];
  for await (const entry of listing) found.push(jsonProperties(without(entry)));
  return found.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

async function* putTeam(context: EnumerateContext, graph: GraphClient, teamId: string): AsyncGenerator<Step, void, undefined> {
  const team = await graph.teams.team({ teamId });
  if (!team) throw graphError('graph.resource-gone', { kind: 'team' });
  const key = `team:${teamId}`;
  const said = without(team, 'id', 'summary');
  const name = team.displayName ?? '';
  const listed = { key, kind: 'team', parentKey: null, name, contentTag: '', properties: jsonProperties(said) } as const;
  const draft = yield* describeListed(context, listed, async () => {
    const members = await collect(graph.teams.members({ teamId }));
    const apps = await collect(graph.teams.apps({ teamId }));
    return { ...listed, properties: jsonProperties({ ...said, members, apps }) };
  });
  if (draft) yield { step: 'put', draft, previous: (await context.known.load([key])).get(key) };
}

interface ListedChannel {
  readonly id: string;
  readonly displayName?: string | null;
  readonly membershipType?: string | null;
  readonly tabs?: readonly Json[];
  readonly members?: readonly Json[] | undefined;
  readonly files?: object | undefined;
}

async function describeChannel(
  graph: GraphClient,
  teamId: string,
  { channel, files }: { readonly channel: ListedChannel; readonly files: ReturnType<typeof createChannelFiles> },
): Promise<ListedChannel> {
  const ref = { teamId, channelId: channel.id };
  const tabs = await collect(graph.teams.tabs(ref));
  const isOpen = channel.membershipType === 'standard' || !channel.membershipType;
  const members = isOpen ? undefined : await collect(graph.teams.channelMembers(ref));
  return { ...channel, tabs, members, files: await files.locate(channel.id) };
}

async function* enumerate(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const teamId = context.resource.graphId;
  const teamKey = `team:${teamId}`;
  yield* putTeam(context, graph, teamId);
  const names = new Map<string, string>();
  const listed = new Set<string>();
  const choice = createChannelChoice(context);
  const files = createChannelFiles(context, graph, teamKey);
  const revisits = createRevisits(context);
  yield* compareListing(context, {
    parentKey: teamKey,
    kind: 'channel',
    listing: graph.teams.channels({ teamId }) as Listing<ListedChannel>,
    draft: (channel) => {
      const place = { key: channelKey(channel.id), kind: 'channel', parentKey: teamKey, contentTag: '' } as const;
      const name = channel.displayName ?? '';
      listed.add(channel.id);
      const notProtected = choice.exclusion(channel);
      if (notProtected !== undefined) return { ...place, name, properties: { notProtected } };
      names.set(channel.id, name);
      return { ...place, name, properties: jsonProperties(without(channel, 'id', 'migrationMode', 'summary')) };
    },
    describe: async (channel) => (choice.exclusion(channel) === undefined ? describeChannel(graph, teamId, { channel, files }) : channel),
  });
  yield* choice.settle([...listed]);
  for (const [id, name] of names) {
    const run = { context, graph, teamId, channelId: id, channelKey: channelKey(id) };
    const part = { key: `unread:posts:${id}`, kind: 'channel', parentKey: teamKey, name } as const;
    yield* revisits.noting(guardPart(part, () => enumerateChannelMessages(run)));
  }
  const there = [...names.keys()];
  yield* forgetScopes(context, ['history:', 'posts:'], there);
  yield* resolveLost(context, 'unread:posts:', there);
  for (const channelId of there) {
    const run = { context, graph, teamId, channelId, channelKey: channelKey(channelId) };
    yield* revisits.rest(
      ({ key }) => isOfChannel(key, channelId),
      (unread) => putAgain(run, unread),
    );
  }
  yield* revisits.rest(({ key, kind }) => (kind === 'post' || kind === 'reply') && !there.some((id) => isOfChannel(key, id)), notListed);
  yield* files.read([...names].map(([id, name]) => ({ id, name })));
}

/** Teams: settings, members, apps, channels with tabs and members, messages with replies and what they host, and files. */
export function createTeamWorkload(graph: GraphClient): Workload {
  return {
    roles: [
      'TeamSettings.Read.All',
      'ChannelSettings.Read.All',
      'ChannelMessage.Read.All',
      'TeamMember.Read.All',
      'TeamsTab.Read.All',
      'Files.Read.All',
    ],
    enumerate: (context) => enumerate(context, graph),
  };
}
