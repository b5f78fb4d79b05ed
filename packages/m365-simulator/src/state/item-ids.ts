import { createHash } from 'node:crypto';
import { hashText } from '../content/seeded.ts';

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

/** What all ids of a mailbox begin with: 48 signs. `head` gives the first ones, `AAMk` or `AAkA`. */
export function idPrefix(mailboxId: string, head: string): string {
  const mark = createHash('sha512').update(mailboxId).digest();
  const bytes = Buffer.concat([Buffer.from(head, 'base64'), mark]).subarray(0, PREFIX_BYTES);
  return bytes.toString('base64url');
}

const scratch = Buffer.alloc(SUFFIX_BYTES);

function check(prefix: string, id: ItemId): number {
  return hashText(`${id.kind}.${id.a}.${id.b}.${id.folder}`, hashText(prefix));
}

/** An id of `prefix` (48 signs) and 24 more. */
export function writeItemId(prefix: string, id: ItemId): string {
  scratch.writeUInt8(id.kind, 0);
  scratch.writeUInt32BE(id.a, 1);
  scratch.writeUInt32BE(id.b, 5);
  scratch.writeUInt32BE(id.folder, 9);
  scratch.writeUInt32BE(check(prefix, id), 13);
  scratch.writeUInt8(0, 17);
  return prefix + scratch.toString('base64url');
}

/** Reads what `writeItemId` made with the same prefix; `undefined` for anything else. */
export function readItemId(prefix: string, text: string): ItemId | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
  if (bytes.byteLength !== SUFFIX_BYTES) return undefined;
  const id = { kind: bytes.readUInt8(0), a: bytes.readUInt32BE(1), b: bytes.readUInt32BE(5), folder: bytes.readUInt32BE(9) };
  return bytes.readUInt32BE(13) === check(prefix, id) ? id : undefined;
}
