import { AppError } from '@holdfast/foundation/errors';
import type { Bytes } from '@holdfast/foundation/streams';
import type { Vault, VaultReader } from '@holdfast/vault';
import type { CatalogReader } from '../ports/catalog.ts';
import type { Content, ItemVersion, Resource } from '../ports/item.ts';
import { pointOf } from '../restore/point.ts';
import type { RestoreSelection } from '../restore/request.ts';
import { walk, type WalkedContainer } from '../restore/walk.ts';
import { CALENDAR_END, CALENDAR_START, createCalendarWriter } from './calendar-text.ts';
import { cardOf, fileBytesOf, fileNameOf, storedJson, wholeOf } from './item-file.ts';
import { mboxMessage, mboxOfMissing } from './mbox.ts';
import { PAGE_END, pageMessage, pageStart } from './conversation-page.ts';
import { createUniquePaths, safeName } from './safe-name.ts';
import { zipStream, type ZipEntry } from './zip-stream.ts';

/** `zip`: everything as files (EML, files, ICS, VCF, HTML and JSON for conversations); `mbox`: mail in one file; `ics`, `vcf`: one file. */
export const downloadFormats = ['zip', 'mbox', 'ics', 'vcf'] as const;
export type DownloadFormat = (typeof downloadFormats)[number];

export interface DownloadRequest {
  readonly source: Resource;
  /** The restore point; `pointOf` says which is the newest. */
  readonly sequence: number;
  readonly selection: RestoreSelection;
  readonly format: DownloadFormat;
}

/** A download that begins when `bytes` is read and holds one item at a time. */
export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Bytes;
  /** Filled while `bytes` is consumed; a zip has them in `errors.txt` as well. */
  readonly failed: readonly FailedItem[];
}

/** What could not be read. */
export interface FailedItem {
  readonly path: string;
  readonly code: string;
  /** Damage showed on the way: the archive has what comes before it. */
  readonly isCut?: true;
}

const MEDIA: Readonly<Record<DownloadFormat, string>> = {
  zip: 'application/zip',
  mbox: 'application/mbox',
  ics: 'text/calendar',
  vcf: 'text/vcard',
};

/** No message of the service is longer. */
const MESSAGE_LIMIT = 256 * 1024 * 1024;

interface Source {
  readonly reader: VaultReader;
  readonly catalog: CatalogReader;
  readonly request: DownloadRequest;
  readonly sequence: number;
  readonly signal: AbortSignal;
  readonly failed: FailedItem[];
}

async function* text(make: () => Promise<string>): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(await make());
}

function walked(source: Source): AsyncIterable<WalkedContainer> {
  const { catalog, request, sequence } = source;
  return walk({ catalog, resourceId: request.source.id, sequence, selection: request.selection });
}

function folderOf(path: string): string {
  return path
    .split('/')
    .filter((name) => name !== '')
    .map((name) => safeName(name))
    .join('/');
}

/** Names what could not be read. That somebody stopped the download is the fault of no item. */
function noteFailed(source: Source, path: string, error: unknown, cut: Pick<FailedItem, 'isCut'> = {}): void {
  if (source.signal.aborted) throw error;
  source.failed.push({ path, code: error instanceof AppError ? error.code : 'internal', ...cut });
}

/** An item that is written in one piece; undefined, and named, when it can't be read. */
async function attempt<T>(source: Source, path: string, make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    noteFailed(source, path, error);
    return undefined;
  }
}

/** Looks whether an item can be read before its entry begins: one that can't is named and left out. */
async function isReadable(source: Source, item: ItemVersion, path: string): Promise<boolean> {
  const looked = await attempt(source, path, async () => {
    for (const content of item.contents) {
      const parts = source.reader.read(content.ref, { signal: source.signal });
      for await (const part of parts) if (part.byteLength >= 0) break;
    }
    return true;
  });
  return looked ?? false;
}

/** What turns out to be damaged further on ends there and is named: the archive stays whole. */
async function* asFarAsReadable(source: Source, path: string, bytes: Bytes): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* bytes;
  } catch (error) {
    noteFailed(source, path, error, { isCut: true });
  }
}

const isSpoken = (item: ItemVersion): boolean => item.kind === 'post' || item.kind === 'chatMessage';

async function* replies(source: Source, post: ItemVersion): AsyncGenerator<ItemVersion, void, undefined> {
  if (post.kind !== 'post') return;
  yield* source.catalog.items(source.request.source.id, source.sequence, { parentKey: post.key, kinds: ['reply'] });
}

async function* conversation(
  source: Source,
  container: WalkedContainer,
  format: 'html' | 'json',
): AsyncGenerator<Uint8Array, void, undefined> {
  const title = container.item?.name ?? source.request.source.name;
  yield Buffer.from(format === 'html' ? pageStart(title) : '[\n');
  let separator = '';
  for await (const post of container.items()) {
    if (!isSpoken(post)) continue;
    for await (const one of concat([post], replies(source, post))) {
      yield Buffer.from(format === 'html' ? pageMessage(one) : `${separator}${JSON.stringify(one.properties)}`);
      separator = ',\n';
    }
  }
  yield Buffer.from(format === 'html' ? PAGE_END : '\n]\n');
}

async function* concat<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  yield* first;
  yield* rest;
}

type UniquePaths = (folder: string, name: string) => string;

/** Stored bytes as a file of the archive. */
function stored(source: Source, path: string, content: Content): ZipEntry {
  return {
    path,
    modifiedAt: undefined,
    open: () => asFarAsReadable(source, path, source.reader.read(content.ref, { signal: source.signal })),
  };
}

/** The pictures of a message and of its answers. */
async function* pictures(source: Source, item: ItemVersion, folder: string, unique: UniquePaths): AsyncGenerator<ZipEntry> {
  const place = folder === '' ? 'pictures' : `${folder}/pictures`;
  for await (const one of concat([item], replies(source, item))) {
    if (!(await isReadable(source, one, place))) continue;
    for (const content of one.contents) {
      if (content.role !== 'hosted') continue;
      const ending = content.mediaType?.split('/')[1]?.replaceAll(/\W/gu, '') ?? 'bin';
      yield stored(source, unique(place, safeName(`${content.label ?? 'picture'}.${ending}`)), content);
    }
  }
}

/** An item as a file, and what is attached to it: the text of an event or a task does not hold its files. */
async function* itemFiles(source: Source, item: ItemVersion, folder: string, unique: UniquePaths): AsyncGenerator<ZipEntry> {
  const path = unique(folder, fileNameOf(item));
  if (!(await isReadable(source, item, path))) return;
  const modifiedAt = item.modifiedAt === undefined ? undefined : new Date(item.modifiedAt);
  yield { path, modifiedAt, open: () => asFarAsReadable(source, path, fileBytesOf(source.reader, item, source.signal)) };
  if (wholeOf(item)) return;
  for (const content of item.contents) {
    if (content.role !== 'attachment') continue;
    yield stored(source, unique(`${path} attachments`, safeName(content.label ?? 'attachment', 'attachment')), content);
  }
}

/** All that was said in one place, to read and to process. */
function* conversationFiles(source: Source, container: WalkedContainer, folder: string, unique: UniquePaths): Generator<ZipEntry> {
  if (container.item?.kind !== 'channel' && container.item?.kind !== 'chat') return;
  for (const format of ['html', 'json'] as const) {
    yield { path: unique(folder, `messages.${format}`), modifiedAt: undefined, open: () => conversation(source, container, format) };
  }
}

async function* entries(source: Source): AsyncGenerator<ZipEntry, void, undefined> {
  const unique = createUniquePaths();
  for await (const container of walked(source)) {
    source.signal.throwIfAborted();
    const folder = folderOf(container.path);
    yield* conversationFiles(source, container, folder, unique);
    for await (const item of container.items()) yield* (isSpoken(item) ? pictures : itemFiles)(source, item, folder, unique);
  }
  if (source.failed.length > 0) {
    const list = source.failed.map(({ path, code, isCut }) => `${code}\t${path}${isCut ? '\tonly its beginning is here' : ''}\n`).join('');
    yield { path: unique('', 'errors.txt'), modifiedAt: undefined, open: () => text(async () => list) };
  }
}

async function* itemsOfKind(source: Source, kind: ItemVersion['kind']): AsyncGenerator<ItemVersion, void, undefined> {
  for await (const container of walked(source)) for await (const item of container.items()) if (item.kind === kind) yield item;
}

async function* mbox(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const item of itemsOfKind(source, 'message')) {
    const whole = wholeOf(item);
    if (!whole) {
      source.failed.push({ path: item.name, code: 'restore.no-content' });
      continue;
    }
    const bytes = await attempt(source, item.name, () => source.reader.readAll(whole.ref, MESSAGE_LIMIT));
    if (bytes) yield* mboxMessage(bytes, item.modifiedAt ?? item.createdAt);
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
      return zipStream(entries(source));
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
