import { isGraphError, type Known } from '@holdfast/m365';
import type { ItemVersion, Json } from '../../ports/item.ts';
import type { PlacedContainer, RestoreContext, Restorer } from '../restorer.ts';
import { beginningFor, importMessage, isImportable, isoMs, type ImportPlace, type People } from './conversation.ts';
import { readPeople } from './people.ts';

const GRAPH = 'https://graph.microsoft.com/v1.0';

/** Puts a chat's messages back with their authors and times; a chat that is gone is made again with its members. */
export function createChatRestorer(context: RestoreContext): Restorer {
  const { request, graph, catalog, sequence } = context;
  const existing = new Map<string, string>();
  let chatId = request.target.resource.graphId;
  let people: People | undefined;
  let isMigrating = false;
  /** A moment at which a chat that is there had begun: it does not tell when, but its messages came after. */
  let begunAt: string | undefined;

  async function readExisting(): Promise<boolean> {
    try {
      for await (const message of graph.chats.messages({ chatId })) {
        const before = new Date(Date.parse(message.createdDateTime ?? '') - 1);
        if (!Number.isNaN(before.getTime()) && (begunAt === undefined || before.toISOString() < begunAt)) begunAt = before.toISOString();
        if (!message.deletedDateTime) existing.set(isoMs(message.createdDateTime), message.id);
      }
      return true;
    } catch (error) {
      if (isGraphError(error, 'graph.item-gone', 'graph.resource-gone')) return false;
      throw error;
    }
  }

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
    const isThere = await readExisting();
    if (!isThere) chatId = await create(item);
    return { outcome: isThere ? 'skipped' : 'restored', targetId: chatId };
  }

  async function start(): Promise<void> {
    if (isMigrating) return;
    let first: string | undefined;
    for await (const message of catalog.items(request.source.id, sequence, { kinds: ['chatMessage'] })) {
      if (!isImportable(message)) continue;
      first = isoMs(message.createdAt);
      break;
    }
    await graph.chats.startMigration({ chatId }, beginningFor(first, { createdAt: begunAt, isMoved: false }));
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
