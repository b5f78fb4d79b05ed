/**
 * Exports: what was found, handed out as files that others can open and check.
 *
 * An export is a selection and a list of files with their hashes. Its run gives each item a name, reads everything once,
 * sorts the files into parts and signs the manifest; all of that is rows, so that a run that was interrupted goes on and ends
 * with the same manifest. The bytes stay in the vault: a part is made while it is downloaded, under the rights of that
 * moment, and each download is logged before its first byte.
 *
 * What an item looks like as a file is the business of the engine.
 */
export { createExportKind } from './export.kind.ts';
export { createExportsFeature } from './feature.ts';
export { MANIFEST_FORMAT } from './export-manifest.ts';
export { SEALS } from './export-rows.ts';
export { fingerprintOf, hashInLine, isSealed, publicKeyOf } from './manifest-seal.ts';
