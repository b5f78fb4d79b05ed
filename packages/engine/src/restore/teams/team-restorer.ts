import { AppError } from '@holdfast/foundation/errors';
import type { ItemKind, ItemVersion } from '../../ports/item.ts';
import type { ItemOutcome, RestoreContext, Restorer } from '../restorer.ts';
import { beginningFor, importMessage, isImportable, isoMs, placeholderFor, type ImportPlace, type People } from './conversation.ts';
import { readPeople } from './people.ts';
import { createTeamPlaces, type OpenChannel } from './team-places.ts';

const LIMITS: Readonly<Partial<Record<ItemKind, readonly string[]>>> = {
  post: ['restore.limit.reactions-as-text'],
  reply: ['restore.limit.reactions-as-text'],
};

/** Puts a team back: structure first, then messages with their own authors and times by migration mode. */
export function createTeamRestorer(context: RestoreContext): Restorer {
  const { request, graph, catalog, sequence } = context;
  const places = createTeamPlaces(context);
  let people: Promise<People> | undefined;

  async function earliest(channelKey: string): Promise<string | undefined> {
    for await (const post of catalog.items(request.source.id, sequence, { parentKey: channelKey, kinds: ['post'] }))
      return isoMs(post.createdAt);
    return undefined;
  }

  async function startMigration(channelKey: string, channel: OpenChannel): Promise<void> {
    if (channel.isMigrating) return;
    const beginning = beginningFor(await earliest(channelKey), channel.begun);
    await graph.teams.startMigration({ teamId: places.teamId, channelId: channel.channelId }, beginning);
    channel.isMigrating = true;
  }

  function rootPlace(channel: OpenChannel): ImportPlace {
    const ref = { teamId: places.teamId, channelId: channel.channelId };
    return { existing: channel.posts, post: (body, recover) => graph.teams.importMessage(ref, body, { recover }) };
  }

  async function restoreReplies(item: ItemVersion, channel: OpenChannel, rootId: string, who: People): Promise<readonly string[]> {
    const ref = { teamId: places.teamId, channelId: channel.channelId, messageId: rootId };
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
    const isMissingReplies = await hasMissingReplies(item, channel);
    const root = isImportable(item) ? item : isMissingReplies ? placeholderFor(item) : undefined;
    if (!root) return { outcome: 'notPossible', code: 'restore.system-message' };
    const isThere = channel.posts.has(isoMs(item.createdAt)) && request.collisions !== 'keepBoth';
    if (!isThere || isMissingReplies) await startMigration(item.parentKey ?? '', channel);
    const result = await importMessage(context, root, rootPlace(channel), who);
    if (result.targetId === undefined) return result;
    const replies = await restoreReplies(item, channel, result.targetId, who);
    return { ...result, differences: [...(result.differences ?? []), ...replies, ...(root === item ? [] : ['body'])] };
  }

  async function hasMissingReplies(item: ItemVersion, channel: OpenChannel): Promise<boolean> {
    // A post that was deleted before the backup as well still carries its answers: they are where they belong.
    const at = isoMs(item.createdAt);
    const rootId = channel.posts.get(at) ?? (isImportable(item) ? undefined : channel.tombstones.get(at));
    const existing = rootId === undefined ? undefined : channel.replies.get(rootId);
    for await (const reply of catalog.items(request.source.id, sequence, { parentKey: item.key, kinds: ['reply'] })) {
      if (isImportable(reply) && !existing?.has(isoMs(reply.createdAt))) return true;
    }
    return false;
  }

  async function complete(channel: OpenChannel): Promise<void> {
    if (!channel.isMigrating) return;
    await graph.teams.completeMigration({ teamId: places.teamId, channelId: channel.channelId });
    channel.isMigrating = false;
  }

  return {
    workloads: ['teams'],
    concurrency: 1,
    async container(item) {
      return item.kind === 'team' ? places.placeTeam(item) : places.placeChannel(item);
    },
    async item(item) {
      const channel = places.channel(item.parentKey ?? '');
      if (!channel) throw new AppError('restore.unreadable', { message: 'The channel of a message is not there.' });
      return restorePost(item, channel);
    },
    async leave(item) {
      const channel = places.channel(item.key);
      if (channel) await complete(channel);
    },
    async finish() {
      for (const channel of places.channels()) await complete(channel);
    },
    collides: async () => false,
    limitsOf: (kind) => LIMITS[kind] ?? [],
  };
}
