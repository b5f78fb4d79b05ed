import type { JsonObject } from '../values/json.ts';
import type { Tenant } from '../state/tenant.ts';
import { createCursor, type EntryCursor, type EntryPlace, looks, sameForAll, type Slot, slotsOf, stampsOf } from './entry-slots.ts';

/** What entries are written of: the untouched messages of one folder, as one request wants them. */
export interface EntrySource extends EntryPlace {
  readonly select: readonly string[];
  /** Any one of them as an object. */
  readonly render: (index: number) => JsonObject;
}

/** An entry in bytes, and where in it the value of each property begins. */
interface Look {
  readonly bytes: Uint8Array;
  readonly values: readonly (readonly [name: string, at: number])[];
}

/** The same for one folder, with what is written over for each message. */
interface FolderLook {
  readonly bytes: Uint8Array;
  readonly slots: readonly { readonly at: number; readonly put: Slot['put'] }[];
}

const SLOTTED = new Set(['id', 'changeKey', 'createdDateTime', 'lastModifiedDateTime', 'receivedDateTime', 'sentDateTime']);
const LARGEST_INDEX = 2 ** 24;
const COMMA = 0x2c;
/** Looks of the last few selections, by tenant. */
const known = new WeakMap<Tenant, Map<string, Map<number, Look>>>();
const KNOWN_SELECTIONS = 50;
/** Grows to the largest page and is used again: what was written is copied out before the next call. */
let out = Buffer.alloc(64 * 1024);

function createLook(entry: JsonObject): Look {
  const values: [string, number][] = [];
  let text = '{';
  for (const [name, value] of Object.entries(entry)) {
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`;
    values.push([name, Buffer.byteLength(text)]);
    text += JSON.stringify(value);
  }
  return { bytes: Buffer.from(`${text}}`), values };
}

function looksOf({ tenant, seed, select }: EntrySource): Map<number, Look> {
  const selections = known.get(tenant) ?? new Map<string, Map<number, Look>>();
  known.set(tenant, selections);
  const name = `${seed.isDraft} ${select.join(',')}`;
  const found = selections.get(name);
  if (found) return found;
  if (selections.size >= KNOWN_SELECTIONS) selections.clear();
  const made = new Map<number, Look>();
  selections.set(name, made);
  return made;
}

/** A look with the ids of one mailbox in it. */
function stamp(look: Look, stamps: Readonly<Record<string, Uint8Array>>, slots: Readonly<Record<string, Slot>>): FolderLook {
  const bytes = Buffer.from(look.bytes);
  const found: { at: number; put: Slot['put'] }[] = [];
  for (const [name, at] of look.values) {
    const text = stamps[name];
    if (text) bytes.set(text, at);
    const slot = slots[name];
    if (slot) found.push({ at: at + slot.offset, put: slot.put });
  }
  return { bytes, slots: found };
}

/** True when all that is selected can be written without an object for each message. */
export function canWrite(select: readonly string[] | undefined): select is readonly string[] {
  return select !== undefined && select.every((name) => name in looks || sameForAll.has(name) || SLOTTED.has(name));
}

/** Which look the message at the cursor has, as a number. */
function lookNumber(select: readonly string[]): (cursor: EntryCursor) => number {
  const deciding = select.map((name) => looks[name]).filter((look) => look !== undefined);
  return (cursor) => {
    let number = 0;
    for (const look of deciding) number = number * look.values + look.of(cursor);
    return number;
  };
}

function grow(size: number): void {
  const larger = Buffer.alloc(Math.max(size, out.byteLength * 2));
  larger.set(out);
  out = larger;
}

/**
 * The JSON of messages `from` to `to`, with commas between. The first entry of each look is made as any other is; those
 * after it are copies of its bytes, in which id, etag, times and the like are written over: a fraction of the time that
 * an object and its JSON take. The bytes are good until the next call.
 */
export function writeEntries(source: EntrySource, from: number, to: number): Uint8Array | undefined {
  if (to > LARGEST_INDEX) return undefined;
  const { cursor, move } = createCursor(source.tenant, source.seed);
  const shared = looksOf(source);
  const slots = slotsOf(source, cursor);
  const stamps = stampsOf(source);
  const numberOf = lookNumber(source.select);
  const own = new Map<number, FolderLook>();

  function lookOf(number: number, index: number): FolderLook {
    const look = shared.get(number) ?? createLook(source.render(index));
    shared.set(number, look);
    const stamped = stamp(look, stamps, slots);
    own.set(number, stamped);
    return stamped;
  }

  let at = 0;
  for (let index = from; index < to; index += 1) {
    move(index);
    const number = numberOf(cursor);
    const look = own.get(number) ?? lookOf(number, index);
    if (at + look.bytes.byteLength >= out.byteLength) grow(at + look.bytes.byteLength + 1);
    out.set(look.bytes, at);
    for (const slot of look.slots) slot.put(out, at + slot.at);
    at += look.bytes.byteLength;
    out[at] = COMMA;
    at += 1;
  }
  return out.subarray(0, Math.max(0, at - 1));
}
