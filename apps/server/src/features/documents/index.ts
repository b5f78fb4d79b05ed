/**
 * Documents: PDF files that an organisation keeps beside its backups, its own and the reports made here.
 *
 * A file is checked in a thread of its own before anything is stored: its format, its size, and that it holds nothing
 * that acts when it is opened. Its bytes are a sealed object in the vault of a location, named by an id; the name
 * people see is only ever a value in the database. An upload or deletion that was interrupted is finished later.
 */
export { createDocumentsFeature } from './feature.ts';
export type { StoredDocuments } from './documents.service.ts';
