import { createHash } from 'node:crypto';
import { hashEnd, hashNumber, hashOn, hashText } from '../values/seeded.ts';
import { base64Url, putBase64 } from './put-base64.ts';

/**
 * Ids of things in a mailbox, as Exchange has them: base64 of a mark of the mailbox and a few numbers, so that an id
 * leads back to its item without an index. A wrong one is recognised by its check word.
 */
export interface ItemId {
  /** Kind of thing and form of id, 0 to 255. */
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  /** The folder of a message for ids that change with it; else 0. */
  readonly folder: number;
}

const PREFIX_BYTES = 36;
const SUFFIX_BYTES = 18;

/** What all ids of one form begin with in a mailbox. */
export interface IdPrefix {
  /** 48 signs. */
  readonly text: string;
  /** Where the check words of these ids start. */
  readonly start: number;
}

const known = new Map<string, IdPrefix>();
const KNOWN = 8000;

/** What the ids of a mailbox begin with, kept for the next one. `head` gives the first signs, `AAMk` or `AAkA`. */
export function idPrefix(mailboxId: string, head: string): IdPrefix {
  const name = head + mailboxId;
  let prefix = known.get(name);
  if (!prefix) {
    prefix = makePrefix(mailboxId, head);
    if (known.size >= KNOWN) known.clear();
    known.set(name, prefix);
  }
  return prefix;
}

function makePrefix(mailboxId: string, head: string): IdPrefix {
  const mark = createHash('sha512').update(mailboxId).digest();
  const bytes = Buffer.concat([Buffer.from(head, 'base64'), mark]).subarray(0, PREFIX_BYTES);
  const text = bytes.toString('base64url');
  return { text, start: hashText(text) };
}

const scratch = Buffer.alloc(SUFFIX_BYTES);

function check(prefix: IdPrefix, { kind, a, b, folder }: ItemId): number {
  const begun = hashOn(hashNumber(hashOn(hashNumber(prefix.start, kind), '.'), a), '.');
  return hashEnd(hashNumber(hashOn(hashNumber(begun, b), '.'), folder));
}

/** An id of `prefix` and 24 signs more. */
export function writeItemId(prefix: IdPrefix, id: ItemId): string {
  scratch.writeUInt8(id.kind, 0);
  scratch.writeUInt32BE(id.a, 1);
  scratch.writeUInt32BE(id.b, 5);
  scratch.writeUInt32BE(id.folder, 9);
  scratch.writeUInt32BE(check(prefix, id), 13);
  scratch.writeUInt8(0, 17);
  return prefix.text + scratch.toString('base64url');
}

/** Ids that differ in `b` alone. */
export interface IdSeries {
  /** Where in an id it differs from its neighbours. */
  readonly offset: number;
  /** Writes that part of the id for `b`, up to 2 ** 24. */
  put(out: Uint8Array, at: number, b: number): void;
}

/** The bytes that an id has from its eighth on: what is before is the same in the whole series. */
export function idSeries(prefix: IdPrefix, { kind, a, folder }: Omit<ItemId, 'b'>): IdSeries {
  const begun = hashOn(hashNumber(hashOn(hashNumber(prefix.start, kind), '.'), a), '.');
  return {
    offset: prefix.text.length + 8,
    put(out, at, b) {
      const word = hashEnd(hashNumber(hashOn(hashNumber(begun, b), '.'), folder));
      putBase64(out, at, b, base64Url);
      putBase64(out, at + 4, folder >>> 8, base64Url);
      putBase64(out, at + 8, ((folder & 0xff) << 16) | (word >>> 16), base64Url);
      putBase64(out, at + 12, (word & 0xffff) << 8, base64Url);
    },
  };
}

/** Reads what `writeItemId` made with the same prefix; `undefined` for anything else. */
export function readItemId(prefix: IdPrefix, text: string): ItemId | undefined {
  if (!text.startsWith(prefix.text)) return undefined;
  const bytes = Buffer.from(text.slice(prefix.text.length), 'base64url');
  if (bytes.byteLength !== SUFFIX_BYTES) return undefined;
  const id = { kind: bytes.readUInt8(0), a: bytes.readUInt32BE(1), b: bytes.readUInt32BE(5), folder: bytes.readUInt32BE(9) };
  return bytes.readUInt32BE(13) === check(prefix, id) ? id : undefined;
}
