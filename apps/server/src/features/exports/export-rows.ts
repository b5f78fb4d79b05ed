import type { ExportFormat } from '@holdfast/contract/exports';
import type { OrganisationTables } from '@holdfast/database';
import type { Selectable } from 'kysely';

export type ExportRow = Selectable<OrganisationTables['exports']>;
export type FileRow = Omit<Selectable<OrganisationTables['export_files']>, 'organisation_id' | 'realm' | 'export_id' | 'path_key'>;
export type ItemRow = Omit<Selectable<OrganisationTables['export_items']>, 'organisation_id' | 'realm' | 'export_id'>;

/** An item with the path of its file, null for one that has none, and the file of its text where the export has such files. */
export type IndexedItem = ItemRow & {
  readonly path: string | null;
  readonly text_path: string | null;
  /** Why its text could not be read. */
  readonly text_code: string | null;
  /** Why what was said around it could not be read. */
  readonly conversation_code: string | null;
  /** When it could not be read, and why; it may have been read since. */
  readonly faults: readonly { readonly at: string; readonly code: string; readonly ofText: boolean }[];
};

/** Items by their numbers, the last one included. */
export interface ItemRange {
  readonly first: number;
  readonly last: number;
}

/** A file that has been read: it is in a part of the export. */
export type ReadFile = FileRow & { readonly size_bytes: number; readonly sha256: string };

const usual = ['index.csv', 'index.xml', 'index.xsd', 'errors.csv', 'CHECK.html', 'links.csv'] as const;

/** The files that tell of the others, with the numbers that come before those of any item. */
const papers = {
  eml: usual,
  mbox: usual,
  loadFile: [...usual, 'loadfile.dat'],
  // Its index.xml is the one that tax auditors read.
  z3: ['index.xml', 'documents.csv', 'errors.csv', 'CHECK.html'],
  searchable: [...usual, 'search.mjs'],
} as const satisfies Record<ExportFormat, readonly string[]>;
export type Paper = (typeof papers)[ExportFormat][number];

export const papersOf = (format: ExportFormat): readonly Paper[] => papers[format];

/** Where the files of the index lie. */
export const INDEX_FOLDER = 'search';

/** What a part holds besides: they sign the list of all files, so that list does not name them. */
export const SEALS = ['manifest.json', 'manifest.sha256', 'manifest.sha256.sig', 'public-key.pem'] as const;

/** Names that no account may have for its folder. */
export const TAKEN: readonly string[] = [...new Set([...Object.values(papers).flat(), ...SEALS, INDEX_FOLDER])];
