import { AppError } from '@holdfast/foundation/errors';
import type { Bytes } from '@holdfast/foundation/streams';
import type { Vault } from '@holdfast/vault';
import type { CatalogReader } from '../ports/catalog.ts';
import { archiveEntries } from './archive.ts';
import { createUniquePaths, safeName } from './safe-name.ts';
import { text, type DownloadRequest, type FailedItem } from './source.ts';
import { zipStream, type ZipEntry } from './zip-stream.ts';

/** Items of one restore point of one resource. Parts may be of different vaults. */
export interface CollectionPart {
  readonly vault: Vault;
  readonly catalog: CatalogReader;
  /** The items must all be in the point. */
  readonly request: Omit<DownloadRequest, 'format'>;
}

export interface Collection {
  readonly parts: readonly CollectionPart[];
  /** What the archive lists first, such as an index of its items. */
  readonly index: { readonly name: string; readonly text: () => Promise<string> };
  /** Items that were asked for and are in no part. */
  readonly missing: readonly FailedItem[];
}

/** The files of each part, in a folder named after its resource. A part that fails names its fault and leaves the others whole. */
async function* entriesOf({ parts, index, missing }: Collection, signal: AbortSignal): AsyncGenerator<ZipEntry, void, undefined> {
  const unique = createUniquePaths();
  yield { path: unique('', index.name), modifiedAt: undefined, open: () => text(index.text) };
  const failed: FailedItem[] = [...missing];
  for (const { vault, catalog, request } of parts) {
    const folder = unique('', safeName(request.source.name));
    const source = {
      reader: vault.reader(),
      catalog,
      request: { ...request, format: 'zip' as const },
      sequence: request.sequence,
      signal,
      failed: [],
    };
    try {
      for await (const entry of archiveEntries(source)) yield { ...entry, path: `${folder}/${entry.path}` };
    } catch (error) {
      if (signal.aborted) throw error;
      failed.push({ path: folder, code: error instanceof AppError ? error.code : 'internal' });
    }
  }
  if (failed.length === 0) return;
  const list = failed.map(({ path, code }) => `${code}\t${path}\n`).join('');
  yield { path: unique('', 'errors.txt'), modifiedAt: undefined, open: () => text(async () => list) };
}

/** Streams items of several resources as one zip; nothing is read before its bytes are. */
export function openCollection(collection: Collection, signal: AbortSignal): Bytes {
  return zipStream(entriesOf(collection, signal));
}
