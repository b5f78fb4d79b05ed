import type { ItemVersion } from '../../ports/item.ts';
import type { PlacedContainer, RestoreContext, Restorer } from '../restorer.ts';
import { beginningFor, type Begun, importMessage, isImportable, type ImportPlace } from './conversation.ts';
import { endOldMigration, readBeginning, readMessages } from './existing-chat.ts';
import { makeChat } from './new-chat.ts';
import { readPeople, type People } from './people.ts';
import { createThread, isoMs, placeOf, type Thread } from './thread.ts';

/** Puts a chat's messages back with their authors and times; a chat that is gone is made again with its members. */
export function createChatRestorer(context: RestoreContext): Restorer {
  const { request, graph, catalog, sequence } = context;
  let thread = createThread();
  let chatId = request.target.resource.graphId;
  let people: Promise<People> | undefined;
  let isMigrating = false;
  let isThere = false;
  const known = (): Promise<People> => (people ??= readPeople(graph));

  /** Goes on with a chat that is there and what was said in it. */
  async function goOn(found: Thread, here: PlacedContainer): Promise<PlacedContainer> {
    thread = found;
    isThere = true;
    await endOldMigration(graph, chatId);
    return here;
  }

  async function place(item: ItemVersion): Promise<PlacedContainer> {
    // The chat that a worker that died made is gone on with.
    chatId = (await request.earlier?.told([item.key]))?.get(item.key)?.targetId ?? chatId;
    const found = await readMessages(graph, chatId);
    if (found) return goOn(found, { outcome: 'skipped', targetId: chatId });
    const { id, isLeft, differences } = await makeChat(context, item, await known());
    chatId = id;
    const here: PlacedContainer = { outcome: 'restored', targetId: id, differences };
    return isLeft ? goOn((await readMessages(graph, id)) ?? createThread(), here) : here;
  }

  /** One millisecond before its beginning is as true, and valid whether or not an earlier restore has moved that. */
  async function begun(): Promise<Begun> {
    const createdMs = Date.parse((isThere ? await readBeginning(graph, chatId) : undefined) ?? '');
    return { createdAt: Number.isNaN(createdMs) ? undefined : new Date(createdMs - 1).toISOString(), isMoved: true };
  }

  async function start(): Promise<void> {
    if (isMigrating) return;
    let first: string | undefined;
    for await (const message of catalog.items(request.source.id, sequence, { kinds: ['chatMessage'] })) {
      if (!isImportable(message)) continue;
      first = isoMs(message.createdAt);
      break;
    }
    await graph.chats.startMigration({ chatId }, beginningFor(first, await begun()));
    isMigrating = true;
  }

  return {
    workloads: async () => ['chats'],
    atATime: () => 1,
    container: place,
    async item(item) {
      const isDone = placeOf(thread, item, await known()) !== undefined && request.collisions !== 'keepBoth';
      if (!isDone) await start();
      const at: ImportPlace = { thread, post: (body, recover) => graph.chats.importMessage({ chatId }, body, { recover }) };
      return importMessage(context, item, at, await known());
    },
    async finish() {
      if (isMigrating) await graph.chats.completeMigration({ chatId });
      isMigrating = false;
    },
    limitsOf: (kind) => (kind === 'chatMessage' ? ['restore.limit.reactions-as-text'] : []),
  };
}
