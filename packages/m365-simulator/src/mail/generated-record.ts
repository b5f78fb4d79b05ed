import type { GeneratedMessage } from '../content/generated-message.ts';
import { threadOf } from '../content/threads.ts';
import type { Person } from '../state/directory.ts';
import type { Tenant } from '../state/tenant.ts';
import {
  CATEGORIES,
  type FolderSeed,
  folderSeed,
  newSketch,
  oddityOf,
  receivedMs,
  TRANSIT_MS,
  sketchMessage,
  turnOf,
} from './folder-seed.ts';
import { generatedMembers } from './mailbox-plan.ts';
import type { FolderRecord, MessageRecord } from './mailbox-state.ts';

const NOT_FLAGGED = Object.freeze({ flagStatus: 'notFlagged' });
const FLAGGED = Object.freeze({ flagStatus: 'flagged' });
const NO_CATEGORIES: readonly string[] = [];

/** A generated message, as far as lists and deltas need it. */
export function generatedRecord(seed: FolderSeed, index: number): MessageRecord {
  const { number } = seed.folder;
  const sketch = newSketch();
  sketchMessage(seed, index, sketch);
  const category = CATEGORIES[sketch.category - 1];
  return {
    key: `g${number}.${index}`,
    folder: number,
    arrival: -1,
    version: 0,
    contentVersion: 0,
    createdMs: sketch.receivedMs,
    modifiedMs: sketch.modifiedMs,
    receivedMs: sketch.receivedMs,
    sentMs: sketch.sentMs,
    isRead: sketch.isRead,
    isDraft: seed.isDraft,
    flag: sketch.isFlagged ? FLAGGED : NOT_FLAGGED,
    categories: category === undefined ? NO_CATEGORIES : [category],
    importance: sketch.isImportant ? 'high' : 'normal',
    inference: sketch.isFocused ? 'focused' : 'other',
    content: { from: 'seed', folder: number, index },
    extended: [],
  };
}

/** Where the words of a generated message come from: its conversation, and its turn in it. */
export function generatedSource(tenant: Tenant, person: Person, folder: FolderRecord, index: number): GeneratedMessage {
  const seed = folderSeed(tenant, person, folder);
  const turn = turnOf(seed, index);
  const received = receivedMs(seed, index);
  return {
    tenant,
    thread: threadOf(tenant, turn.thread, generatedMembers(tenant)),
    turn,
    owner: `${person.id}/${folder.number}`,
    index,
    recipient: person.mail,
    sentMs: received - TRANSIT_MS,
    receivedMs: received,
    oddity: oddityOf(seed, index),
  };
}
