import type { Chat, ChatMessage, ConversationMember } from '@microsoft/microsoft-graph-types';
import type { Caller } from '../client/caller.ts';
import { readContent } from '../client/content/content.ts';
import { list } from '../client/paging/listing.ts';
import { UNSIZED, type PageSize } from '../client/paging/page.ts';
import { completeChatMigration, startChatMigration } from './migration.ts';
import { modifiedBetween } from './modified-range.ts';
import type { ChatCalls, ModifiedRange } from './teams-api.ts';

const PAGE: PageSize = { by: 'top', size: 50 };

/** The list of one chat filters by what it is sorted by. */
function filtered(range: ModifiedRange | undefined): Readonly<Record<string, string>> {
  const filter = modifiedBetween(range);
  return filter['$filter'] === undefined ? {} : { ...filter, $orderby: 'lastModifiedDateTime desc' };
}

/** Calls of chats. */
export function createChatCalls(caller: Caller): ChatCalls {
  return Object.freeze<ChatCalls>({
    chats: ({ userId }) => list<Chat>(caller, { route: 'GET /users/{id}/chats', params: [userId], query: { $expand: 'members' } }, PAGE),
    allMessages: ({ userId }, range) =>
      list<ChatMessage>(caller, { route: 'GET /users/{id}/chats/getAllMessages', params: [userId], query: modifiedBetween(range) }, PAGE),
    members: ({ chatId }) => list<ConversationMember>(caller, { route: 'GET /chats/{id}/members', params: [chatId] }, UNSIZED),
    messages: ({ chatId }, range) =>
      list<ChatMessage>(caller, { route: 'GET /chats/{id}/messages', params: [chatId], query: filtered(range) }, PAGE),
    hostedContent: ({ chatId, messageId }, hostedContentId) =>
      readContent(caller, {
        route: 'GET /chats/{id}/messages/{id}/hostedContents/{id}/$value',
        params: [chatId, messageId, hostedContentId],
      }),
    createChat: (json, options = {}) =>
      caller.known({ route: 'POST /chats', json, ...(options.recover ? { recover: options.recover } : {}) }),
    startMigration: (chat, createdAt) => startChatMigration(caller, chat, createdAt),
    importMessage: ({ chatId }, json, options = {}) =>
      caller.known({
        route: 'POST /chats/{id}/messages',
        params: [chatId],
        json,
        ...(options.recover ? { recover: options.recover } : {}),
      }),
    completeMigration: (chat) => completeChatMigration(caller, chat),
  });
}
