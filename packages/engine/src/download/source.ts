import { AppError } from '@holdfast/foundation/errors';
import type { VaultReader } from '@holdfast/vault';
import type { CatalogReader } from '../ports/catalog.ts';
import type { Resource } from '../ports/item.ts';
import type { RestoreSelection } from '../restore/request.ts';
import { walk, type WalkedContainer } from '../restore/walk.ts';

/** `zip`: everything as files (EML, files, ICS, VCF, HTML and JSON for conversations); `mbox`: mail in one file; `ics`, `vcf`: one file. */
export type DownloadFormat = 'zip' | 'mbox' | 'ics' | 'vcf';

/** What an archive holds beside the items and what Microsoft 365 said of them. */
export interface DownloadOptions {
  /** Earlier versions of files, in a folder beside each. Default false. */
  readonly versions?: boolean;
  /** Who had access, in the metadata. Default true. */
  readonly permissions?: boolean;
  /** The SHA-256 of every file, as a file of its own. Default false. */
  readonly manifest?: boolean;
}

export interface DownloadRequest {
  readonly source: Resource;
  /** The restore point; `pointOf` says which is the newest. */
  readonly sequence: number;
  readonly selection: RestoreSelection;
  readonly format: DownloadFormat;
  readonly options?: DownloadOptions;
}

/** What could not be read. */
export interface FailedItem {
  readonly path: string;
  readonly code: string;
  /** Damage showed on the way: the archive has what comes before it. */
  readonly isCut?: true;
}

/** What a download reads from, and what it could not read. */
export interface Source {
  readonly reader: VaultReader;
  readonly catalog: CatalogReader;
  readonly request: DownloadRequest;
  readonly sequence: number;
  readonly signal: AbortSignal;
  readonly failed: FailedItem[];
}

export async function* text(make: () => Promise<string>): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(await make());
}

export function walked(source: Source): AsyncIterable<WalkedContainer> {
  const { catalog, request, sequence } = source;
  return walk({ catalog, resourceId: request.source.id, sequence, selection: request.selection });
}

/** Names what could not be read. That somebody stopped the download is the fault of no item. */
export function noteFailed(source: Source, path: string, error: unknown, cut: Pick<FailedItem, 'isCut'> = {}): void {
  if (source.signal.aborted) throw error;
  source.failed.push({ path, code: error instanceof AppError ? error.code : 'internal', ...cut });
}

/** An item that is written in one piece; undefined, and named, when it can't be read. */
export async function attempt<T>(source: Source, path: string, make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    noteFailed(source, path, error);
    return undefined;
  }
}
