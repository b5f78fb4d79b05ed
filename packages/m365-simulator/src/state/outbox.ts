import type { Store } from './store.ts';

/** What the service would have sent to people. A backup or a restore must leave this empty. */
export type SideEffect =
  | 'invitation'
  | 'update'
  | 'cancellation'
  | 'response'
  | 'sharingMail'
  | 'readReceipt'
  | 'automaticReply'
  | 'teamsNotification'
  | 'sentMail';

export interface Sent {
  readonly kind: SideEffect;
  readonly recipient: string;
  /** The request or object that caused it: `POST /users/…/events`, a file name. */
  readonly cause: string;
  readonly atMs: number;
}

export interface Outbox {
  add(sent: Omit<Sent, 'atMs'>): void;
  list(): readonly Sent[];
  clear(): void;
}

export function createOutbox(store: Store, nowMs: () => number): Outbox {
  const state = (): { sent: Sent[] } => store.state('outbox', () => ({ sent: [] }));
  return Object.freeze({
    add(sent: Omit<Sent, 'atMs'>) {
      state().sent.push({ ...sent, atMs: nowMs() });
    },
    list: () => state().sent,
    clear() {
      state().sent.length = 0;
    },
  });
}
