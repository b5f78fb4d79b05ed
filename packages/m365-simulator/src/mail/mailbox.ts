import type { Person } from '../state/directory.ts';
import type { Feed } from '../state/feed.ts';
import { noteChange } from '../state/change-log.ts';
import type { Tenant } from '../state/tenant.ts';
import { folderSeed, newSketch, sketchMessage } from './folder-seed.ts';
import { generatedRecord } from './generated-record.ts';
import { arrivalsOf, countsOf, type FolderRecord, logOf, type MailboxState, mailboxState, type MessageRecord } from './mailbox-state.ts';
import { FIRST_CREATED } from './well-known-folders.ts';

/** The messages and folders of one mailbox: what was generated, under what has changed since. */
export interface MailboxStore {
  readonly tenant: Tenant;
  readonly person: Person;
  readonly state: MailboxState;
  folder(number: number): FolderRecord | undefined;
  /** The message as it is now, wherever it lies; `undefined` when there is none, or no longer. */
  message(key: string): MessageRecord | undefined;
  /** Positions and changes of one folder. */
  feed(folder: FolderRecord): Feed<MessageRecord>;
  counts(folder: FolderRecord): { readonly total: number; readonly unread: number };
  /** Puts a new message into a folder, at its end. */
  add(message: Omit<MessageRecord, 'key' | 'arrival' | 'version' | 'contentVersion'>): MessageRecord;
  /** Replaces a message: counts its version up, moves it when its folder is another one. */
  put(message: MessageRecord, change: { readonly isContent: boolean }): MessageRecord;
  /** Takes a message out for good. */
  remove(message: MessageRecord): void;
  addFolder(folder: Pick<FolderRecord, 'displayName' | 'parent' | 'isHidden'>): FolderRecord;
  putFolder(folder: FolderRecord): void;
  removeFolder(number: number): void;
}

/** How many generated messages of a folder are unread is counted once and kept. */
const unreadCounts = new WeakMap<Tenant, Map<string, number>>();

function generatedUnread(tenant: Tenant, person: Person, folder: FolderRecord): number {
  const known = unreadCounts.get(tenant) ?? new Map<string, number>();
  unreadCounts.set(tenant, known);
  const name = `${person.id}/${folder.number}`;
  const found = known.get(name);
  if (found !== undefined) return found;
  const seed = folderSeed(tenant, person, folder);
  const sketch = newSketch();
  let unread = 0;
  for (let index = 0; index < folder.generated; index += 1) {
    sketchMessage(seed, index, sketch);
    if (!sketch.isRead) unread += 1;
  }
  known.set(name, unread);
  return unread;
}

function readKey(state: MailboxState, key: string): { readonly folder: FolderRecord; readonly index: number } | undefined {
  if (!key.startsWith('g')) return undefined;
  const dot = key.indexOf('.');
  const folder = state.folders.get(Number(key.slice(1, dot)));
  const index = Number(key.slice(dot + 1));
  return folder && index < folder.generated ? { folder, index } : undefined;
}

function currentMessage(tenant: Tenant, person: Person, state: MailboxState, key: string): MessageRecord | undefined {
  const changed = state.items.get(key);
  if (changed !== undefined) return changed ?? undefined;
  const place = readKey(state, key);
  return place && generatedRecord(folderSeed(tenant, person, place.folder), place.index);
}

function feedOf(tenant: Tenant, person: Person, state: MailboxState, folder: FolderRecord): Feed<MessageRecord> {
  const { number, generated } = folder;
  const arrivals = state.arrivals.get(number) ?? [];
  const isUntouched = state.items.size === 0;
  const seed = folderSeed(tenant, person, folder);
  return {
    size: generated + arrivals.length,
    log: logOf(state, number),
    at(position) {
      if (position < generated) {
        const changed = isUntouched ? undefined : state.items.get(`g${number}.${position}`);
        if (changed === undefined) return generatedRecord(seed, position);
        return changed !== null && changed.folder === number && changed.arrival === -1 ? changed : undefined;
      }
      const message = state.items.get(arrivals[position - generated] ?? '');
      return message && message.folder === number && message.arrival === position - generated ? message : undefined;
    },
    current(key) {
      const message = currentMessage(tenant, person, state, key);
      return message?.folder === number ? message : undefined;
    },
  };
}

function countChange(state: MailboxState, message: MessageRecord, sign: 1 | -1): void {
  const counts = countsOf(state, message.folder);
  counts.total += sign;
  if (!message.isRead) counts.unread += sign;
}

function arrive(state: MailboxState, folder: number, key: string): number {
  return arrivalsOf(state, folder).push(key) - 1;
}

/** Writes down what a message was before, for the ground truth. */
function journal(tenant: Tenant, state: MailboxState, key: string, existed: boolean): void {
  const before = existed ? state.items.get(key) : undefined;
  state.journal.push({ id: key, atMs: tenant.clock.nowMs(), before: existed ? (before ?? null) : undefined });
}

function putMessage(tenant: Tenant, person: Person, message: MessageRecord, isContent: boolean): MessageRecord {
  const state = mailboxState(tenant, person);
  const before = currentMessage(tenant, person, state, message.key);
  if (!before) throw new Error(`Message ${message.key} is gone.`);
  journal(tenant, state, message.key, true);
  const hasMoved = before.folder !== message.folder;
  const after: MessageRecord = {
    ...message,
    arrival: hasMoved ? arrive(state, message.folder, message.key) : before.arrival,
    version: before.version + 1,
    contentVersion: before.contentVersion + (isContent ? 1 : 0),
    modifiedMs: tenant.clock.nowMs(),
  };
  countChange(state, before, -1);
  countChange(state, after, 1);
  state.items.set(message.key, after);
  if (hasMoved) noteChange(logOf(state, before.folder), message.key);
  noteChange(logOf(state, after.folder), message.key);
  return after;
}

/** Opens the mailbox of a person. Cheap; holds nothing of its own. */
export function openMailbox(tenant: Tenant, person: Person): MailboxStore {
  const state = mailboxState(tenant, person);
  return {
    tenant,
    person,
    state,
    folder: (number) => state.folders.get(number),
    message: (key) => currentMessage(tenant, person, state, key),
    feed: (folder) => feedOf(tenant, person, state, folder),
    counts(folder) {
      const changed = state.counts.get(folder.number);
      return { total: folder.generated + (changed?.total ?? 0), unread: generatedUnread(tenant, person, folder) + (changed?.unread ?? 0) };
    },
    add(message) {
      const key = `n${state.nextItem}`;
      state.nextItem += 1;
      journal(tenant, state, key, false);
      const made: MessageRecord = { ...message, key, arrival: arrive(state, message.folder, key), version: 0, contentVersion: 0 };
      state.items.set(key, made);
      countChange(state, made, 1);
      noteChange(logOf(state, made.folder), key);
      return made;
    },
    put: (message, change) => putMessage(tenant, person, message, change.isContent),
    remove(message) {
      journal(tenant, state, message.key, true);
      countChange(state, message, -1);
      state.items.set(message.key, null);
      noteChange(logOf(state, message.folder), message.key);
    },
    addFolder(folder) {
      const number = Math.max(FIRST_CREATED, state.nextFolder);
      state.nextFolder = number + 1;
      const made: FolderRecord = { ...folder, number, wellKnownName: undefined, generated: 0 };
      state.folders.set(number, made);
      state.folderOrder.push(number);
      noteChange(state.folderLog, String(number));
      return made;
    },
    putFolder(folder) {
      state.folders.set(folder.number, folder);
      noteChange(state.folderLog, String(folder.number));
    },
    removeFolder(number) {
      state.folders.delete(number);
      noteChange(state.folderLog, String(number));
    },
  };
}
