import { isGraphError, type GraphClient } from '@holdfast/m365';
import { createThread, note, type Thread } from './thread.ts';

/** Why the chats of somebody can't be read who is of another tenant, or who left. */
export const UNREADABLE = ['graph.item-gone', 'graph.resource-gone', 'graph.access-denied'] as const;

/** The messages that lie in a chat; undefined when the chat is gone. */
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

/** When a chat began. Only the lists of its members tell: its oldest message may be gone. */
export async function readBeginning({ chats }: GraphClient, chatId: string): Promise<string | undefined> {
  for await (const member of chats.members({ chatId })) {
    const { userId } = member as { readonly userId?: string | null };
    if (typeof userId !== 'string') continue;
    try {
      for await (const chat of chats.chats({ userId })) if (chat.id === chatId) return chat.createdDateTime ?? undefined;
    } catch (error) {
      if (!isGraphError(error, ...UNREADABLE)) throw error;
    }
  }
  return undefined;
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
