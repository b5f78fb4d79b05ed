import type { Scope } from '@holdfast/database';
import { exportedMbox, openExported, type Catalog, type ItemVersion, type ItemWords } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Bytes } from '@holdfast/foundation/streams';
import type { Vault, VaultReader } from '@holdfast/vault';
import { isAway, type Vaults } from '../../storage/index.ts';
import { readConversation, type ConversationFrame } from '../content/index.ts';
import { conversationPage } from './conversation-file.ts';
import { openVaults, type SelectionPart, type SelectionReader } from '../search/index.ts';
import type { ExportFilesStore } from './export-files.store.ts';
import type { FileRow, IndexedItem, ItemRow } from './export-rows.ts';
import { indexFile, type Said } from './index-file.ts';
import { createWordsReader, textOf, type WordsReader } from './item-text.ts';
import { pagesOf } from './pages.ts';

export interface ContentParts {
  readonly clock: Clock;
  readonly vaults: Vaults;
  readonly selections: SelectionReader;
  readonly files: ExportFilesStore;
  catalogOf(scope: Scope, locationId: string): Catalog;
}

export interface ExportPlace {
  readonly scope: Scope;
  readonly tenantId: string;
  readonly exportId: string;
  readonly selectionId: string;
}

/** An item that could not be read, while a file was. */
export class ItemFault extends Error {
  readonly itemNo: number;

  constructor(itemNo: number, cause: unknown) {
    super(`Item ${itemNo} could not be read.`, { cause });
    this.itemNo = itemNo;
  }
}

/** An item where it is stored. */
interface StoredItem {
  readonly row: ItemRow;
  readonly version: ItemVersion;
  readonly reader: VaultReader;
}

/** The stored bytes of an export, for as long as it is held. */
export interface ExportContent {
  /** Looks up many files at once; answers the bytes of each. Nothing is read before they are. */
  open(files: readonly FileRow[]): Promise<(file: FileRow) => Bytes>;
  release(): Promise<void>;
}

async function* itemBytes(row: ItemRow, stored: StoredItem | undefined, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (!stored) throw new AppError('content.item-unknown');
    yield* openExported(stored.reader, stored.version, row.content, signal);
  } catch (error) {
    throw new ItemFault(row.item_no, error);
  }
}

async function* mboxBytes(row: ItemRow, stored: StoredItem | undefined): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (!stored) throw new AppError('content.item-unknown');
    yield* await exportedMbox(stored.reader, stored.version);
  } catch (error) {
    throw new ItemFault(row.item_no, error);
  }
}

/** What an item says, as a text file. */
async function* textBytes(row: ItemRow, stored: StoredItem | undefined, words: WordsReader): AsyncGenerator<Uint8Array, void, undefined> {
  if (!stored) throw new ItemFault(row.item_no, new AppError('content.item-unknown'));
  yield* textOf(await words.read(stored.reader, stored.version));
}

/** A hit with what was said around it. What was erased since the export was listed ends it: it is never whole by silence. */
async function* conversationBytes(
  row: ItemRow,
  frame: ConversationFrame,
  { catalog, resourceId }: { readonly catalog: Catalog; readonly resourceId: string },
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* conversationPage(frame, await readConversation(catalog, resourceId, frame));
  } catch (error) {
    throw new ItemFault(row.item_no, error);
  }
}

type FindStored = (rows: readonly ItemRow[]) => Promise<ReadonlyMap<number, StoredItem>>;

/** Finds the versions of items, with one look at the catalog for each state that they are of. */
function createFindStored(
  parts: ContentParts,
  { scope }: ExportPlace,
  bySource: ReadonlyMap<string, SelectionPart>,
  opened: ReadonlyMap<string, Vault>,
): FindStored {
  return async (rows) => {
    const found = new Map<number, StoredItem>();
    for (const [, same] of Map.groupBy(rows, (row) => `${row.source_id} ${row.sequence}`)) {
      const [first] = same;
      const part = first && bySource.get(first.source_id);
      const vault = part && opened.get(part.locationId);
      if (!first || !part || !vault) continue;
      const byKey = Map.groupBy(same, (row) => row.item_key);
      const reader = vault.reader();
      for await (const version of parts
        .catalogOf(scope, part.locationId)
        .items(part.resource.id, first.sequence, { keys: [...byKey.keys()] })) {
        for (const row of byKey.get(version.key) ?? []) found.set(row.item_no, { row, version, reader });
      }
    }
    return found;
  };
}

interface Reading {
  readonly files: ExportFilesStore;
  readonly place: ExportPlace;
  readonly find: FindStored;
  readonly words: WordsReader;
  readonly signal: AbortSignal;
}

async function* mboxFile({ files, place, find, signal }: Reading, file: FileRow): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const rows of pagesOf(
    (after) => files.itemsAfter(place.scope, place.exportId, file.file_no, after),
    (row) => row.item_no,
  )) {
    const stored = await find(rows);
    for (const row of rows) {
      signal.throwIfAborted();
      yield* mboxBytes(row, stored.get(row.item_no));
    }
  }
}

/** The words of an item; undefined where it has none that can be read. It is in the index all the same, by its name. */
async function wordsOf(words: WordsReader, stored: StoredItem | undefined): Promise<ItemWords | undefined> {
  try {
    return stored && (await words.read(stored.reader, stored.version));
  } catch (error) {
    if (isAway(error)) throw error;
    return undefined;
  }
}

/** What the items of one file of the index say. What is attached to an item is among its own words. */
async function* saidIn({ files, place, find, words, signal }: Reading, file: FileRow): AsyncGenerator<Said, void, undefined> {
  const last = file.last_item ?? 0;
  for await (const page of pagesOf<IndexedItem>(
    (after) => files.allItems(place.scope, place.exportId, after, last),
    (item) => item.item_no,
    (file.first_item ?? 1) - 1,
  )) {
    const items = page.filter(({ code, content }) => code === null && content === null);
    const stored = await find(items);
    for (const item of items) {
      signal.throwIfAborted();
      yield { item, words: await wordsOf(words, stored.get(item.item_no)) };
    }
  }
}

/** The rows of items that have files of their own, and of those that have texts, by the numbers of these files. */
async function rowsOf({ files, place }: Reading, wanted: readonly FileRow[]): Promise<ReadonlyMap<number, ItemRow>> {
  const { scope, exportId } = place;
  const single = wanted.filter(({ kind }) => kind === 'item').map((file) => file.file_no);
  const texts = wanted.flatMap(({ kind, file_no: fileNo, first_item: itemNo }) =>
    (kind === 'text' || kind === 'conversation') && itemNo !== null ? [{ fileNo, itemNo }] : [],
  );
  const rows = single.length === 0 ? [] : await files.itemsOf(scope, exportId, single);
  const itemNos = texts.map(({ itemNo }) => itemNo);
  const said = texts.length === 0 ? [] : await files.itemsNumbered(scope, exportId, itemNos);
  const byNumber = new Map(said.map((row) => [row.item_no, row]));
  return new Map([
    ...rows.flatMap((row) => (row.file_no === null ? [] : [[row.file_no, row] as const])),
    ...texts.flatMap(({ fileNo, itemNo }) => {
      const row = byNumber.get(itemNo);
      return row ? [[fileNo, row] as const] : [];
    }),
  ]);
}

/** Opens everything that an export reads from. */
export async function openExport(parts: ContentParts, place: ExportPlace, signal: AbortSignal): Promise<ExportContent> {
  const { scope, tenantId, selectionId } = place;
  const bySource = new Map<string, SelectionPart>();
  for (const part of await parts.selections.parts(scope, tenantId, selectionId)) bySource.set(part.sourceId, part);
  const { opened, release } = await openVaults(parts.vaults, scope, [
    ...new Set([...bySource.values()].map(({ locationId }) => locationId)),
  ]);
  const words = createWordsReader(parts.clock);
  const reading: Reading = { files: parts.files, place, find: createFindStored(parts, place, bySource, opened), words, signal };
  return Object.freeze<ExportContent>({
    async open(files) {
      const byFile = await rowsOf(reading, files);
      const stored = await reading.find([...byFile.values()]);
      return (file) => {
        if (file.kind === 'mbox') return mboxFile(reading, file);
        if (file.kind === 'index') return indexFile(saidIn(reading, file));
        const row = byFile.get(file.file_no);
        if (!row) throw new AppError('content.item-unknown');
        const part = bySource.get(row.source_id);
        if (file.kind === 'conversation' && part) {
          const place = { catalog: parts.catalogOf(scope, part.locationId), resourceId: part.resource.id };
          return conversationBytes(row, file.conversation as ConversationFrame, place);
        }
        const of = stored.get(row.item_no);
        return file.kind === 'text' ? textBytes(row, of, words) : itemBytes(row, of, signal);
      };
    },
    async release() {
      await words.close();
      await release();
    },
  });
}
