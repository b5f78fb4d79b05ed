import type { Random } from '@holdfast/foundation/random';
import { paragraph, sentence } from '../content/prose.ts';
import { pick } from '../values/seeded.ts';
import { textField } from '../http/body-fields.ts';
import { badRequest, fail, notFound } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import type { Migration } from '../places/team-records.ts';
import type { MessageRecord } from './message-record.ts';
import type { OpenConversation } from './open-conversation.ts';

/** What a person does in a conversation: `open` is where, `input` names message and author. */
export type MessageAct = (open: OpenConversation, input: JsonObject) => JsonObject;

/** People can't post while an app migrates the conversation. */
export function requireNoMigration(migration: Migration | undefined): void {
  if (migration?.mode === 'inProgress') throw fail(403, 'Forbidden', 'The conversation is being migrated.');
}

function authorOf({ tenant, conversation }: OpenConversation, input: JsonObject): { userId: string; displayName: string } {
  const person = tenant.directory.user(textField(input, 'by') ?? conversation.writers[0] ?? '') ?? tenant.directory.users()[0];
  if (!person) throw badRequest('teams', 'The change names nobody who could write.');
  return { userId: person.id, displayName: person.displayName };
}

/** The present millisecond, or the next that no post has. */
function freeTime(open: OpenConversation): number {
  let ms = open.tenant.clock.nowMs();
  while (!open.isFree(ms)) ms += 1;
  return ms;
}

function targetOf(open: OpenConversation, input: JsonObject): MessageRecord {
  const message = open.find(textField(input, 'id') ?? '', textField(input, 'rootId'));
  if (!message) throw notFound('teams', 'The change names a message that is not there.');
  return message;
}

export const post: MessageAct = (open, input) => {
  const createdMs = freeTime(open);
  const rootId = textField(input, 'rootId');
  if (rootId !== undefined && !open.find(rootId)) throw notFound('teams', 'The change names a message that is not there.');
  open.put({
    id: String(createdMs),
    ...(rootId === undefined ? {} : { rootId }),
    createdMs,
    modifiedMs: createdMs,
    subject: textField(input, 'subject') ?? null,
    importance: 'normal',
    locale: 'en-us',
    from: authorOf(open, input),
    body: { contentType: 'html', content: textField(input, 'content') ?? '<p>Hello</p>' },
    attachments: [],
    mentions: [],
    reactions: [],
    hosted: [],
  });
  return { id: String(createdMs) };
};

export const react: MessageAct = (open, input) => {
  const message = targetOf(open, input);
  const atMs = open.tenant.clock.nowMs();
  const reaction = { type: textField(input, 'reaction') ?? 'like', userId: authorOf(open, input).userId, atMs };
  open.put({ ...message, modifiedMs: atMs, reactions: [...message.reactions, reaction] });
  return { id: message.id };
};

export const edit: MessageAct = (open, input) => {
  const message = targetOf(open, input);
  const editedMs = open.tenant.clock.nowMs();
  open.put({
    ...message,
    modifiedMs: editedMs,
    editedMs,
    body: { contentType: 'html', content: textField(input, 'content') ?? '<p>Edited</p>' },
  });
  return { id: message.id };
};

export const remove: MessageAct = (open, input) => {
  const message = targetOf(open, input);
  const deletedMs = open.tenant.clock.nowMs();
  const empty = { attachments: [], mentions: [], hosted: [], body: { contentType: 'html' as const, content: '' } };
  open.put({ ...message, ...empty, modifiedMs: deletedMs, deletedMs });
  return { id: message.id };
};

/** One thing that happens in a conversation on an ordinary day; its name, without the prefix of the workload. */
export function playConversation(open: OpenConversation, random: Random): string {
  const kind = pick(random, ['post', 'post', 'reply', 'reply', 'react', 'edit', 'delete'] as const);
  const { language, writers } = open.conversation;
  const root = open.roots.size === 0 ? undefined : open.roots.at(random.below(open.roots.size));
  const by = writers.length === 0 ? {} : { by: pick(random, writers) };
  if (kind === 'post' || !root || root.deletedMs !== undefined || root.event) {
    post(open, { ...by, content: `<p>${paragraph(random, language, 2)}</p>` });
    return 'post';
  }
  if (kind === 'reply' && open.conversation.kind === 'channel')
    post(open, { ...by, rootId: root.id, content: `<p>${sentence(random, language)}</p>` });
  else if (kind === 'edit') edit(open, { id: root.id, content: `<p>${sentence(random, language)}</p>` });
  else if (kind === 'delete') remove(open, { id: root.id });
  else react(open, { ...by, id: root.id });
  return kind;
}
