import type { JsonObject } from '../values/json.ts';
import type { Context } from '../http/route.ts';
import type { OpenConversation } from './open-conversation.ts';
import type { MessageRecord, Reaction } from './message-record.ts';

/** More replies than this page through `replies@odata.nextLink`. */
const EXPANDED_REPLIES = 1000;
const GRAPH = 'https://graph.microsoft.com/v1.0';

/** A time as Teams writes it, with milliseconds. */
export function teamsTime(ms: number): string {
  return new Date(ms).toISOString();
}

function userIdentity(id: string, displayName: string | null): JsonObject {
  return { '@odata.type': '#microsoft.graph.teamworkUserIdentity', id, displayName, userIdentityType: 'aadUser' };
}

function renderReaction(reaction: Reaction): JsonObject {
  return {
    reactionType: reaction.type,
    displayName: null,
    reactionContentUrl: null,
    createdDateTime: teamsTime(reaction.atMs),
    user: { application: null, device: null, user: userIdentity(reaction.userId, null) },
  };
}

function optionalTime(ms: number | undefined): string | null {
  return ms === undefined ? null : teamsTime(ms);
}

function typeOf(context: Context, message: MessageRecord): string {
  if (!message.event) return 'message';
  return context.prefer.includeUnknownEnumMembers ? 'systemEventMessage' : 'unknownFutureValue';
}

function webUrl({ conversation, tenant }: OpenConversation, message: MessageRecord): string | null {
  if (conversation.kind === 'chat') return null;
  const query = `groupId=${conversation.teamId ?? ''}&tenantId=${tenant.tenantId}&createdTime=${message.id}&parentMessageId=${message.rootId ?? message.id}`;
  return `https://teams.microsoft.com/l/message/${encodeURIComponent(conversation.id)}/${message.id}?${query}`;
}

function whereIs({ conversation }: OpenConversation): JsonObject {
  if (conversation.kind === 'chat') return { chatId: conversation.id, channelIdentity: null };
  return { chatId: null, channelIdentity: { teamId: conversation.teamId ?? '', channelId: conversation.id } };
}

/** A message as Graph answers it, without its replies. */
export function renderMessage(context: Context, open: OpenConversation, message: MessageRecord): JsonObject {
  return {
    id: message.id,
    replyToId: message.rootId ?? null,
    etag: String(message.modifiedMs),
    messageType: typeOf(context, message),
    createdDateTime: teamsTime(message.createdMs),
    lastModifiedDateTime: teamsTime(message.modifiedMs),
    lastEditedDateTime: optionalTime(message.editedMs),
    deletedDateTime: optionalTime(message.deletedMs),
    subject: message.subject,
    summary: null,
    ...whereIs(open),
    importance: message.importance,
    locale: message.locale,
    webUrl: webUrl(open, message),
    policyViolation: null,
    from: message.from
      ? {
          application: null,
          device: null,
          user: { ...userIdentity(message.from.userId, message.from.displayName), tenantId: open.tenant.tenantId },
        }
      : null,
    body: { contentType: message.body.contentType, content: message.body.content.replaceAll(GRAPH, context.links.graph) },
    attachments: message.attachments,
    mentions: message.mentions,
    reactions: message.reactions.map((reaction) => renderReaction(reaction)),
    eventDetail: message.event ?? null,
  };
}

/** The same with its replies, newest first, as `$expand=replies` gives them. */
export function renderThread(context: Context, open: OpenConversation, root: MessageRecord): JsonObject {
  const replies = open.repliesTo(root.id);
  const shown: JsonObject[] = [];
  for (let position = replies.size - 1; position >= 0 && shown.length < EXPANDED_REPLIES; position -= 1) {
    const reply = replies.at(position);
    if (reply) shown.push(renderMessage(context, open, reply));
  }
  const { conversation } = open;
  const base = `teams('${conversation.teamId ?? ''}')/channels('${conversation.id}')/messages('${root.id}')/replies`;
  const next = Buffer.from(`p${EXPANDED_REPLIES}`).toString('base64url');
  const address = `${context.links.graph}/teams/${conversation.teamId ?? ''}/channels/${encodeURIComponent(conversation.id)}/messages/${root.id}/replies`;
  return {
    ...renderMessage(context, open, root),
    'replies@odata.context': context.links.context(base),
    'replies@odata.count': replies.size,
    ...(replies.size > EXPANDED_REPLIES ? { 'replies@odata.nextLink': `${address}?$skiptoken=${next}` } : {}),
    replies: shown,
  };
}
