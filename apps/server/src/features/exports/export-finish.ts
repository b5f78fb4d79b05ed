import { createHash } from 'node:crypto';
import { crashPoint } from '@holdfast/foundation/crash-point';
import type { Database, Scope } from '@holdfast/database';
import type { ExportFilesStore } from './export-files.store.ts';
import type { ExportLinksStore } from './export-links.store.ts';
import type { ExportKey } from './export-key.ts';
import { manifestOf } from './export-manifest.ts';
import { paperOf } from './export-papers.ts';
import { hashOf, makeParts } from './export-reading.ts';
import { papersOf, type ExportRow } from './export-rows.ts';
import { signExport } from './exports.store.ts';
import { signManifest } from './manifest-seal.ts';

export interface FinishParts {
  readonly database: Database;
  readonly files: ExportFilesStore;
  readonly links: ExportLinksStore;
  readonly key: ExportKey;
  /** The largest part, before it is compressed. */
  readonly partBytes: number;
}

/** Sorts the files into parts, writes down what the papers are, and signs the list of all of it. Repeatable. */
export async function finishExport(parts: FinishParts, scope: Scope, row: ExportRow): Promise<void> {
  const { files, partBytes } = parts;
  const { export_id: exportId } = row;
  const papers = papersOf(row.format);
  await parts.links.resolve(scope, row);
  const last = await makeParts(parts, { scope, exportId }, partBytes);
  await files.setParts(
    scope,
    exportId,
    papers.map((_, at) => ({ fileNo: at + 1, part: last.part })),
  );
  await crashPoint('export.parts-made');
  const hashed = await Promise.all(papers.map((paper, at) => hashOf(at + 1, paperOf(parts, scope, row, paper))));
  await files.noteRead(scope, exportId, hashed);
  await crashPoint('export.papers-hashed');
  const hash = createHash('sha256');
  for await (const piece of manifestOf(parts, scope, row)) hash.update(piece);
  const manifestHash = hash.digest('hex');
  const { privateKey } = await parts.key();
  const signature = signManifest(manifestHash, privateKey).toString('base64');
  await parts.database.within(scope, (tx) => signExport(tx, exportId, { hash: manifestHash, signature }));
}
