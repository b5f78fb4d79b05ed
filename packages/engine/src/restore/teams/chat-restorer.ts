import type { Known } from '@holdfast/m365';
import type { ItemVersion, Json } from '../../ports/item.ts';
import type { PlacedContainer, RestoreContext, Restorer } from '../restorer.ts';
import { beginningFor, type Begun, importMessage, isImportable, isoMs, type ImportPlace, type People } from './conversation.ts';
import { endOldMigration, readBeginning, readMessages } from './existing-chat.ts';
import { readPeople } from './people.ts';

const GRAPH = 'https://graph.microsoft.com/v1.0';

/** Puts a chat's messages back with their authors and times; a chat that is gone is made again with its members. */
export function createChatRestorer(context: RestoreContext): Restorer {
  const { request, graph, catalog, sequence } = context;
  let existing: ReadonlyMap<string, string> = new Map();
  let chatId = request.target.resource.graphId;
  let people: People | undefined;
  let isMigrating = false;
  let isThere = false;

  async function create(item: ItemVersion): Promise<string> {
    const members = (item.properties['members'] ?? []) as readonly Json[] as unknown as readonly { readonly userId?: string }[];
    const bodies = members.flatMap(({ userId }) =>
      userId === undefined
        ? []
        : [
            {
              '@odata.type': '#microsoft.graph.aadUserConversationMember',
              roles: ['owner'],
              'user@odata.bind': `${GRAPH}/users('${userId}')`,
            },
          ],
    );
    const body = { chatType: bodies.length > 2 ? 'group' : 'oneOnOne', members: bodies };
    return (await graph.chats.createChat(body, { recover: async (): Promise<Known<object> | undefined> => undefined })).id;
  }

  async function place(item: ItemVersion): Promise<PlacedContainer> {
    // The chat that a worker that died made is gone on with.
    chatId = (await request.earlier?.told([item.key]))?.get(item.key)?.targetId ?? chatId;
    const found = await readMessages(graph, chatId);
    isThere = found !== undefined;
    if (found) {
      existing = found;
      await endOldMigration(graph, chatId);
    } else chatId = await create(item);
    return { outcome: isThere ? 'skipped' : 'restored', targetId: chatId };
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
    workloads: ['chats'],
    concurrency: 1,
    container: place,
    async item(item) {
      people ??= await readPeople(graph);
      if (!existing.has(isoMs(item.createdAt)) || request.collisions === 'keepBoth') await start();
      const at: ImportPlace = { existing, post: (body, recover) => graph.chats.importMessage({ chatId }, body, { recover }) };
      return importMessage(context, item, at, people);
    },
    async finish() {
      if (isMigrating) await graph.chats.completeMigration({ chatId });
      isMigrating = false;
    },
    collides: async () => false,
    limitsOf: (kind) => (kind === 'chatMessage' ? ['restore.limit.reactions-as-text'] : []),
  };
}
