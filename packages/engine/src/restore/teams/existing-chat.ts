import { graphOutcome, isGraphError, type GraphClient } from '@holdfast/m365';
import { createThread, note, type Thread } from './thread.ts';

/** Why the chats of somebody can't be read who is of another tenant, or who left. */
const UNREADABLE = ['graph.item-gone', 'graph.resource-gone', 'graph.access-denied'] as const;

/** The messages that are in a chat; undefined when the chat is gone. */
export async function readMessages({ chats }: GraphClient, chatId: string): Promise<Thread | undefined> {
  const found = createThread();
  try {
    for await (const message of chats.messages({ chatId })) note(found, message);
    return found;
  } catch (error) {
    if (isGraphError(error, 'graph.item-gone', 'graph.resource-gone')) return undefined;
    throw error;
  }
}

/**
 * Asks one member of a chat after the other until one of them knows. Whoever can't be asked is passed over, for any other
 * knows as well; a fault counts when nobody has told. Throws what is of the whole tenant.
 */
export async function askMembers<T>(
  userIds: Iterable<string> | AsyncIterable<string>,
  ask: (userId: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  let fault: unknown;
  for await (const userId of userIds) {
    try {
      const told = await ask(userId);
      if (told !== undefined) return told;
    } catch (error) {
      if (!isGraphError(error) || graphOutcome(error) === 'tenant') throw error;
      if (!isGraphError(error, ...UNREADABLE)) fault ??= error;
    }
  }
  if (fault) throw fault;
  return undefined;
}

async function* memberIds({ chats }: GraphClient, chatId: string): AsyncGenerator<string, void, undefined> {
  for await (const member of chats.members({ chatId })) {
    const { userId } = member as { readonly userId?: string | null };
    if (typeof userId === 'string') yield userId;
  }
}

/** When a chat began. Only the lists of its members tell: its oldest message may be gone. */
export function readBeginning(graph: GraphClient, chatId: string): Promise<string | undefined> {
  return askMembers(memberIds(graph, chatId), async (userId) => {
    for await (const chat of graph.chats.chats({ userId })) if (chat.id === chatId) return chat.createdDateTime ?? undefined;
    return undefined;
  });
}

/** A restore that died has left a chat in which nobody can write: its migration is ended before anything else. */
export async function endOldMigration({ chats }: GraphClient, chatId: string): Promise<void> {
  try {
    await chats.completeMigration({ chatId });
  } catch (error) {
    // Another application's: what is there can still be found, and an import says what is wrong.
    if (!isGraphError(error, 'graph.access-denied')) throw error;
  }
}
