import path from 'node:path';
import { z } from 'zod';
import { csvRows } from './csv-rows.ts';
import { badExport, headOf, listedIn } from './export-folder.ts';

/** What the manifest says before its list of files. */
const head = z.looseObject({
  exportId: z.string(),
  caseId: z.string().nullable().default(null),
  content: z.string(),
  query: z.string(),
  accounts: z.array(z.unknown()),
  errors: z.number(),
  links: z.record(z.string(), z.number()).default({}),
});

const LINK = ['file', 'link', 'sent', 'rule', 'name', 'version', 'changed', 'sha256', 'exported', 'ownerId', 'itemId'] as const;
const EXCEPTION = ['account', 'folder', 'kind', 'name', 'code', 'reason', 'history'] as const;
export type LinkRow = Readonly<Record<(typeof LINK)[number], string>>;
export type ExceptionRow = Readonly<Record<(typeof EXCEPTION)[number], string>>;

/** An export that is whole, as the tests of the standard look at it. */
export interface ExportFacts {
  readonly head: z.infer<typeof head>;
  /** The hash of each file by its path. */
  readonly files: ReadonlyMap<string, string>;
  /** Null where the form of the export has no such list. */
  readonly links: readonly LinkRow[] | null;
  readonly exceptions: readonly ExceptionRow[];
}

/** These columns of a list; one that is not there is empty. */
async function rowsOf<Name extends string>(
  folder: string,
  file: string,
  names: readonly Name[],
): Promise<Readonly<Record<Name, string>>[]> {
  const rows: Readonly<Record<Name, string>>[] = [];
  for await (const row of csvRows(path.join(folder, file))) {
    rows.push(Object.fromEntries(names.map((name) => [name, row[name] ?? ''])) as Record<Name, string>);
  }
  return rows;
}

export async function factsOfExport(folder: string): Promise<ExportFacts> {
  const files = new Map<string, string>();
  for await (const { path: name, sha256 } of listedIn(folder)) files.set(name, sha256);
  const read = head.safeParse(await headOf(folder));
  if (!read.success) throw badExport('manifest.json does not say what the export is of.');
  if (!files.has('errors.csv')) throw badExport('The manifest does not name errors.csv.');
  return {
    head: read.data,
    files,
    links: files.has('links.csv') ? await rowsOf(folder, 'links.csv', LINK) : null,
    exceptions: await rowsOf(folder, 'errors.csv', EXCEPTION),
  };
}
