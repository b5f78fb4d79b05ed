import { receivedContent } from '../drives/file-content.ts';
import { listField, objectField, textField, timeField } from '../http/body-fields.ts';
import { badRequest, conflict, fail } from '../http/failure.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { created, type Reply } from '../http/reply.ts';
import type { Context } from '../http/route.ts';
import type { Received } from '../state/received.ts';
import type { Migration } from '../places/team-records.ts';
import type { HostedContent, MessageRecord } from './message-record.ts';
import type { OpenConversation } from './open-conversation.ts';
import { renderMessage, teamsTime } from './render-message.ts';
import { hostedAddress } from './seeded-messages.ts';

/** Apps may post in a conversation only while they migrate it, each conversation one app. */
export function requireMigration(context: Context, migration: Migration | undefined): Migration {
  if (migration?.mode !== 'inProgress') throw fail(403, 'Forbidden', 'The conversation is not in migration mode.');
  if (migration.appId !== context.caller.appId) throw fail(403, 'Forbidden', 'Another application is migrating this conversation.');
  return migration;
}

function readTime(open: OpenConversation, body: JsonObject, migration: Migration): number {
  const createdMs = timeField(body, 'createdDateTime');
  if (createdMs === undefined) throw badRequest('teams', 'createdDateTime is required.');
  if (createdMs > open.tenant.clock.nowMs()) throw badRequest('teams', 'createdDateTime is in the future.');
  if (createdMs <= migration.createdMs)
    throw badRequest('teams', `createdDateTime must be later than ${teamsTime(migration.createdMs)}, when the conversation began.`);
  if (!open.isFree(createdMs)) throw conflict('teams', 'A message with this createdDateTime exists.');
  return createdMs;
}

function readAuthor(context: Context, body: JsonObject): NonNullable<MessageRecord['from']> {
  const user = objectField(objectField(body, 'from'), 'user');
  const person = context.tenant.directory.user(textField(user, 'id') ?? '');
  if (!person) throw badRequest('teams', 'from.user is not a user of this tenant.');
  return { userId: person.id, displayName: textField(user, 'displayName') ?? person.displayName };
}

function readHostedContents(
  received: Received,
  body: JsonObject,
  createdMs: number,
): { readonly temporaryId: string; readonly hosted: HostedContent }[] {
  return listField(body, 'hostedContents')
    .filter(isJsonObject)
    .map((value, index) => {
      const temporaryId = textField(value, '@microsoft.graph.temporaryId') ?? String(index + 1);
      const id = Buffer.from(`id=,type=1,url=imported-${createdMs}-${index}`).toString('base64url');
      const content = receivedContent(received, Buffer.from(textField(value, 'contentBytes') ?? '', 'base64'));
      return { temporaryId, hosted: { id, contentType: textField(value, 'contentType') ?? 'application/octet-stream', content } };
    });
}

/** Puts the lasting addresses of hosted contents where the client wrote `../hostedContents/1/$value`. */
function settleBody(
  open: OpenConversation,
  text: string,
  parts: { message: { id: string; rootId?: string }; contents: ReturnType<typeof readHostedContents> },
): string {
  let settled = text;
  for (const { temporaryId, hosted } of parts.contents) {
    const address = hostedAddress(open.conversation, parts.message, hosted.id);
    settled = settled.replaceAll(`../hostedContents/${temporaryId}/$value`, () => address);
  }
  return settled;
}

function readImportance(body: JsonObject): MessageRecord['importance'] {
  const importance = textField(body, 'importance');
  return importance === 'high' || importance === 'urgent' ? importance : 'normal';
}

/** Takes a message as `createdDateTime` and `from` have it: the import of a migration. */
export async function importMessage(
  context: Context,
  open: OpenConversation,
  target: { migration: Migration | undefined; root?: MessageRecord },
): Promise<Reply> {
  const body = await context.json();
  const migration = requireMigration(context, target.migration);
  const createdMs = readTime(open, body, migration);
  const { root } = target;
  if (root && createdMs <= root.createdMs) throw badRequest('teams', 'A reply must be later than what it answers.');
  if (!root && createdMs < open.state.lastImportedMs) throw badRequest('teams', 'Messages must be imported in the order of their time.');
  const from = readAuthor(context, body);
  const contents = readHostedContents(context.tenant.received, body, createdMs);
  const message = { id: String(createdMs), ...(root ? { rootId: root.id } : {}) };
  const text = objectField(body, 'body');
  const record: MessageRecord = {
    ...message,
    createdMs,
    modifiedMs: createdMs,
    subject: textField(body, 'subject') ?? null,
    importance: readImportance(body),
    locale: textField(body, 'locale') ?? 'en-us',
    from,
    body: {
      contentType: textField(text, 'contentType') === 'text' ? 'text' : 'html',
      content: settleBody(open, textField(text, 'content') ?? '', { message, contents }),
    },
    attachments: listField(body, 'attachments').filter(isJsonObject),
    mentions: [],
    reactions: [],
    hosted: contents.map(({ hosted }) => hosted),
    isImported: true,
  };
  open.put(record);
  if (!root) open.state.lastImportedMs = createdMs;
  return created({ '@odata.context': context.links.context('chatMessage'), ...renderMessage(context, open, record) });
}

/** Begins a migration: returns what the conversation is to remember. */
export function beginMigration(
  context: Context,
  body: JsonObject,
  conversation: { migration: Migration | undefined; createdMs: number },
): Migration {
  if (conversation.migration?.mode === 'inProgress') throw badRequest('teams', 'The conversation is already in migration mode.');
  const createdMs = timeField(body, 'conversationCreationDateTime') ?? conversation.createdMs;
  if (createdMs > conversation.createdMs)
    throw badRequest('teams', 'conversationCreationDateTime must not be later than the creation of the conversation.');
  return { mode: 'inProgress', appId: context.caller.appId, createdMs };
}

/** Ends a migration; only its owner can. */
export function endMigration(context: Context, open: OpenConversation, migration: Migration | undefined): Migration {
  if (migration?.mode !== 'inProgress') throw badRequest('teams', 'The conversation is not in migration mode.');
  const owned = requireMigration(context, migration);
  open.state.lastImportedMs = 0;
  return { ...owned, mode: 'completed' };
}
