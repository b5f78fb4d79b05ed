import type { Scope } from '@holdfast/database';
import { exportedMbox, openExported, type Catalog, type ItemVersion } from '@holdfast/engine';
import { AppError } from '@holdfast/foundation/errors';
import type { Bytes } from '@holdfast/foundation/streams';
import type { VaultReader } from '@holdfast/vault';
import type { Vaults } from '../../storage/index.ts';
import { openVaults, type SelectionPart, type SelectionReader } from '../search/index.ts';
import type { ExportFilesStore } from './export-files.store.ts';
import type { FileRow, ItemRow } from './export-rows.ts';
import { pagesOf } from './pages.ts';

export interface ContentParts {
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

/** Opens everything that an export reads from. */
export async function openExport(parts: ContentParts, place: ExportPlace, signal: AbortSignal): Promise<ExportContent> {
  const { scope, tenantId, exportId, selectionId } = place;
  const bySource = new Map<string, SelectionPart>();
  for (const part of await parts.selections.parts(scope, tenantId, selectionId)) bySource.set(part.sourceId, part);
  const { opened, release } = await openVaults(parts.vaults, scope, [
    ...new Set([...bySource.values()].map(({ locationId }) => locationId)),
  ]);

  /** The versions of items, with one look at the catalog for each state that they are of. */
  async function storedItems(rows: readonly ItemRow[]): Promise<ReadonlyMap<number, StoredItem>> {
    const found = new Map<number, StoredItem>();
    for (const [, same] of Map.groupBy(rows, (row) => `${row.source_id} ${row.sequence}`)) {
      const [first] = same;
      const part = first && bySource.get(first.source_id);
      const vault = part && opened.get(part.locationId);
      if (!first || !part || !vault) continue;
      const byKey = Map.groupBy(same, (row) => row.item_key);
      const catalog = parts.catalogOf(scope, part.locationId);
      const reader = vault.reader();
      for await (const version of catalog.items(part.resource.id, first.sequence, { keys: [...byKey.keys()] })) {
        for (const row of byKey.get(version.key) ?? []) found.set(row.item_no, { row, version, reader });
      }
    }
    return found;
  }

  async function* mbox(file: FileRow): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const rows of pagesOf(
      (after) => parts.files.itemsAfter(scope, exportId, file.file_no, after),
      (row) => row.item_no,
    )) {
      const stored = await storedItems(rows);
      for (const row of rows) {
        signal.throwIfAborted();
        yield* mboxBytes(row, stored.get(row.item_no));
      }
    }
  }

  return Object.freeze<ExportContent>({
    async open(files) {
      const single = files.filter(({ kind }) => kind === 'item').map((file) => file.file_no);
      const rows = single.length === 0 ? [] : await parts.files.itemsOf(scope, exportId, single);
      const stored = await storedItems(rows);
      const byFile = new Map(rows.map((row) => [row.file_no, row]));
      return (file) => {
        if (file.kind === 'mbox') return mbox(file);
        const row = byFile.get(file.file_no);
        if (!row) throw new AppError('content.item-unknown');
        return itemBytes(row, stored.get(row.item_no), signal);
      };
    },
    release,
  });
}
