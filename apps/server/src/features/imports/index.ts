/**
 * Imports: mail from files, taken into archives.
 *
 * Files are uploaded part by part or lie in a folder of the server. An import is a job; its run reads the files in one
 * order, so that it goes on where it was interrupted, and its counts balance: seen = added + known + failed. What is no
 * message is kept with its place and its reason. How a mailbox file is read is the business of the engine.
 */
export { createImportKind } from './import.kind.ts';
export { createImportsFeature } from './feature.ts';
export type { ImportPlace } from './import-reports.service.ts';
