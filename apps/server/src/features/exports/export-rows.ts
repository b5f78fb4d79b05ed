import type { OrganisationTables } from '@holdfast/database';
import type { Selectable } from 'kysely';

export type ExportRow = Selectable<OrganisationTables['exports']>;
export type FileRow = Omit<Selectable<OrganisationTables['export_files']>, 'organisation_id' | 'realm' | 'export_id' | 'path_key'>;
export type ItemRow = Omit<Selectable<OrganisationTables['export_items']>, 'organisation_id' | 'realm' | 'export_id'>;

/** An item with the path of its file; null for one that has none. */
export type IndexedItem = ItemRow & { readonly path: string | null };

/** A file that has been read: it is in a part of the export. */
export type ReadFile = FileRow & { readonly size_bytes: number; readonly sha256: string };

/** The files that tell of the others, with the numbers that come before those of any item. */
export const papers = ['index.csv', 'index.xml', 'index.xsd', 'errors.csv', 'CHECK.html'] as const;
export type Paper = (typeof papers)[number];

/** What a part holds besides: they sign the list of all files, so that list does not name them. */
export const SEALS = ['manifest.json', 'manifest.sha256', 'manifest.sha256.sig', 'public-key.pem'] as const;
