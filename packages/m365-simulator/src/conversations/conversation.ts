import type { Language } from '../state/directory.ts';
import { type ChangeLog, createChangeLog, type Journal } from '../state/change-log.ts';
import type { Tenant } from '../state/tenant.ts';
import type { MessageRecord } from './message-record.ts';

/** A channel or a chat, as far as its messages go. */
export interface Conversation {
  readonly id: string;
  readonly kind: 'channel' | 'chat';
  readonly teamId?: string;
  /** Drive whose files are attached to posts; in chats that of the sender. */
  readonly driveId?: string;
  /** Root messages that the seed gives it, between these times. */
  readonly seededRoots: number;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Who writes in the seed, by user id. */
  readonly writers: readonly string[];
  readonly language: Language;
  /** One thread of the seed has more replies than a page can carry. */
  readonly hasLongThread: boolean;
  /** One post of the seed names a bank account. */
  readonly hasAccountNumber: boolean;
}

/** What was written and changed in a conversation since the seed. */
export interface ConversationState {
  /** By `keyOf`. */
  readonly messages: Map<string, MessageRecord>;
  /** Created roots, in order of arrival. */
  readonly roots: string[];
  /** Created replies by root. */
  readonly replies: Map<string, string[]>;
  /** Times that are taken by what was created: two posts never share a millisecond. */
  readonly taken: Set<number>;
  /** Ids of roots: a reply or a reaction moves its root. */
  readonly log: ChangeLog;
  readonly journal: Journal<MessageRecord>;
  /** Delta calls so far, for the flake. */
  deltaCalls: number;
  /** Time of the last root that was imported in the migration under way. */
  lastImportedMs: number;
}

/** A name for a message that is unique in its conversation. */
export function keyOf(id: string, rootId: string | undefined): string {
  return rootId === undefined ? id : `${rootId}/${id}`;
}

export function conversationState(tenant: Tenant, conversationId: string): ConversationState {
  return tenant.store.state<ConversationState>(`conversation/${conversationId}`, () => ({
    messages: new Map(),
    roots: [],
    replies: new Map(),
    taken: new Set(),
    log: createChangeLog(),
    journal: [],
    deltaCalls: 0,
    lastImportedMs: 0,
  }));
}
