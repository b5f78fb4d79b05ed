import type { Person } from '../state/directory.ts';
import type { JsonObject } from '../values/json.ts';
import { type ChangeLog, createChangeLog, type Journal } from '../state/change-log.ts';
import type { ReceivedBytes } from '../state/received.ts';
import type { Tenant } from '../state/tenant.ts';
import { plannedFolders } from './mailbox-plan.ts';

/** A folder as it is now; plain data. */
export interface FolderRecord {
  readonly number: number;
  readonly displayName: string;
  readonly parent: number;
  readonly wellKnownName: string | undefined;
  readonly isHidden: boolean;
  /** Generated messages: positions 0 to this number. */
  readonly generated: number;
}

/** Where the words of a message come from. */
export type MessageContent =
  | { readonly from: 'seed'; readonly folder: number; readonly index: number }
  | { readonly from: 'mime'; readonly mime: ReceivedBytes }
  | { readonly from: 'file'; readonly path: string; readonly start: number; readonly sizeBytes: number }
  | JsonContent;

/** A message that came as JSON. The words of its body lie beside it. */
export interface JsonContent {
  readonly from: 'json';
  readonly message: JsonObject;
  readonly text: ReceivedBytes;
  readonly attachments: readonly StoredAttachment[];
}

export interface StoredAttachment {
  readonly kind: 'file' | 'item' | 'reference';
  readonly name: string;
  readonly contentType: string;
  readonly isInline: boolean;
  readonly contentId: string | null;
  readonly bytes: ReceivedBytes;
  readonly details?: JsonObject;
}

export interface ExtendedProperty {
  readonly id: string;
  readonly value: string;
}

/** A message that is no longer, or never was, as generated; plain data, replaced as a whole. */
export interface MessageRecord {
  readonly key: string;
  readonly folder: number;
  /** Place among the arrivals of its folder; -1 at the place where it was generated. */
  readonly arrival: number;
  /** Counts every change: change key and etag. */
  readonly version: number;
  /** Counts changes of content: MIME is stable for each. */
  readonly contentVersion: number;
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly receivedMs: number;
  readonly sentMs: number;
  readonly isRead: boolean;
  readonly isDraft: boolean;
  readonly flag: JsonObject;
  readonly categories: readonly string[];
  readonly importance: string;
  readonly inference: string;
  readonly content: MessageContent;
  readonly extended: readonly ExtendedProperty[];
}

/** Differences to the generated counts of a folder. */
export interface FolderCounts {
  total: number;
  unread: number;
}

export interface MailboxState {
  readonly folders: Map<number, FolderRecord>;
  readonly folderOrder: number[];
  readonly folderLog: ChangeLog;
  /** `null`: gone for good. What is not here is as generated. */
  readonly items: Map<string, MessageRecord | null>;
  readonly arrivals: Map<number, string[]>;
  readonly logs: Map<number, ChangeLog>;
  readonly counts: Map<number, FolderCounts>;
  readonly journal: Journal<MessageRecord | null>;
  /** Next number of a folder and of a message. */
  nextFolder: number;
  nextItem: number;
}

function createState(tenant: Tenant, person: Person): MailboxState {
  const planned = plannedFolders(tenant, person);
  return {
    folders: new Map(planned.map(({ messages, ...folder }) => [folder.number, { ...folder, generated: messages }])),
    folderOrder: planned.map((folder) => folder.number),
    folderLog: createChangeLog(),
    items: new Map(),
    arrivals: new Map(),
    logs: new Map(),
    counts: new Map(),
    journal: [],
    nextFolder: 100,
    nextItem: 1,
  };
}

/** The state of a mailbox, made from the plan when it is touched for the first time. */
export function mailboxState(tenant: Tenant, person: Person): MailboxState {
  return tenant.store.state(`mail/${person.id}`, () => createState(tenant, person));
}

/** The log of one folder. */
export function logOf(state: MailboxState, folder: number): ChangeLog {
  let log = state.logs.get(folder);
  if (!log) {
    log = createChangeLog();
    state.logs.set(folder, log);
  }
  return log;
}

/** The keys that came into a folder, in order of arrival. */
export function arrivalsOf(state: MailboxState, folder: number): string[] {
  let arrivals = state.arrivals.get(folder);
  if (!arrivals) {
    arrivals = [];
    state.arrivals.set(folder, arrivals);
  }
  return arrivals;
}

export function countsOf(state: MailboxState, folder: number): FolderCounts {
  let counts = state.counts.get(folder);
  if (!counts) {
    counts = { total: 0, unread: 0 };
    state.counts.set(folder, counts);
  }
  return counts;
}
