import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { EventRecord } from '../calendar/calendar-state.ts';
import type { ContactRecord } from '../contacts/contact-state.ts';
import { fail } from '../http/failure.ts';
import type { MessageRecord } from '../mail/mailbox-state.ts';
import type { TaskRecord } from '../todo/todo-state.ts';
import { joinMime, type MimeValue, splitMime } from './mime-values.ts';

/** What an exported stream holds: an item with everything that belongs to it, so that any tenant can take it in. */
export type ExportedItem =
  | { readonly kind: 'message'; readonly record: MessageRecord; readonly mime: Buffer; readonly json: CarriedJson | undefined }
  | { readonly kind: 'event'; readonly record: EventRecord; readonly attachments: readonly Buffer[] }
  | { readonly kind: 'contact'; readonly record: ContactRecord; readonly photo: Buffer | undefined }
  | { readonly kind: 'task'; readonly record: TaskRecord; readonly attachments: readonly Buffer[] };

/** The received bytes of a message that came as JSON: the words of its body, and its attachments in their order. */
export interface CarriedJson {
  readonly text: Buffer;
  readonly attachments: readonly Buffer[];
}

/** The item without its large values, which follow as they are. */
interface Head {
  readonly item: unknown;
  readonly lines: readonly MimeValue['lines'][];
  readonly hasPhoto: boolean;
  readonly hasJson: boolean;
}

const BEGINNING = Buffer.from([1, 0, 0, 0, 8, 0, 0, 0]);
const VERSION_BYTES = 8;
const SEAL_BYTES = 16;

function valuesOf(item: ExportedItem): { readonly head: Head; readonly values: readonly Buffer[] } {
  const none = { lines: [], hasPhoto: false, hasJson: false };
  if (item.kind === 'message') {
    const { mime, json, ...rest } = item;
    const parts = json ? [] : splitMime(mime);
    const values = json ? [json.text, ...json.attachments] : parts.map(({ bytes }) => bytes);
    return { head: { ...none, item: rest, lines: parts.map(({ lines }) => lines), hasJson: json !== undefined }, values };
  }
  if (item.kind === 'contact') {
    const { photo, ...rest } = item;
    return { head: { ...none, item: rest, hasPhoto: photo !== undefined }, values: photo ? [photo] : [] };
  }
  const { attachments, ...rest } = item;
  return { head: { ...none, item: rest }, values: attachments };
}

function itemOf({ item, lines, hasPhoto, hasJson }: Head, values: readonly Buffer[]): ExportedItem {
  const known = item as ExportedItem;
  if (known.kind === 'message') {
    const [text = Buffer.alloc(0), ...attachments] = values;
    if (hasJson) return { ...known, mime: Buffer.alloc(0), json: { text, attachments } };
    const parts = values.map((bytes, index): MimeValue => ({ bytes, ...(lines[index] ? { lines: lines[index] } : {}) }));
    return { ...known, mime: joinMime(parts), json: undefined };
  }
  if (known.kind === 'contact') return { ...known, photo: hasPhoto ? values[0] : undefined };
  return { ...known, attachments: values };
}

function sealOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, SEAL_BYTES);
}

/**
 * The stream of an item: values one behind the other, each as it is, after the mark of the Exchange that wrote it.
 * Opaque outside; the same item always gives the same bytes.
 */
export function writeExported(item: ExportedItem, exchangeVersion: number): string {
  const { head, values } = valuesOf(item);
  const version = Buffer.alloc(VERSION_BYTES);
  version.writeUInt32LE(exchangeVersion);
  const parts: Buffer[] = [BEGINNING, version];
  for (const value of [serialize(head), ...values]) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(value.byteLength);
    parts.push(length, value);
  }
  const stream = Buffer.concat(parts);
  return Buffer.concat([stream, sealOf(stream)]).toString('base64');
}

function corrupt(message: string): Error {
  return fail(400, 'ErrorCorruptData', message);
}

function readValues(stream: Buffer): Buffer[] {
  const values: Buffer[] = [];
  for (let at = BEGINNING.byteLength + VERSION_BYTES; at < stream.byteLength;) {
    const length = stream.readUInt32LE(at);
    values.push(stream.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return values;
}

/** Reads a stream; one that another Exchange wrote, or that differs in a single bit from what was exported, is refused. */
export function readExported(data: string, exchangeVersion: number): ExportedItem {
  const bytes = Buffer.from(data, 'base64');
  if (!bytes.subarray(0, BEGINNING.byteLength).equals(BEGINNING) || bytes.byteLength < BEGINNING.byteLength + VERSION_BYTES + SEAL_BYTES)
    throw corrupt('The data is not an exported item.');
  const stream = bytes.subarray(0, bytes.byteLength - SEAL_BYTES);
  if (!sealOf(stream).equals(bytes.subarray(stream.byteLength))) throw corrupt('The data of the exported item is damaged.');
  if (stream.readUInt32LE(BEGINNING.byteLength) !== exchangeVersion) throw corrupt('The data was exported from another version.');
  const [head = Buffer.alloc(0), ...values] = readValues(stream);
  return itemOf(deserialize(head) as Head, values);
}
