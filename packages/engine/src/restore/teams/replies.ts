import type { ItemVersion } from '../../ports/item.ts';
import { attempt } from '../attempt.ts';
import type { ItemOutcome, RestoreContext } from '../restorer.ts';
import { importMessage, isImportable, placeholderFor, SYSTEM_MESSAGE, type ImportPlace } from './conversation.ts';
import type { Threads } from './team-places.ts';
import type { People } from './people.ts';
import { createThread, isoMs, placeOf, type Thread } from './thread.ts';

/** A reply and what became of it. */
type Restored = readonly [ItemVersion, ItemOutcome];

/** Where the answers to a post go, and what of them is there. */
interface ReplyPlace {
  readonly under: { readonly teamId: string; readonly channelId: string; readonly messageId: string };
  readonly thread: Thread | undefined;
  readonly people: People;
}

/** Puts the answers to posts back; each stands alone and is told by itself. */
export function createReplyRestorer(context: RestoreContext) {
  const { request, graph, catalog, sequence } = context;
  const chosen = request.selection === 'all' ? undefined : new Set(request.selection);

  /** Whether the message itself, its channel or its team was chosen. */
  const isChosen = ({ key, parentKey }: ItemVersion): boolean =>
    [key, parentKey ?? '', `team:${request.source.graphId}`].some((one) => chosen?.has(one));

  /** The answers to a post: all of them, or those that were chosen alone. */
  async function* repliesOf(post: ItemVersion): AsyncGenerator<ItemVersion> {
    const replies = await Array.fromAsync(catalog.items(request.source.id, sequence, { parentKey: post.key, kinds: ['reply'] }));
    const single = replies.filter(({ key }) => chosen?.has(key));
    yield* single.length === 0 || isChosen(post) ? replies : single;
  }

  return {
    /** True when an earlier worker has not told of all answers of this post. */
    async isUntold(post: ItemVersion): Promise<boolean> {
      const keys = (await Array.fromAsync(repliesOf(post))).map(({ key }) => key);
      return keys.length > ((await request.earlier?.told(keys))?.size ?? 0);
    },
    /** True when an answer of this post is not in its channel. */
    async isMissing(post: ItemVersion, threads: Threads, people: People): Promise<boolean> {
      // A post that was deleted before the backup as well still carries its answers: they are where they belong.
      const [root, deletedId] = isImportable(post)
        ? ([post, undefined] as const)
        : ([placeholderFor(post), threads.posts.deleted.get(isoMs(post.createdAt))] as const);
      const rootId = placeOf(threads.posts, root, people)?.id ?? deletedId;
      const thread = (rootId === undefined ? undefined : threads.replies.get(rootId)) ?? createThread();
      for await (const reply of repliesOf(post)) {
        if (isImportable(reply) && !placeOf(thread, reply, people)) return true;
      }
      return false;
    },
    /** Writes what is missing in the thread of a post. */
    async restore(post: ItemVersion, { under, thread = createThread(), people }: ReplyPlace): Promise<Restored[]> {
      const place: ImportPlace = { thread, post: (body, recover) => graph.teams.importReply(under, body, { recover }) };
      const restored: Restored[] = [];
      const replies = await Array.fromAsync(repliesOf(post));
      const told = await request.earlier?.told(replies.map(({ key }) => key));
      for (const reply of replies) {
        if (!told?.has(reply.key))
          restored.push([reply, await attempt(() => importMessage(context, reply, place, people), context.signal)]);
      }
      return restored;
    },
    /** The answers of a post of which none is written. */
    async untouched(post: ItemVersion, outcome: ItemOutcome): Promise<Restored[]> {
      const restored: Restored[] = [];
      for await (const reply of repliesOf(post)) restored.push([reply, isImportable(reply) ? outcome : SYSTEM_MESSAGE]);
      return restored;
    },
  };
}
