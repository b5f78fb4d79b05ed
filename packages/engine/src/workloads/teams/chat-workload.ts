import type { GraphClient } from '@holdfast/m365';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext, Workload } from '../../pipeline/workload.ts';
import type { Json } from '../../ports/item.ts';
import { jsonProperties, without } from '../compare-listing.ts';
import { createRevisits, notListed } from '../revisit.ts';
import { postDraft, type PostEntry } from './post.ts';

const BATCH = 200;

/** The keys of a chat and its messages. */
export function chatKey(chatId: string): string {
  return `chat:${chatId}`;
}

export function chatMessageKey(messageId: string): string {
  return `message:${messageId}`;
}

async function* putMessages(
  context: EnumerateContext,
  graph: GraphClient,
  entries: readonly PostEntry[],
): AsyncGenerator<Step, void, undefined> {
  const chatId = context.resource.graphId;
  const known = await context.known.load(entries.map((entry) => chatMessageKey(entry.id)));
  for (const entry of entries) {
    const key = chatMessageKey(entry.id);
    const previous = known.get(key);
    const hosted = (id: string) => graph.chats.hostedContent({ chatId, messageId: entry.id }, id);
    yield { step: 'put', draft: postDraft({ key, kind: 'chatMessage', parentKey: chatKey(chatId), entry, previous, hosted }), previous };
  }
}

/** The moment before which everything has been read: a little overlap costs nothing, because what is the same is not stored again. */
function nextAfter(latest: string): string {
  return new Date(Date.parse(latest) - 1_000).toISOString();
}

async function* enumerate(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const chatId = context.resource.graphId;
  const key = chatKey(chatId);
  const members: Json[] = [];
  for await (const member of graph.chats.members({ chatId })) members.push(jsonProperties(without(member)));
  members.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const draft = { key, kind: 'chat', parentKey: null, name: context.resource.name, contentTag: '', properties: { members } } as const;
  yield { step: 'put', draft, previous: (await context.known.load([key])).get(key) };
  const revisits = createRevisits(context);
  // No call reads one message of a chat: what could not be read is found by listing all of it again.
  const after = context.unread.size > 0 ? undefined : context.cursor('messages');
  yield* revisits.noting(messagesSince(context, graph, after));
  yield* revisits.rest(({ kind }) => kind === 'chatMessage', notListed);
}

async function* messagesSince(
  context: EnumerateContext,
  graph: GraphClient,
  after: string | undefined,
): AsyncGenerator<Step, void, undefined> {
  const chatId = context.resource.graphId;
  let latest = after ?? '';
  let batch: PostEntry[] = [];
  for await (const message of graph.chats.messages({ chatId }, after === undefined ? undefined : { after })) {
    context.signal.throwIfAborted();
    const modified = message.lastModifiedDateTime ?? '';
    if (modified > latest) latest = modified;
    batch.push(message);
    if (batch.length < BATCH) continue;
    yield* putMessages(context, graph, batch);
    batch = [];
  }
  yield* putMessages(context, graph, batch);
  if (latest !== '' && latest !== after) yield { step: 'cursor', scope: 'messages', value: nextAfter(latest) };
}

/** One-to-one, group and meeting chats; a chat is one resource, whoever of its members brought it in. */
export function createChatWorkload(graph: GraphClient): Workload {
  return { roles: ['Chat.Read.All'], enumerate: (context) => enumerate(context, graph) };
}
