import type { Bytes } from '@holdfast/foundation/streams';
import type { VaultReader } from '@holdfast/vault';
import type { ItemVersion, Json, JsonObject } from '../ports/item.ts';
import { CALENDAR_END, CALENDAR_START, createCalendarWriter } from './calendar-text.ts';
import { contactCard } from './contact-card.ts';
import { safeName } from './safe-name.ts';

const ENDINGS: Readonly<Partial<Record<ItemVersion['kind'], string>>> = { event: 'ics', contact: 'vcf' };
const MEDIA: Readonly<Record<string, string>> = {
  ics: 'text/calendar',
  vcf: 'text/vcard',
  json: 'application/json',
  eml: 'message/rfc822',
};
const JSON_LIMIT = 64 * 1024 * 1024;

/** What an item is stored as besides its bytes: the service's own JSON, or the properties when there is none. */
export async function storedJson(reader: VaultReader, item: ItemVersion): Promise<JsonObject> {
  const stored =
    item.contents.find((content) => content.role === 'export') ??
    (item.kind === 'message' ? item.contents.find((content) => content.role === 'part') : undefined);
  if (!stored) return item.properties;
  return JSON.parse((await reader.readAll(stored.ref, JSON_LIMIT)).toString('utf8')) as JsonObject;
}

/** The same with what the item of a list was before: nothing else gives its earlier versions out. */
async function jsonWithVersions(reader: VaultReader, item: ItemVersion): Promise<JsonObject> {
  const json = await storedJson(reader, item);
  const stored = item.kind === 'listItem' ? item.contents.find((content) => content.role === 'version') : undefined;
  if (!stored) return json;
  return { ...json, versions: JSON.parse((await reader.readAll(stored.ref, JSON_LIMIT)).toString('utf8')) as readonly Json[] };
}

async function photoOf(reader: VaultReader, item: ItemVersion): Promise<Uint8Array | undefined> {
  const photo = item.contents.find((content) => content.role === 'photo');
  return photo && reader.readAll(photo.ref, JSON_LIMIT);
}

async function* text(make: () => Promise<string>): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(await make());
}

function stampOf(item: ItemVersion): string {
  return (item.modifiedAt ?? item.createdAt ?? '').slice(0, 16).replaceAll(':', '.').replace('T', ' ');
}

/** The stored bytes that are the item itself, when it is kept as bytes: a message's MIME, a file. */
export function wholeOf(item: ItemVersion): ItemVersion['contents'][number] | undefined {
  return item.contents.find((content) => content.role === 'mime' || content.role === 'file');
}

/** A message, or the report that brought one: both are mails, kept as their bytes. */
const isMail = ({ kind }: ItemVersion): boolean => kind === 'message' || kind === 'journalReport';

function endingOf(item: ItemVersion): string {
  if (isMail(item)) return wholeOf(item) ? 'eml' : 'json';
  return ENDINGS[item.kind] ?? 'json';
}

/** The name of an item as a file: what people call it, with the ending of its form. */
export function fileNameOf(item: ItemVersion): string {
  const ending = endingOf(item);
  if (item.kind === 'file') return safeName(item.name, 'file');
  if (isMail(item)) return safeName(`${stampOf(item)} ${item.name}.${ending}`.trim(), `message.${ending}`);
  return safeName(`${item.name === '' ? item.kind : item.name}.${ending}`, `item.${ending}`);
}

/** What a browser is told that the file of an item is. */
export function mediaTypeOf(item: ItemVersion): string {
  if (item.kind === 'file') return wholeOf(item)?.mediaType ?? 'application/octet-stream';
  return MEDIA[endingOf(item)] ?? 'application/octet-stream';
}

/** An item as a file: byte for byte where bytes are kept, else the form that other programs read. */
export function fileBytesOf(reader: VaultReader, item: ItemVersion, signal: AbortSignal): Bytes {
  const whole = wholeOf(item);
  if (whole) return reader.read(whole.ref, { signal });
  if (item.kind === 'event')
    return text(async () => `${CALENDAR_START}${createCalendarWriter()(await storedJson(reader, item), item.key)}${CALENDAR_END}`);
  if (item.kind === 'contact') return text(() => cardOf(reader, item));
  return text(async () => JSON.stringify(await jsonWithVersions(reader, item), null, 2));
}

/** A contact as a card, with its photo. */
export async function cardOf(reader: VaultReader, item: ItemVersion): Promise<string> {
  return contactCard(await storedJson(reader, item), await photoOf(reader, item));
}
