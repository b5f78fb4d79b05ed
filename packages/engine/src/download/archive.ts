import type { Bytes } from '@holdfast/foundation/streams';
import { fileVersions } from '../ports/file-versions.ts';
import type { Content, ItemVersion } from '../ports/item.ts';
import type { WalkedContainer } from '../restore/walk.ts';
import { PAGE_END, pageMessage, pageStart } from './conversation-page.ts';
import { fileBytesOf, fileNameOf, wholeOf } from './item-file.ts';
import { hasMetadata, metadataNameOf, metadataText } from './item-metadata.ts';
import { withManifest } from './manifest.ts';
import { createUniquePaths, safeName } from './safe-name.ts';
import { attempt, noteFailed, text, walked, type Source } from './source.ts';
import type { ZipEntry } from './zip-stream.ts';

/** Looks whether stored bytes can be read before their entry begins: what can't is named and left out. */
async function isReadable(source: Source, contents: readonly Content[], path: string): Promise<boolean> {
  const looked = await attempt(source, path, async () => {
    for (const content of contents) {
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
    if (!(await isReadable(source, one.contents, place))) continue;
    for (const content of one.contents) {
      if (content.role !== 'hosted') continue;
      const ending = content.mediaType?.split('/')[1]?.replaceAll(/\W/gu, '') ?? 'bin';
      yield stored(source, unique(place, safeName(`${content.label ?? 'picture'}.${ending}`)), content);
    }
  }
}

/** The earlier versions of a file, each under its number. One that can't be read leaves the others and the file whole. */
async function* versionFiles(source: Source, item: ItemVersion, path: string, unique: UniquePaths): AsyncGenerator<ZipEntry> {
  for (const { label, content, modifiedAt } of fileVersions(item)) {
    if (content.role !== 'version') continue;
    const place = unique(`${path} versions`, safeName(`${label} ${item.name}`));
    if (!(await isReadable(source, [content], place))) continue;
    yield { ...stored(source, place, content), modifiedAt: modifiedAt === undefined ? undefined : new Date(modifiedAt) };
  }
}

function metadataEntry(source: Source, item: ItemVersion, path: string): ZipEntry {
  const options = { permissions: source.request.options?.permissions ?? true };
  const bytes = () => text(() => metadataText(source.reader, item, options));
  return { path, modifiedAt: undefined, open: () => asFarAsReadable(source, path, bytes()) };
}

/** What is attached to an item whose text does not hold its files: an event, a task. */
function* attachedFiles(source: Source, item: ItemVersion, path: string, unique: UniquePaths): Generator<ZipEntry> {
  if (wholeOf(item)) return;
  for (const content of item.contents) {
    if (content.role !== 'attachment') continue;
    yield stored(source, unique(`${path} attachments`, safeName(content.label ?? 'attachment', 'attachment')), content);
  }
}

/** An item as a file, with its attachments, its earlier versions and what Microsoft 365 said of it. */
async function* itemFiles(source: Source, item: ItemVersion, folder: string, unique: UniquePaths): AsyncGenerator<ZipEntry> {
  const path = unique(folder, fileNameOf(item));
  const isFile = item.kind === 'file';
  const own = isFile ? item.contents.filter(({ role }) => role !== 'version') : item.contents;
  const isThere = await isReadable(source, own, path);
  const modifiedAt = item.modifiedAt === undefined ? undefined : new Date(item.modifiedAt);
  if (isThere) yield { path, modifiedAt, open: () => asFarAsReadable(source, path, fileBytesOf(source.reader, item, source.signal)) };
  if (isFile && source.request.options?.versions === true) yield* versionFiles(source, item, path, unique);
  if (!isThere) return;
  if (hasMetadata(item)) yield metadataEntry(source, item, unique(folder, metadataNameOf(path)));
  yield* attachedFiles(source, item, path, unique);
}

/** All that was said in one place, to read and to process. */
function* conversationFiles(source: Source, container: WalkedContainer, folder: string, unique: UniquePaths): Generator<ZipEntry> {
  if (container.item?.kind !== 'channel' && container.item?.kind !== 'chat') return;
  for (const format of ['html', 'json'] as const) {
    yield { path: unique(folder, `messages.${format}`), modifiedAt: undefined, open: () => conversation(source, container, format) };
  }
}

/** Folders of the archive, one for each container: names that become the same one on a disk are told apart. */
function createFolders(unique: UniquePaths): (container: WalkedContainer) => string {
  const given = new Map<string, string>();
  return ({ item, parent }) => {
    if (!item) return '';
    const folder = unique((parent && given.get(parent.key)) ?? '', safeName(item.name));
    given.set(item.key, folder);
    return folder;
  };
}

/** Every file of the archive, one at a time, and their hashes where they are asked for. */
export function archiveEntries(source: Source): AsyncIterable<ZipEntry> {
  const unique = createUniquePaths();
  const entries = filesOf(source, unique);
  return source.request.options?.manifest === true ? withManifest(entries, (wanted) => unique('', wanted)) : entries;
}

async function* filesOf(source: Source, unique: UniquePaths): AsyncGenerator<ZipEntry, void, undefined> {
  const folderOf = createFolders(unique);
  for await (const container of walked(source)) {
    source.signal.throwIfAborted();
    const folder = folderOf(container);
    const { item: itself, isSelected } = container;
    if (itself && isSelected && hasMetadata(itself)) yield metadataEntry(source, itself, unique(folder, 'folder.metadata.json'));
    yield* conversationFiles(source, container, folder, unique);
    for await (const item of container.items()) yield* (isSpoken(item) ? pictures : itemFiles)(source, item, folder, unique);
  }
  if (source.failed.length > 0) {
    const list = source.failed.map(({ path, code, isCut }) => `${code}\t${path}${isCut ? '\tonly its beginning is here' : ''}\n`).join('');
    yield { path: unique('', 'errors.txt'), modifiedAt: undefined, open: () => text(async () => list) };
  }
}
