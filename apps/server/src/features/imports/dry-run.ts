import { formatOfMailFile, readMailFacts, readMailFiles, type FoundFault, type ImportCounts } from '@holdfast/engine';
import { importFormats, type ImportReport } from '@holdfast/contract/imports';
import type { ImportFiles } from './import-source.ts';

/** What files hold, found without storing anything. */
export type DryRun = ImportCounts & Pick<ImportReport, 'formats' | 'folders' | 'otherFolders'>;

type Folder = ImportReport['folders'][number];
type Format = ImportReport['formats'][number]['format'];

/** Folders that are told apart; those beyond are counted as one. */
const MOST_FOLDERS = 50_000;
const SHOWN_FOLDERS = 500;

const isFormat = (format: string): format is Format => (importFormats as readonly string[]).includes(format);

function withMail(known: Folder | undefined, path: string, bytes: number, receivedAt: string): Folder {
  if (!known) return { path, messages: 1, bytes, oldestAt: receivedAt, newestAt: receivedAt };
  return {
    path,
    messages: known.messages + 1,
    bytes: known.bytes + bytes,
    oldestAt: receivedAt < known.oldestAt ? receivedAt : known.oldestAt,
    newestAt: receivedAt > known.newestAt ? receivedAt : known.newestAt,
  };
}

/** Reads everything and says what it is: formats, folders, counts, period, and each piece that is no message. */
export async function dryRun(
  files: ImportFiles,
  {
    nowMs,
    signal,
    onFault,
    passwordCheck,
  }: {
    readonly nowMs: number;
    readonly signal: AbortSignal;
    readonly onFault: (fault: FoundFault) => Promise<void>;
    readonly passwordCheck: number | undefined;
  },
): Promise<DryRun> {
  const formats = new Map<Format, number>();
  const folders = new Map<string, Folder>();
  let added = 0;
  let failed = 0;
  for await (const file of files.all()) {
    const format = await formatOfMailFile(file);
    const known = isFormat(format) ? format : 'unknown';
    formats.set(known, (formats.get(known) ?? 0) + 1);
  }
  for await (const entry of readMailFiles(files.all(), undefined, { passwordCheck })) {
    signal.throwIfAborted();
    if (entry.kind === 'fault') {
      failed += 1;
      await onFault(entry);
      continue;
    }
    added += 1;
    const path = folders.has(entry.folder) || folders.size < MOST_FOLDERS ? entry.folder : '';
    const receivedAt = entry.reconstructed?.receivedAt ?? (await readMailFacts(entry.bytes, nowMs)).receivedAt;
    folders.set(path, withMail(folders.get(path), path, entry.bytes.byteLength, receivedAt));
  }
  const sorted = [...folders.values()].sort((a, b) => b.messages - a.messages || (a.path < b.path ? -1 : 1));
  return {
    seen: added + failed,
    added,
    known: 0,
    erasedBefore: 0,
    failed,
    formats: [...formats].map(([format, count]) => ({ format, files: count })),
    folders: sorted.slice(0, SHOWN_FOLDERS),
    otherFolders: Math.max(0, sorted.length - SHOWN_FOLDERS),
  };
}
