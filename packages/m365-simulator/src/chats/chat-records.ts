import { subjectLine } from '../content/prose.ts';
import { guidOf, hashText, randomOf } from '../values/seeded.ts';
import type { Conversation } from '../conversations/conversation.ts';
import { type OpenConversation, openConversation } from '../conversations/open-conversation.ts';
import type { Journal } from '../state/change-log.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Migration } from '../places/team-records.ts';

export type ChatType = 'oneOnOne' | 'group' | 'meeting';

/** A chat as it is now; replaced, never changed in place. */
export interface ChatRecord {
  readonly id: string;
  readonly chatType: ChatType;
  readonly topic: string | null;
  readonly createdMs: number;
  readonly members: readonly { readonly userId: string; readonly isOwner: boolean }[];
  readonly seededMessages: number;
  readonly migration?: Migration;
}

/** Chats that were created or changed since the seed. */
export interface ChatsState {
  readonly chats: Map<string, ChatRecord>;
  readonly created: string[];
  readonly journal: Journal<ChatRecord>;
}

export function chatsState(tenant: Tenant): ChatsState {
  return tenant.store.state<ChatsState>('chats', () => ({ chats: new Map(), created: [], journal: [] }));
}

const DAY_MS = 86_400_000;

/** The id of the chat of two people: the same whoever asks. */
export function oneOnOneId(a: string, b: string): string {
  const [first = a, second = b] = [a, b].sort();
  return `19:${first}_${second}@unq.gbl.spaces`;
}

function somePeople(tenant: Tenant, index: number, count: number): string[] {
  const people = tenant.recipe.people.members;
  const start = hashText(`chat/${index}`, tenant.seed) % Math.max(1, people);
  const stride = 1 + (hashText(`stride/${index}`, tenant.seed) % Math.max(1, people - 1));
  const ids = Array.from({ length: Math.min(count, people) }, (_, place) =>
    guidOf(tenant.seed, 'member', (start + place * stride) % Math.max(1, people)),
  );
  return [...new Set(ids)];
}

function seededChat(tenant: Tenant, chatType: ChatType, index: number): ChatRecord {
  const userIds = somePeople(tenant, index, chatType === 'oneOnOne' ? 2 : 3 + (index % 4));
  const random = randomOf({ seed: tenant.seed, kind: 'chat', owner: chatType, index });
  const guid = guidOf(tenant.seed, 'chat', chatType, index);
  const [first = '', second = ''] = userIds;
  const groupId =
    chatType === 'meeting' ? `19:meeting_${Buffer.from(guid).toString('base64url')}@thread.v2` : `19:${guid.replaceAll('-', '')}@thread.v2`;
  return {
    id: chatType === 'oneOnOne' ? oneOnOneId(first, second) : groupId,
    chatType,
    topic: chatType === 'oneOnOne' ? null : subjectLine(random, index % 2 === 0 ? 'de' : 'en'),
    createdMs: tenant.epochMs - (120 + (hashText(guid) % 400)) * DAY_MS,
    members: userIds.map((userId, place) => ({ userId, isOwner: chatType === 'oneOnOne' || place === 0 })),
    seededMessages: tenant.recipe.chats.messagesPerChat,
  };
}

const seeded = new WeakMap<Tenant, ReadonlyMap<string, ChatRecord>>();

/** Chats of the seed: pairs, groups, and for every third group a meeting. Two pairs that are the same are one chat. */
function seededChats(tenant: Tenant): ReadonlyMap<string, ChatRecord> {
  const known = seeded.get(tenant);
  if (known) return known;
  const { oneOnOne, group } = tenant.recipe.chats;
  const chats = [
    ...Array.from({ length: oneOnOne }, (_, index) => seededChat(tenant, 'oneOnOne', index)),
    ...Array.from({ length: group }, (_, index) => seededChat(tenant, 'group', index)),
    ...Array.from({ length: Math.ceil(group / 3) }, (_, index) => seededChat(tenant, 'meeting', index)),
  ].filter((chat) => chat.members.length > 1);
  const made = new Map(chats.map((chat) => [chat.id, chat]));
  seeded.set(tenant, made);
  return made;
}

export function findChat(tenant: Tenant, id: string): ChatRecord | undefined {
  return chatsState(tenant).chats.get(id) ?? seededChats(tenant).get(id);
}

/** All chats as they are now, seeded ones first. */
export function allChats(tenant: Tenant): ChatRecord[] {
  const { chats, created } = chatsState(tenant);
  const first = [...seededChats(tenant).values()].map((chat) => chats.get(chat.id) ?? chat);
  return [...first, ...created.flatMap((id) => chats.get(id) ?? [])];
}

export function chatsOf(tenant: Tenant, userId: string): ChatRecord[] {
  return allChats(tenant).filter((chat) => chat.members.some((member) => member.userId === userId));
}

/** Creates or replaces a chat. */
export function putChat(tenant: Tenant, chat: ChatRecord): void {
  const state = chatsState(tenant);
  const before = findChat(tenant, chat.id);
  if (!before) state.created.push(chat.id);
  state.journal.push({ id: chat.id, atMs: tenant.clock.nowMs(), before });
  state.chats.set(chat.id, chat);
}

/** The messages of a chat. */
export function openChat(tenant: Tenant, chat: ChatRecord): OpenConversation {
  const conversation: Conversation = {
    id: chat.id,
    kind: 'chat',
    seededRoots: chat.seededMessages,
    fromMs: chat.createdMs + 60_000,
    untilMs: tenant.epochMs - DAY_MS,
    writers: chat.members.map(({ userId }) => userId),
    language: hashText(chat.id) % 2 === 0 ? 'de' : 'en',
    hasAccountNumber: false,
    hasLongThread: false,
  };
  return openConversation(tenant, conversation);
}
