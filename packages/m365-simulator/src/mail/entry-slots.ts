import { HASH_START, hashEnd, hashNumber, hashOn } from '../values/seeded.ts';
import { threadHashes, threadOf, turnHash } from '../content/threads.ts';
import { base64, putBase64 } from '../state/put-base64.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Person } from '../state/directory.ts';
import { type FolderSeed, type MessageSketch, newSketch, oddityOf, sketchMessage, threadNumber, turnNumber } from './folder-seed.ts';
import { mailIds } from './mail-ids.ts';
import { generatedMembers } from './mailbox-plan.ts';
import { putOutlookTime } from './render-message.ts';

/** The folder whose messages are written, and the form of their ids. */
export interface EntryPlace {
  readonly tenant: Tenant;
  readonly person: Person;
  readonly seed: FolderSeed;
  readonly isImmutable: boolean;
}

/** The message that is being written: its numbers, and what its entry looks like. */
export interface EntryCursor {
  index: number;
  readonly sketch: MessageSketch;
  thread: number;
  threadDigits: number;
  hasAttachments: boolean;
  /** What its change key and etag hold. */
  changeHash: number;
}

/** A value of the same length in all entries of one look: where it begins in its JSON, and who writes it. */
export interface Slot {
  readonly offset: number;
  readonly put: (out: Uint8Array, at: number) => void;
}

const HEX = Buffer.from('0123456789ABCDEF');
const DIGIT = 0x30;

function putHex(out: Uint8Array, at: number, value: number): void {
  for (let place = 0; place < 8; place += 1) out[at + place] = HEX[(value >>> (28 - place * 4)) & 15] ?? 0;
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
  return digits;
}

function putNumber(out: Uint8Array, end: number, value: number): void {
  let at = end - 1;
  for (let rest = value; at >= 0; rest = Math.floor(rest / 10)) {
    out[at] = DIGIT + (rest % 10);
    at -= 1;
    if (rest < 10) return;
  }
}

/** Moves the cursor to message `index`. Neighbours share a conversation, which is looked up once. */
export function createCursor(tenant: Tenant, seed: FolderSeed): { readonly cursor: EntryCursor; readonly move: (index: number) => void } {
  const members = generatedMembers(tenant);
  const cursor = { index: 0, sketch: newSketch(), thread: -1, threadDigits: 1, hasAttachments: false, changeHash: 0 };
  const changeKeys = hashOn(HASH_START, `g${seed.folder.number}.`);
  let startsWithAttachment = false;
  return {
    cursor,
    move(index) {
      const thread = threadNumber(seed, index);
      if (thread !== cursor.thread) {
        startsWithAttachment = threadOf(tenant, thread, members).startsWithAttachment;
        cursor.threadDigits = digitsOf(thread);
      }
      const oddity = oddityOf(seed, index);
      sketchMessage(seed, index, cursor.sketch);
      cursor.index = index;
      cursor.thread = thread;
      cursor.changeHash = hashEnd(hashNumber(changeKeys, index));
      cursor.hasAttachments = oddity === 'tnef' || oddity === 'nested' || (startsWithAttachment && turnNumber(index) === 0);
    },
  };
}

/**
 * The properties that decide which look an entry has, each with a number for its value: entries with the same numbers
 * differ in their slots alone. The factor is how many values it has.
 */
export const looks: Readonly<Record<string, { readonly values: number; of(cursor: EntryCursor): number }>> = {
  isRead: { values: 2, of: ({ sketch }) => Number(sketch.isRead) },
  flag: { values: 2, of: ({ sketch }) => Number(sketch.isFlagged) },
  categories: { values: 5, of: ({ sketch }) => sketch.category },
  importance: { values: 2, of: ({ sketch }) => Number(sketch.isImportant) },
  inferenceClassification: { values: 2, of: ({ sketch }) => Number(sketch.isFocused) },
  hasAttachments: { values: 2, of: ({ hasAttachments }) => Number(hasAttachments) },
  internetMessageId: { values: 10, of: ({ threadDigits }) => threadDigits },
};

/** Properties that are the same for all generated messages of a folder. */
export const sameForAll: ReadonlySet<string> = new Set([
  'parentFolderId',
  'isDraft',
  'isDeliveryReceiptRequested',
  'isReadReceiptRequested',
]);

function timeSlot(cursor: EntryCursor, time: (sketch: MessageSketch) => number): Slot {
  return { offset: 1, put: (out, at) => putOutlookTime(out, at, time(cursor.sketch)) };
}

/** After its first eight signs, which are the same for all messages, a change key holds a hash of this one. */
function changeKeySlot(cursor: EntryCursor, offset: number): Slot {
  return {
    offset: offset + 8,
    put(out, at) {
      putBase64(out, at, cursor.changeHash >>> 8, base64);
      putBase64(out, at + 4, (cursor.changeHash & 0xff) << 16, base64);
    },
  };
}

function messageIdSlot(cursor: EntryCursor, { writerId }: FolderSeed, tenant: Tenant): Slot {
  let thread = -1;
  let hashes: readonly [number, number] = [0, 0];
  return {
    offset: '"<'.length,
    put(out, at) {
      if (thread !== cursor.thread) {
        thread = cursor.thread;
        hashes = threadHashes(tenant, thread);
      }
      const turn = turnNumber(cursor.index);
      putHex(out, at, turnHash(hashes[0], turn, writerId));
      putHex(out, at + 8, turnHash(hashes[1], turn, writerId));
      const end = at + 17 + cursor.threadDigits;
      putNumber(out, end, thread);
      out[end + 1] = DIGIT + turn;
    },
  };
}

/** The JSON of what is the same for all messages of a folder, or nearly, and another in other mailboxes; by property. */
export function stampsOf({ person, seed, isImmutable }: EntryPlace): Record<string, Uint8Array> {
  const ids = mailIds(person.id);
  const { number } = seed.folder;
  return {
    id: Buffer.from(JSON.stringify(ids.message(`g${number}.0`, number, isImmutable))),
    parentFolderId: Buffer.from(JSON.stringify(ids.folder(number))),
  };
}

/** The slots of an entry, by property. */
export function slotsOf({ tenant, person, seed, isImmutable }: EntryPlace, cursor: EntryCursor): Record<string, Slot> {
  const ids = mailIds(person.id).generated(seed.folder.number, isImmutable);
  return {
    '@odata.etag': changeKeySlot(cursor, '"W/\\"'.length),
    id: { offset: '"'.length + ids.offset, put: (out, at) => ids.put(out, at, cursor.index) },
    changeKey: changeKeySlot(cursor, '"'.length),
    createdDateTime: timeSlot(cursor, (sketch) => sketch.receivedMs),
    lastModifiedDateTime: timeSlot(cursor, (sketch) => sketch.modifiedMs),
    receivedDateTime: timeSlot(cursor, (sketch) => sketch.receivedMs),
    sentDateTime: timeSlot(cursor, (sketch) => sketch.sentMs),
    internetMessageId: messageIdSlot(cursor, seed, tenant),
  };
}
