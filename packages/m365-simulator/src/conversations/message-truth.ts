import { contentSha256 } from '../drives/file-content.ts';
import { unwind } from '../state/change-log.ts';
import type { TruthRecord } from '../state/truth.ts';
import type { MessageRecord } from './message-record.ts';
import type { OpenConversation } from './open-conversation.ts';
import { teamsTime } from './render-message.ts';
import { keyOf } from './conversation.ts';

function recordOf(open: OpenConversation, path: string, message: MessageRecord): TruthRecord {
  return {
    path: `${path}/${keyOf(message.id, message.rootId)}`,
    id: message.id,
    kind: 'chatMessage',
    metadata: {
      conversationId: open.conversation.id,
      rootId: message.rootId ?? null,
      createdAt: teamsTime(message.createdMs),
      modifiedAt: teamsTime(message.modifiedMs),
      editedAt: message.editedMs === undefined ? null : teamsTime(message.editedMs),
      deletedAt: message.deletedMs === undefined ? null : teamsTime(message.deletedMs),
      subject: message.subject,
      importance: message.importance,
      from: message.from,
      body: message.body,
      attachments: message.attachments,
      mentions: message.mentions,
      reactions: message.reactions.map(({ type, userId }) => ({ type, userId })),
      hostedContents: message.hosted.map(({ id, contentType, content }) => ({
        id,
        contentType,
        sizeBytes: content.sizeBytes,
        sha256: contentSha256(open.tenant.received, content),
      })),
      ...(message.event ? { event: message.event } : {}),
      isImported: message.isImported === true,
    },
  };
}

/** All messages of a conversation, now or before its change number `at` and later ones. */
export function* messageRecords(open: OpenConversation, path: string, at?: number): Generator<TruthRecord, void, undefined> {
  const then = at === undefined ? new Map<string, MessageRecord | null | undefined>() : unwind(open.state.journal, at);
  const messageThen = (message: MessageRecord): MessageRecord | undefined => {
    const key = keyOf(message.id, message.rootId);
    if (!then.has(key)) return message;
    const before = then.get(key);
    return before === null ? open.seeded(message.id, message.rootId) : before;
  };
  for (let position = 0; position < open.roots.size; position += 1) {
    const root = open.roots.at(position);
    const rootThen = root && messageThen(root);
    if (!root || !rootThen) continue;
    yield recordOf(open, path, rootThen);
    const replies = open.repliesTo(root.id);
    for (let index = 0; index < replies.size; index += 1) {
      const reply = replies.at(index);
      const replyThen = reply && messageThen(reply);
      if (replyThen) yield recordOf(open, path, replyThen);
    }
  }
}
