import type { Known } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import { textOf } from '../../pipeline/text.ts';
import type { PlacedContainer, RestoreContext } from '../restorer.ts';
import type { Begun } from './conversation.ts';
import { createChannelNames } from './channel-names.ts';
import type { People } from './people.ts';
import { createThread, note, type Thread } from './thread.ts';
import {
  addChannelMembers,
  addTeamMembers,
  channelBody,
  findOrCreateTeam,
  installApps,
  restoreTabs,
  statesLost,
  teamSettings,
} from './team-structure.ts';

/** What is said in a channel at the target already. */
export interface Threads {
  /** People still talk under posts that were deleted. */
  readonly posts: Thread;
  /** The answers to each post, by its id. */
  readonly replies: Map<string, Thread>;
}

/** A channel at the target. */
export interface OpenChannel {
  readonly channelId: string;
  readonly begun: Begun;
  /** Read when the first message is to go there: who restores files alone needs none. */
  readonly threads: () => Promise<Threads>;
  isMigrating: boolean;
}

interface ChannelFacts {
  readonly migrationMode?: string | null;
  readonly createdDateTime?: string | null;
  readonly description?: string | null;
}

/** Finds or makes the team and its channels, with members, settings and tabs. */
export function createTeamPlaces(context: RestoreContext, readPeople: () => Promise<People>) {
  const { request, graph, beginnings } = context;
  const open = new Map<string, OpenChannel>();
  let teamId = request.target.resource.graphId;
  const nameAtTarget = createChannelNames(request.target.folder);
  const chosen = request.selection === 'all' ? undefined : new Set(request.selection);
  let channels: Promise<Map<string, string>> | undefined;

  /** Whether it comes back itself. What is only on the way to what was chosen is used as it is. */
  const isChosen = ({ key, parentKey }: ItemVersion): boolean => chosen === undefined || chosen.has(key) || chosen.has(parentKey ?? '');

  async function readChannels(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const channel of graph.teams.channels({ teamId })) {
      found.set((channel.displayName ?? '').toLowerCase(), channel.id);
      found.set(channel.id, channel.id);
    }
    return found;
  }

  async function placeTeam(item: ItemVersion): Promise<PlacedContainer> {
    // The team that a worker that died made is gone on with.
    const told = (await request.earlier?.told([item.key]))?.get(item.key)?.targetId;
    const team = await findOrCreateTeam(context, { item, teamId: told ?? teamId, readPeople });
    teamId = team.teamId;
    // Who restores beside what is there changes nobody's rights in it.
    const isSet = request.target.folder === undefined && isChosen(item);
    const outcome = team.isNew ? 'restored' : 'skipped';
    if (!isSet && !team.isNew) return { outcome, targetId: teamId, differences: [] };
    await graph.teams.updateTeam({ teamId }, teamSettings(item));
    const refused = [...(await addTeamMembers(graph, teamId, item)), ...(await installApps(graph, teamId, item))];
    return { outcome, targetId: teamId, differences: [...refused, ...(team.isNew ? statesLost(item) : [])] };
  }

  async function readThreads(channelId: string): Promise<Threads> {
    const posts = createThread();
    const replies = new Map<string, Thread>();
    for await (const message of graph.teams.messages({ teamId, channelId })) {
      note(posts, message);
      const thread = createThread();
      for (const reply of message.replies ?? []) note(thread, reply);
      replies.set(message.id, thread);
    }
    return { posts, replies };
  }

  async function findOrCreate(item: ItemVersion): Promise<{ readonly channelId: string; readonly made: 'now' | 'before' | undefined }> {
    channels ??= readChannels();
    const names = await channels;
    const name = nameAtTarget(item);
    const own = context.isOriginal ? names.get(item.key.slice('channel:'.length)) : undefined;
    const known = own ?? names.get(name.toLowerCase());
    if (known !== undefined) return { channelId: known, made: (await beginnings.isLeft(item.key, { id: known })) ? 'before' : undefined };
    await beginnings.begin(item.key, []);
    const recover = async (): Promise<Known<object> | undefined> => {
      const id = (await readChannels()).get(name.toLowerCase());
      return id === undefined ? undefined : { id };
    };
    const body = await channelBody(graph, teamId, { item, people: await readPeople() });
    const made = await graph.teams.createChannel({ teamId }, { ...body, displayName: name }, { recover });
    names.set(name.toLowerCase(), made.id);
    return { channelId: made.id, made: 'now' };
  }

  /** A migration that an earlier run left open is gone on with, and completed like one of this run. */
  async function placeChannel(item: ItemVersion): Promise<PlacedContainer> {
    const { channelId, made } = await findOrCreate(item);
    const channel = { teamId, channelId };
    const isSet = made !== undefined || isChosen(item);
    const differences = isSet ? [...(await addChannelMembers(graph, channel, item)), ...(await restoreTabs(graph, channel, item))] : [];
    const { migrationMode, createdDateTime, description } = (await graph.teams.channel(channel)) as ChannelFacts;
    let reading: Promise<Threads> | undefined;
    const threads = () =>
      (reading ??= made === 'now' ? Promise.resolve({ posts: createThread(), replies: new Map() }) : readThreads(channelId));
    const begun: Begun = { createdAt: createdDateTime, isMoved: (migrationMode ?? null) !== null };
    open.set(item.key, { channelId, begun, threads, isMigrating: migrationMode === 'inProgress' });
    // The first channel of a new team is made with the description of the team.
    const isOther = isSet && (description ?? '') !== textOf(item.properties['description']);
    const lost = [...(made ? statesLost(item) : []), ...(isOther ? ['description'] : [])];
    return { outcome: made ? 'restored' : 'skipped', targetId: channelId, differences: [...differences, ...lost] };
  }

  return {
    placeTeam,
    placeChannel,
    channel: (key: string) => open.get(key),
    channels: () => open.values(),
    get teamId() {
      return teamId;
    },
  };
}
