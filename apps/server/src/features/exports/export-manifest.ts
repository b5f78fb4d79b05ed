import type { Scope } from '@holdfast/database';
import type { ExportFilesStore } from './export-files.store.ts';
import type { ExportLinksStore } from './export-links.store.ts';
import type { PaperParts } from './export-papers.ts';
import type { ExportRow } from './export-rows.ts';
import { pagesOf } from './pages.ts';

/** The form of the manifest. Whoever reads it refuses a later one. */
export const MANIFEST_FORMAT = 'holdfast-export/1';

/** A value of the manifest, on a line of its own. */
const line = (value: object, isFirst: boolean): string => `${isFirst ? '' : ',\n'}${JSON.stringify(value)}`;

/** How the links of its items were resolved: `unresolved`, or the rule by which the version of a file was found; see `links.csv`. */
async function linkCounts(links: ExportLinksStore, scope: Scope, exportId: string): Promise<Readonly<Record<string, number>>> {
  const counts = (await links.counts(scope, exportId)).map(({ rule, links: many }) => [rule ?? 'unresolved', many] as const);
  return Object.fromEntries(counts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The manifest of an export: what was asked for, and each file with its size and hash, one on a line. It says the same
 * whenever and by whomever it is written.
 */
export async function* manifestOf({ files, links }: PaperParts, scope: Scope, row: ExportRow): AsyncGenerator<Uint8Array, void, undefined> {
  const { export_id: exportId } = row;
  const accounts = await files.accounts(scope, exportId);
  const { failed } = await files.figures(scope, exportId);
  const head = {
    format: MANIFEST_FORMAT,
    exportId,
    name: row.name,
    content: row.format,
    query: row.query,
    coverage: row.coverage,
    caseId: row.case_id,
    requestedBy: row.owner,
    requestedAt: row.created_at.toISOString(),
    accounts: accounts.map(({ account, items, bytes, failed: errors }) => ({ account, items, bytes, errors })),
    errors: failed,
    links: await linkCounts(links, scope, exportId),
    parts: await files.parts(scope, exportId),
  };
  yield Buffer.from(`${JSON.stringify(head, null, 1).slice(0, -2)},\n "files": [\n`);
  yield* filesIn(files, scope, exportId);
  yield Buffer.from('\n ],\n "originals": [\n');
  if (row.format === 'mbox') yield* originalsIn(files, scope, exportId);
  yield Buffer.from('\n ]\n}\n');
}

async function* filesIn(files: ExportFilesStore, scope: Scope, exportId: string): AsyncGenerator<Uint8Array, void, undefined> {
  let isFirst = true;
  for await (const page of pagesOf(
    (after) => files.readFiles(scope, exportId, after),
    (file) => file.file_no,
  )) {
    for (const { path, size_bytes: size, sha256, part } of page) {
      yield Buffer.from(line({ path, size, sha256, part }, isFirst));
      isFirst = false;
    }
  }
}

/** Lines that begin with `From ` are quoted in a mailbox file: this says what the messages were before, in their order. */
async function* originalsIn(files: ExportFilesStore, scope: Scope, exportId: string): AsyncGenerator<Uint8Array, void, undefined> {
  let isFirst = true;
  for await (const page of pagesOf(
    (after) => files.allItems(scope, exportId, after),
    (item) => item.item_no,
  )) {
    for (const item of page) {
      if (item.code !== null || item.sha256 === null || !item.path?.endsWith('.mbox')) continue;
      yield Buffer.from(line({ path: item.path, size: item.size_bytes, sha256: item.sha256 }, isFirst));
      isFirst = false;
    }
  }
}
