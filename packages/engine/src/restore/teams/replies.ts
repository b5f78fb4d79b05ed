import type { ItemVersion } from '../../ports/item.ts';
import { attempt } from '../attempt.ts';
import type { ItemOutcome, RestoreContext } from '../restorer.ts';
import { importMessage, isImportable, isoMs, SYSTEM_MESSAGE, type ImportPlace, type People } from './conversation.ts';
import type { OpenChannel } from './team-places.ts';

/** A reply and what became of it. */
type Restored = readonly [ItemVersion, ItemOutcome];

/** Where the answers to a post go, and what of them is there, by creation time. */
interface ReplyPlace {
  readonly thread: { readonly teamId: string; readonly channelId: string; readonly messageId: string };
  readonly existing: ReadonlyMap<string, string> | undefined;
  readonly people: People;
}

/** Puts the answers to posts back; each stands alone and is told by itself. */
export function createReplyRestorer(context: RestoreContext) {
  const { request, graph, catalog, sequence } = context;
  const repliesOf = (post: ItemVersion): AsyncIterable<ItemVersion> =>
    catalog.items(request.source.id, sequence, { parentKey: post.key, kinds: ['reply'] });

  return {
    /** True when an answer of this post is not in its channel. */
    async isMissing(post: ItemVersion, channel: OpenChannel): Promise<boolean> {
      // A post that was deleted before the backup as well still carries its answers: they are where they belong.
      const at = isoMs(post.createdAt);
      const rootId = channel.posts.get(at) ?? (isImportable(post) ? undefined : channel.tombstones.get(at));
      const existing = rootId === undefined ? undefined : channel.replies.get(rootId);
      for await (const reply of repliesOf(post)) {
        if (isImportable(reply) && !existing?.has(isoMs(reply.createdAt))) return true;
      }
      return false;
    },
    /** Writes what is missing in the thread of a post. */
    async restore(post: ItemVersion, { thread, existing = new Map(), people }: ReplyPlace): Promise<Restored[]> {
      const place: ImportPlace = { existing, post: (body, recover) => graph.teams.importReply(thread, body, { recover }) };
      const restored: Restored[] = [];
      for await (const reply of repliesOf(post)) {
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
