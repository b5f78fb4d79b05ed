import type { Random } from '@holdfast/foundation/random';
import { conversationState } from '../conversations/conversation.ts';
import { edit, type MessageAct, playConversation, post, react, remove, requireNoMigration } from '../conversations/message-activities.ts';
import { messageRecords } from '../conversations/message-truth.ts';
import { textField } from '../http/body-fields.ts';
import { notFound } from '../http/failure.ts';
import type { Tenant } from '../state/tenant.ts';
import type { TruthProvider, TruthRecord } from '../state/truth.ts';
import type { Activity, Workload } from '../http/workload.ts';
import { allChats, findChat, openChat } from './chat-records.ts';
import { chatRoutes } from './chat-routes.ts';

function activity(name: string, act: MessageAct): Activity {
  return {
    name,
    run(tenant, input) {
      const chat = findChat(tenant, textField(input, 'chat') ?? '');
      if (!chat) throw notFound('teams', 'The change names no chat.');
      requireNoMigration(chat.migration);
      return act(openChat(tenant, chat), input);
    },
  };
}

function* recordsOf(tenant: Tenant, chatId: string, at?: number): Generator<TruthRecord, void, undefined> {
  const chat = findChat(tenant, chatId);
  if (!chat) return;
  const { chatType, topic, createdMs, members, migration } = chat;
  const metadata = { chatType, topic, createdAt: new Date(createdMs).toISOString(), members, migrationMode: migration?.mode ?? null };
  yield { path: topic ?? chatId, id: chatId, kind: 'chat', metadata };
  yield* messageRecords(openChat(tenant, chat), topic ?? chatId, at);
}

/** What is really in a chat. */
const chatTruth: TruthProvider = {
  kind: 'chats',
  owners: (tenant) => allChats(tenant).map((chat) => chat.id),
  changeCount: (tenant, owner) => conversationState(tenant, owner).journal.length,
  records: (tenant, owner, at) => recordsOf(tenant, owner, at),
};

function playDay(tenant: Tenant, random: Random): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const chat of allChats(tenant)) {
    if (chat.migration?.mode === 'inProgress') continue;
    for (let round = random.below(3); round > 0; round -= 1) {
      const done = `chats.${playConversation(openChat(tenant, chat), random)}`;
      counts[done] = (counts[done] ?? 0) + 1;
    }
  }
  return counts;
}

/** Chats of two, of groups and of meetings. */
export const chatsWorkload: Workload = {
  name: 'chats',
  routes: chatRoutes,
  truth: [chatTruth],
  activities: [
    activity('chats.post', post),
    activity('chats.react', react),
    activity('chats.edit', edit),
    activity('chats.delete', remove),
  ],
  playDay,
};
