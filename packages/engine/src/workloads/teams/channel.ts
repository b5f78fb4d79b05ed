import type { DeltaCursor, GraphClient } from '@holdfast/m365';
import type { Unread } from '../../pipeline/cursor-state.ts';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { ItemVersion } from '../../ports/item.ts';
import { followDelta } from '../follow-delta.ts';
import { postDraft, type PostEntry } from './post.ts';

/** Messages come in pages of 50; so many are put before the place is stored while a channel is read whole. */
const HISTORY_BATCH = 200;

type Root = PostEntry & { readonly replies?: readonly PostEntry[] | null };

interface ChannelRun {
  readonly context: EnumerateContext;
  readonly graph: GraphClient;
  readonly teamId: string;
  readonly channelId: string;
  readonly channelKey: string;
}

/** Keys of a channel's messages; ids are creation times, so keys sort by time. */
export function postKey(channelId: string, messageId: string): string {
  return `post:${channelId}:${messageId}`;
}

export function replyKey(channelId: string, messageId: string, replyId: string): string {
  return `reply:${channelId}:${messageId}:${replyId}`;
}

/** Whether this is the key of a message or an answer of the channel. */
export function isOfChannel(key: string, channelId: string): boolean {
  return key.startsWith(postKey(channelId, '')) || key.startsWith(`reply:${channelId}:`);
}

function* stepsOf(run: ChannelRun, root: Root, known: ReadonlyMap<string, ItemVersion>): Generator<Step, void, undefined> {
  const { graph, teamId, channelId, channelKey } = run;
  const message = { teamId, channelId, messageId: root.id };
  const key = postKey(channelId, root.id);
  const previous = known.get(key);
  const hosted = (id: string) => graph.teams.hostedContent(message, id);
  yield { step: 'put', draft: postDraft({ key, kind: 'post', parentKey: channelKey, entry: root, previous, hosted }), previous };
  for (const reply of root.replies ?? []) yield replyStep(run, root.id, reply, known.get(replyKey(channelId, root.id, reply.id)));
}

function replyStep({ graph, teamId, channelId }: ChannelRun, messageId: string, reply: PostEntry, previous: ItemVersion | undefined): Step {
  const [key, parentKey] = [replyKey(channelId, messageId, reply.id), postKey(channelId, messageId)];
  const hosted = (id: string) => graph.teams.hostedContent({ teamId, channelId, messageId, replyId: reply.id }, id);
  return { step: 'put', draft: postDraft({ key, kind: 'reply', parentKey, entry: reply, previous, hosted }), previous };
}

/** A message or an answer that an earlier run could not read whole. */
export async function* putAgain(run: ChannelRun, { key, kind }: Unread): AsyncGenerator<Step, void, undefined> {
  const { context, graph, teamId, channelId } = run;
  const [messageId = '', replyId] = key.slice(postKey(channelId, '').length + (kind === 'reply' ? 1 : 0)).split(':');
  const message = { teamId, channelId, messageId };
  const known = await context.known.load([key]);
  if (kind === 'post') {
    yield* stepsOf(run, { ...((await graph.teams.message(message)) as Root), replies: [] }, known);
    return;
  }
  for await (const reply of graph.teams.replies(message)) if (reply.id === replyId) yield replyStep(run, messageId, reply, known.get(key));
}

async function* putRoots(run: ChannelRun, roots: readonly Root[]): AsyncGenerator<Step, void, undefined> {
  const { channelId } = run;
  const keys = roots.flatMap((root) => [
    postKey(channelId, root.id),
    ...(root.replies ?? []).map((reply) => replyKey(channelId, root.id, reply.id)),
  ]);
  const known = await run.context.known.load(keys);
  for (const root of roots) yield* stepsOf(run, root, known);
}

/** Everything a channel has: delta alone reaches back eight months only. */
async function* readHistory(run: ChannelRun): AsyncGenerator<Step, void, undefined> {
  const { teamId, channelId } = run;
  let batch: Root[] = [];
  for await (const root of run.graph.teams.messages({ teamId, channelId })) {
    run.context.signal.throwIfAborted();
    batch.push(root as Root);
    if (batch.length < HISTORY_BATCH) continue;
    yield* putRoots(run, batch);
    batch = [];
    yield { step: 'cursor', scope: `history:${channelId}`, value: 'reading' };
  }
  yield* putRoots(run, batch);
}

/** One channel's messages: the whole history once, from then on what changed. What vanished stays as it was last seen. */
export async function* enumerateChannelMessages(run: ChannelRun): AsyncGenerator<Step, void, undefined> {
  const { context, graph, teamId, channelId } = run;
  const historyScope = `history:${channelId}`;
  const open = (cursor: DeltaCursor | undefined) => graph.teams.messageDelta({ teamId, channelId }, cursor);
  const isNew = context.cursor(historyScope) !== 'done';
  let isHistoryNeeded = isNew;
  for await (const page of followDelta(context, { scope: `posts:${channelId}`, open, hasKnown: async () => false })) {
    if (page === 'restarted') {
      isHistoryNeeded = true;
      continue;
    }
    const roots: Root[] = [];
    for (const entry of page.entries) if (entry.kind === 'present') roots.push(entry.item as Root);
    yield* putRoots(run, roots);
    if (page.last && isHistoryNeeded) {
      yield* readHistory(run);
      yield { step: 'cursor', scope: historyScope, value: 'done' };
    }
    if (!isHistoryNeeded || page.last) yield* page.afterwards;
  }
}

export type { ChannelRun };
