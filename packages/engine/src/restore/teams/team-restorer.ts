import { isGraphError, type Known } from '@holdfast/m365';
import { AppError } from '@holdfast/foundation/errors';
import type { ItemKind, ItemVersion } from '../../ports/item.ts';
import type { ItemOutcome, PlacedContainer, RestoreContext, Restorer } from '../restorer.ts';
import { importMessage, isoMs, type ImportPlace, type People } from './conversation.ts';
import { readPeople } from './people.ts';
import { addChannelMembers, addTeamMembers, channelBody, createTeam, restoreTabs, teamSettings } from './team-structure.ts';

const LIMITS: Readonly<Partial<Record<ItemKind, readonly string[]>>> = {
  post: ['restore.limit.reactions-as-text'],
  reply: ['restore.limit.reactions-as-text'],
};

interface OpenChannel {
  readonly channelId: string;
  readonly posts: Map<string, string>;
  readonly replies: Map<string, Map<string, string>>;
  isMigrating: boolean;
}

/** Puts a team back: structure first, then messages with their own authors and times by migration mode. */
export function createTeamRestorer(context: RestoreContext): Restorer {
  const { request, graph, catalog, sequence } = context;
  const open = new Map<string, OpenChannel>();
  let teamId = request.target.resource.graphId;
  let people: Promise<People> | undefined;
  let channels: Promise<Map<string, string>> | undefined;

  async function readChannels(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const channel of graph.teams.channels({ teamId })) {
      found.set((channel.displayName ?? '').toLowerCase(), channel.id);
      found.set(channel.id, channel.id);
    }
    return found;
  }

  async function placeTeam(item: ItemVersion): Promise<PlacedContainer> {
    const present = await graph.teams.team({ teamId }).catch((error: unknown) => {
      if (isGraphError(error, 'graph.item-gone', 'graph.resource-gone')) return undefined;
      throw error;
    });
    if (!present) teamId = await createTeam(graph, item);
    if (request.target.folder === undefined) await graph.teams.updateTeam({ teamId }, teamSettings(item));
    const differences = await addTeamMembers(graph, teamId, item);
    return { outcome: present ? 'skipped' : 'restored', targetId: teamId, differences };
  }

  async function readThreads(channelId: string): Promise<Pick<OpenChannel, 'posts' | 'replies'>> {
    const posts = new Map<string, string>();
    const replies = new Map<string, Map<string, string>>();
    for await (const message of graph.teams.messages({ teamId, channelId })) {
      if (message.deletedDateTime) continue;
      posts.set(isoMs(message.createdDateTime), message.id);
      const thread = new Map<string, string>();
      for (const reply of message.replies ?? []) if (reply.id) thread.set(isoMs(reply.createdDateTime), reply.id);
      replies.set(message.id, thread);
    }
    return { posts, replies };
  }

  async function placeChannel(item: ItemVersion): Promise<PlacedContainer> {
    channels ??= readChannels();
    const names = await channels;
    const { folder } = request.target;
    const name = folder === undefined ? item.name : `${item.name} ${folder.replaceAll(/[^\w .-]/gu, ' ')}`.slice(0, 50);
    const own = item.key.slice('channel:'.length);
    const known = (context.isOriginal ? names.get(own) : undefined) ?? names.get(name.toLowerCase());
    let channelId = known;
    if (channelId === undefined) {
      const recover = async (): Promise<Known<object> | undefined> => {
        const id = (await readChannels()).get(name.toLowerCase());
        return id === undefined ? undefined : { id };
      };
      channelId = (await graph.teams.createChannel({ teamId }, { ...channelBody(item), displayName: name }, { recover })).id;
      names.set(name.toLowerCase(), channelId);
    }
    const channel = { teamId, channelId };
    const members = await addChannelMembers(graph, channel, item);
    const tabs = await restoreTabs(graph, channel, item);
    const { migrationMode } = (await graph.teams.channel(channel)) as { readonly migrationMode?: string | null };
    const threads = known === undefined ? { posts: new Map<string, string>(), replies: new Map() } : await readThreads(channelId);
    open.set(item.key, { channelId, ...threads, isMigrating: migrationMode === 'inProgress' });
    return { outcome: known === undefined ? 'restored' : 'skipped', targetId: channelId, differences: [...members, ...tabs] };
  }

  async function earliest(channelKey: string): Promise<string | undefined> {
    for await (const post of catalog.items(request.source.id, sequence, { parentKey: channelKey, kinds: ['post'] }))
      return isoMs(post.createdAt);
    return undefined;
  }

  async function startMigration(channelKey: string, channel: OpenChannel): Promise<void> {
    if (channel.isMigrating) return;
    const first = await earliest(channelKey);
    const before = first === undefined ? undefined : new Date(Date.parse(first) - 1).toISOString();
    await graph.teams.startMigration({ teamId, channelId: channel.channelId }, before);
    channel.isMigrating = true;
  }

  function rootPlace(channel: OpenChannel): ImportPlace {
    const ref = { teamId, channelId: channel.channelId };
    return { existing: channel.posts, post: (body, recover) => graph.teams.importMessage(ref, body, { recover }) };
  }

  async function restoreReplies(item: ItemVersion, channel: OpenChannel, rootId: string, who: People): Promise<readonly string[]> {
    const ref = { teamId, channelId: channel.channelId, messageId: rootId };
    const existing = channel.replies.get(rootId) ?? new Map<string, string>();
    const differences: string[] = [];
    for await (const reply of catalog.items(request.source.id, sequence, { parentKey: item.key, kinds: ['reply'] })) {
      const place: ImportPlace = { existing, post: (body, recover) => graph.teams.importReply(ref, body, { recover }) };
      const result = await importMessage(context, reply, place, who);
      if (result.outcome === 'failed') differences.push('replies');
    }
    return differences;
  }

  async function restorePost(item: ItemVersion, channel: OpenChannel): Promise<ItemOutcome> {
    people ??= readPeople(graph);
    const who = await people;
    const isThere = channel.posts.has(isoMs(item.createdAt)) && request.collisions !== 'keepBoth';
    if (!isThere || (await hasMissingReplies(item, channel))) await startMigration(item.parentKey ?? '', channel);
    const result = await importMessage(context, item, rootPlace(channel), who);
    if (result.targetId === undefined) return result;
    const replies = await restoreReplies(item, channel, result.targetId, who);
    return { ...result, differences: [...(result.differences ?? []), ...replies] };
  }

  async function hasMissingReplies(item: ItemVersion, channel: OpenChannel): Promise<boolean> {
    const rootId = channel.posts.get(isoMs(item.createdAt));
    const existing = rootId === undefined ? undefined : channel.replies.get(rootId);
    for await (const reply of catalog.items(request.source.id, sequence, { parentKey: item.key, kinds: ['reply'] })) {
      if (!existing?.has(isoMs(reply.createdAt))) return true;
    }
    return false;
  }

  async function complete(channel: OpenChannel): Promise<void> {
    if (!channel.isMigrating) return;
    await graph.teams.completeMigration({ teamId, channelId: channel.channelId });
    channel.isMigrating = false;
  }

  return {
    workloads: ['teams'],
    concurrency: 1,
    async container(item) {
      return item.kind === 'team' ? placeTeam(item) : placeChannel(item);
    },
    async item(item) {
      const channel = open.get(item.parentKey ?? '');
      if (!channel) throw new AppError('restore.unreadable', { message: 'The channel of a message is not there.' });
      return restorePost(item, channel);
    },
    async leave(item) {
      const channel = open.get(item.key);
      if (channel) await complete(channel);
    },
    async finish() {
      for (const channel of open.values()) await complete(channel);
    },
    collides: async () => false,
    limitsOf: (kind) => LIMITS[kind] ?? [],
  };
}
