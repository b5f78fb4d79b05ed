import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EventRecord } from '../calendar/calendar-state.ts';
import type { ContactRecord } from '../contacts/contact-state.ts';
import { badRequest } from '../http/failure.ts';
import type { MessageRecord } from '../mail/mailbox-state.ts';
import type { TaskRecord } from '../todo/todo-state.ts';

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

const MAGIC = Buffer.from('HFX1');

/** The stream of an item. Opaque outside; the same item always gives the same bytes. */
export function writeExported(item: ExportedItem): string {
  return Buffer.concat([MAGIC, deflateRawSync(serialize(item), { level: 6 })]).toString('base64');
}

/** Reads a stream; anything that is not one is refused. */
export function readExported(data: string): ExportedItem {
  const bytes = Buffer.from(data, 'base64');
  if (!bytes.subarray(0, MAGIC.byteLength).equals(MAGIC)) throw badRequest('outlook', 'The data is not an exported item.');
  try {
    return deserialize(inflateRawSync(bytes.subarray(MAGIC.byteLength))) as ExportedItem;
  } catch {
    throw badRequest('outlook', 'The data of the exported item is damaged.');
  }
}
