import type { Feed, Positions } from '../state/feed.ts';
import { noteChange } from '../state/change-log.ts';
import type { Tenant } from '../state/tenant.ts';
import { type Conversation, type ConversationState, conversationState, keyOf } from './conversation.ts';
import type { MessageRecord } from './message-record.ts';
import { seededId, seededMessage, seededReplies, seededReply, seededRoot } from './seeded-messages.ts';

/** The messages of a channel or chat as they are now, and the only way to change them. */
export interface OpenConversation {
  readonly tenant: Tenant;
  readonly conversation: Conversation;
  readonly state: ConversationState;
  find(id: string, rootId?: string): MessageRecord | undefined;
  /** Roots, oldest first, and the log by which delta runs. */
  readonly roots: Feed<MessageRecord>;
  /** The id of a root by position; cheaper than the root. */
  rootIdAt(position: number): string;
  repliesTo(rootId: string): Positions<MessageRecord>;
  /** Creates or replaces; moves the root in the log. */
  put(message: MessageRecord): void;
  /** True when no post has this millisecond. */
  isFree(ms: number): boolean;
  /** When the thread was last written in or changed. */
  lastChangeMs(root: MessageRecord): number;
  /** The message as the seed made it. */
  seeded(id: string, rootId?: string): MessageRecord | undefined;
}

interface View {
  readonly tenant: Tenant;
  readonly conversation: Conversation;
  readonly state: ConversationState;
}

function seededBy({ tenant, conversation }: View, id: string, rootId: string | undefined): MessageRecord | undefined {
  const root = seededRoot(conversation, rootId ?? id);
  if (root === undefined) return undefined;
  if (rootId === undefined) return seededMessage(tenant, conversation, { root });
  const reply = seededReply(conversation, root, id);
  return reply === undefined ? undefined : seededMessage(tenant, conversation, { root, reply });
}

function find(view: View, id: string, rootId?: string): MessageRecord | undefined {
  return view.state.messages.get(keyOf(id, rootId)) ?? seededBy(view, id, rootId);
}

function rootIdAt({ conversation, state }: View, position: number): string {
  if (position < conversation.seededRoots) return seededId(conversation, { root: position });
  return state.roots[position - conversation.seededRoots] ?? '';
}

function rootsOf(view: View): Feed<MessageRecord> {
  const { conversation, state } = view;
  return {
    get size() {
      return conversation.seededRoots + state.roots.length;
    },
    at(position) {
      return find(view, rootIdAt(view, position));
    },
    log: state.log,
    current: (id) => find(view, id),
  };
}

function repliesTo(view: View, rootId: string): Positions<MessageRecord> {
  const { conversation, state } = view;
  const root = seededRoot(conversation, rootId);
  const seeded = root === undefined ? 0 : seededReplies(conversation, root);
  const later = state.replies.get(rootId) ?? [];
  return {
    size: seeded + later.length,
    at(position) {
      const isSeeded = position < seeded && root !== undefined;
      const id = isSeeded ? seededId(conversation, { root, reply: position }) : later[position - seeded];
      return id === undefined ? undefined : find(view, id, rootId);
    },
  };
}

function put(view: View, message: MessageRecord): void {
  const { state, tenant } = view;
  const key = keyOf(message.id, message.rootId);
  const stored = state.messages.get(key);
  const seeded = stored ? undefined : seededBy(view, message.id, message.rootId);
  if (!stored && !seeded) {
    const list = message.rootId === undefined ? state.roots : (state.replies.get(message.rootId) ?? []);
    if (message.rootId !== undefined) state.replies.set(message.rootId, list);
    list.push(message.id);
    state.taken.add(message.createdMs);
  }
  state.messages.set(key, message);
  noteChange(state.log, message.rootId ?? message.id);
  state.journal.push({ id: key, atMs: tenant.clock.nowMs(), before: stored ?? (seeded ? null : undefined) });
}

/** Opens a conversation for one request. */
export function openConversation(tenant: Tenant, conversation: Conversation): OpenConversation {
  const view: View = { tenant, conversation, state: conversationState(tenant, conversation.id) };
  return Object.freeze({
    ...view,
    find: (id: string, rootId?: string) => find(view, id, rootId),
    roots: rootsOf(view),
    rootIdAt: (position: number) => rootIdAt(view, position),
    repliesTo: (rootId: string) => repliesTo(view, rootId),
    put: (message: MessageRecord) => put(view, message),
    isFree: (ms: number) => !view.state.taken.has(ms) && seededRoot(conversation, String(ms)) === undefined,
    lastChangeMs(root: MessageRecord) {
      const replies = repliesTo(view, root.id);
      return Math.max(root.modifiedMs, replies.at(replies.size - 1)?.modifiedMs ?? 0);
    },
    seeded: (id: string, rootId?: string) => seededBy(view, id, rootId),
  });
}
