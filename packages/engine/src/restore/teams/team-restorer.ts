import { AppError } from '@holdfast/foundation/errors';
import type { ItemKind, ItemVersion } from '../../ports/item.ts';
import { attempt } from '../attempt.ts';
import { FILE_LIMITS } from '../drives/drive-restorer.ts';
import type { ItemOutcome, RestoreContext, Restorer } from '../restorer.ts';
import { beginningFor, importMessage, isImportable, placeholderFor, SYSTEM_MESSAGE, type ImportPlace } from './conversation.ts';
import { readPeople, type People } from './people.ts';
import { createChannelFiles, isChannelFile } from './channel-files.ts';
import { createReplyRestorer } from './replies.ts';
import { createTeamPlaces, type OpenChannel, type Threads } from './team-places.ts';
import { isoMs, placeOf } from './thread.ts';

const LIMITS: Readonly<Partial<Record<ItemKind, readonly string[]>>> = {
  ...FILE_LIMITS,
  post: ['restore.limit.reactions-as-text'],
  reply: ['restore.limit.reactions-as-text'],
};

/** What a deleted message has no longer when a placeholder stands for it. */
function lostWith({ properties }: ItemVersion): readonly string[] {
  return ['body', 'deletedDateTime', ...(properties['subject'] ? ['subject'] : [])];
}

/** Puts a team back: structure first, then messages with their own authors and times by migration mode, then files. */
export function createTeamRestorer(context: RestoreContext): Restorer {
  const { request, graph, catalog, sequence } = context;
  let reading: Promise<People> | undefined;
  const known = (): Promise<People> => (reading ??= readPeople(graph));
  const places = createTeamPlaces(context, known);
  const replies = createReplyRestorer(context);
  const files = createChannelFiles(context, () => places.teamId);

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

  function rootPlace(channel: OpenChannel, { posts }: Threads): ImportPlace {
    const ref = { teamId: places.teamId, channelId: channel.channelId };
    return { thread: posts, post: (body, recover) => graph.teams.importMessage(ref, body, { recover }) };
  }

  async function restorePost(item: ItemVersion, channel: OpenChannel): Promise<ItemOutcome> {
    const people = await known();
    const threads = await channel.threads();
    const isMissingReplies = await replies.isMissing(item, threads, people);
    const root = isImportable(item) ? item : isMissingReplies ? placeholderFor(item) : undefined;
    if (!root) return { ...SYSTEM_MESSAGE, inside: await replies.untouched(item, { outcome: 'skipped', code: 'restore.exists' }) };
    const isThere = placeOf(threads.posts, root, people) !== undefined && request.collisions !== 'keepBoth';
    if (!isThere || isMissingReplies) await startMigration(item.parentKey ?? '', channel);
    const write = (): Promise<ItemOutcome> => importMessage(context, root, rootPlace(channel, threads), people);
    const result = (await doneEarlier(item)) ?? (await attempt(write, context.signal));
    if (result.targetId === undefined) {
      return { ...result, inside: await replies.untouched(item, { outcome: 'failed', code: 'restore.container-failed' }) };
    }
    const under = { teamId: places.teamId, channelId: channel.channelId, messageId: result.targetId };
    const inside = await replies.restore(item, { under, thread: threads.replies.get(result.targetId), people });
    return root === item ? { ...result, inside } : { ...result, inside, differences: [...(result.differences ?? []), ...lostWith(item)] };
  }

  /** What an earlier worker has made of a post, some of whose answers failed. */
  async function doneEarlier({ key }: ItemVersion): Promise<ItemOutcome | undefined> {
    return (await request.earlier?.told([key]))?.get(key);
  }

  async function complete(channel: OpenChannel): Promise<void> {
    if (!channel.isMigrating) return;
    await graph.teams.completeMigration({ teamId: places.teamId, channelId: channel.channelId });
    channel.isMigrating = false;
  }

  return {
    async workloads() {
      return (await files.areWanted()) ? ['teams', 'drives'] : ['teams'];
    },
    // Messages must be written in the order of their time.
    atATime: (container) => (container && isChannelFile(container) ? 3 : 1),
    async container(item, parent) {
      if (isChannelFile(item)) return files.place(item, parent);
      return item.kind === 'team' ? places.placeTeam(item) : places.placeChannel(item);
    },
    async item(item, parent) {
      if (isChannelFile(item)) return files.restore(item, parent);
      const channel = places.channel(item.parentKey ?? '');
      if (!channel) throw new AppError('restore.unreadable', { message: 'The channel of a message is not there.' });
      return restorePost(item, channel);
    },
    isPartial: (item) => (item.kind === 'post' ? replies.isUntold(item) : Promise.resolve(false)),
    async leave(item, placed) {
      if (isChannelFile(item)) return files.leave(item, placed);
      const channel = places.channel(item.key);
      if (channel) await complete(channel);
    },
    async finish() {
      for (const channel of places.channels()) await complete(channel);
      await files.finish();
    },
    limitsOf: (kind) => LIMITS[kind] ?? [],
  };
}
