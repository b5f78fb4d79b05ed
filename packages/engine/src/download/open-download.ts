import type { Bytes } from '@holdfast/foundation/streams';
import type { Vault } from '@holdfast/vault';
import type { CatalogReader } from '../ports/catalog.ts';
import type { ItemVersion } from '../ports/item.ts';
import { pointOf } from '../restore/point.ts';
import { archiveEntries } from './archive.ts';
import { CALENDAR_END, CALENDAR_START, createCalendarWriter } from './calendar-text.ts';
import { cardOf, storedJson, wholeOf } from './item-file.ts';
import { mboxMessage, mboxOfMissing, type MessageState } from './mbox.ts';
import { safeName } from './safe-name.ts';
import { attempt, walked, type DownloadFormat, type DownloadRequest, type FailedItem, type Source } from './source.ts';
import { zipStream } from './zip-stream.ts';

/** A download that begins when `bytes` is read and holds one item at a time. */
export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Bytes;
  /** Filled while `bytes` is consumed; a zip has them in `errors.txt` as well. */
  readonly failed: readonly FailedItem[];
}

const MEDIA: Readonly<Record<DownloadFormat, string>> = {
  zip: 'application/zip',
  mbox: 'application/mbox',
  ics: 'text/calendar',
  vcf: 'text/vcard',
};

/** No message of the service is longer. */
const MESSAGE_LIMIT = 256 * 1024 * 1024;

function listOfText(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

async function* itemsOfKind(source: Source, kind: ItemVersion['kind']): AsyncGenerator<ItemVersion, void, undefined> {
  for await (const container of walked(source)) for await (const item of container.items()) if (item.kind === kind) yield item;
}

/** What a mailbox file can say of a message beside its text. */
function stateOf({ properties }: ItemVersion): MessageState {
  const { flagStatus } = (properties['flag'] ?? {}) as { readonly flagStatus?: string };
  return {
    isRead: properties['isRead'] === true,
    isFlagged: flagStatus === 'flagged',
    isDraft: properties['isDraft'] === true,
    categories: listOfText(properties['categories']),
  };
}

async function* mbox(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const item of itemsOfKind(source, 'message')) {
    const whole = wholeOf(item);
    if (!whole) {
      source.failed.push({ path: item.name, code: 'restore.no-content' });
      continue;
    }
    const bytes = await attempt(source, item.name, () => source.reader.readAll(whole.ref, MESSAGE_LIMIT));
    if (bytes) yield* mboxMessage(bytes, item.modifiedAt ?? item.createdAt, stateOf(item));
  }
  if (source.failed.length > 0) yield* mboxOfMissing(source.failed);
}

async function* calendar(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  const write = createCalendarWriter();
  yield Buffer.from(CALENDAR_START);
  for await (const item of itemsOfKind(source, 'event')) {
    const event = await attempt(source, item.name, async () => write(await storedJson(source.reader, item), item.key));
    if (event !== undefined) yield Buffer.from(event);
  }
  yield Buffer.from(CALENDAR_END);
}

async function* cards(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const item of itemsOfKind(source, 'contact')) {
    const card = await attempt(source, item.name, () => cardOf(source.reader, item));
    if (card !== undefined) yield Buffer.from(card);
  }
}

function bytesIn(source: Source): Bytes {
  switch (source.request.format) {
    case 'zip':
      return zipStream(archiveEntries(source));
    case 'mbox':
      return mbox(source);
    case 'ics':
      return calendar(source);
    case 'vcf':
      return cards(source);
  }
}

/** Opens a download of a restore point; nothing is read before its bytes are. `restore.no-such-point` when there is none. */
export async function openDownload(
  at: { readonly vault: Vault; readonly catalog: CatalogReader },
  request: DownloadRequest,
  signal: AbortSignal,
): Promise<Download> {
  const point = await pointOf(at.catalog, request.source, request.sequence);
  const failed: FailedItem[] = [];
  const source = { reader: at.vault.reader(), catalog: at.catalog, request, sequence: point.sequence, signal, failed };
  const day = point.committedAt.slice(0, 16).replaceAll(':', '.').replace('T', ' ');
  return {
    fileName: `${safeName(`${request.source.name} ${day}`)}.${request.format}`,
    mediaType: MEDIA[request.format],
    bytes: bytesIn(source),
    failed,
  };
}
