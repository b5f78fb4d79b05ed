import type { Scope } from '@holdfast/database';
import { now } from '@holdfast/foundation/clock';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { AppError } from '@holdfast/foundation/errors';
import { isAway } from '../../storage/index.ts';
import type { Bytes } from '@holdfast/foundation/streams';
import { createHash } from 'node:crypto';
import { ItemFault, openExport, type ContentParts, type ExportContent, type ExportPlace } from './export-content.ts';
import type { FileRow } from './export-rows.ts';
import { pagesOf } from './pages.ts';

/** What a file turned out to be. */
export interface Hashed {
  readonly fileNo: number;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Files that were read together. */
export interface ReadPage {
  readonly read: readonly Hashed[];
  /** Whether something in them could not be read. */
  readonly hasFaults: boolean;
}

const FILES_A_PAGE = 200;
/** Files that are read beside each other: their places in the vault are looked up together. */
const AT_A_TIME = 16;

export async function hashOf(fileNo: number, bytes: Bytes): Promise<Hashed> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const piece of bytes) {
    hash.update(piece);
    sizeBytes += piece.byteLength;
  }
  return { fileNo, sizeBytes, sha256: hash.digest('hex') };
}

/** Names what could not be read. A mailbox file is read again without it. */
async function giveUp({ files, clock }: ContentParts, { scope, exportId }: ExportPlace, file: FileRow, error: unknown): Promise<void> {
  const fault = error instanceof ItemFault ? error.cause : error;
  // An item without words is in the index all the same: what ends one of its files is no fault of an item.
  if (isAway(fault) || file.kind === 'index') throw fault;
  const noted = { code: fault instanceof AppError ? fault.code : 'internal', at: now(clock) };
  if (file.kind === 'mbox' && error instanceof ItemFault) await files.noteFailedItem(scope, exportId, error.itemNo, noted);
  else await files.noteFailedFile(scope, exportId, file.file_no, noted);
}

async function hashPage(
  parts: ContentParts,
  place: ExportPlace,
  { content, page, signal }: { readonly content: ExportContent; readonly page: readonly FileRow[]; readonly signal: AbortSignal },
): Promise<readonly Hashed[]> {
  const read: Hashed[] = [];
  const bytesOf = await content.open(page);
  await forEachConcurrent([...page], AT_A_TIME, async (file) => {
    signal.throwIfAborted();
    try {
      read.push(await hashOf(file.file_no, bytesOf(file)));
    } catch (error) {
      signal.throwIfAborted();
      await giveUp(parts, place, file, error);
    }
  });
  return read;
}

const isLong = ({ kind }: FileRow): boolean => kind === 'mbox' || kind === 'index';

/** Reads every file of an export once. Goes on with those that have no hash yet. */
export async function readExport(
  parts: ContentParts,
  place: ExportPlace,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (page: ReadPage) => Promise<void> },
): Promise<void> {
  const { scope, exportId } = place;
  const content = await openExport(parts, place, signal);
  try {
    for (;;) {
      signal.throwIfAborted();
      const unread = await parts.files.unread(scope, exportId, FILES_A_PAGE);
      const [first] = unread;
      if (!first) return;
      // What holds many items is long: each is noted by itself, so that a death costs no more than one.
      const page = isLong(first) ? [first] : unread.filter((file) => !isLong(file));
      const read = await hashPage(parts, place, { content, page, signal });
      await parts.files.noteRead(scope, exportId, read);
      await crashPoint('export.read-page');
      await onProgress({ read, hasFaults: read.length < page.length });
    }
  } finally {
    await content.release();
  }
}

/** What a zip adds for each file. */
const ENTRY_BYTES = 300;

/** Sorts the files into parts, in their order. Answers the last part and what it holds already. */
export async function makeParts(
  { files }: Pick<ContentParts, 'files'>,
  { scope, exportId }: { readonly scope: Scope; readonly exportId: string },
  partBytes: number,
): Promise<{ readonly part: number; readonly bytes: number }> {
  let part = 1;
  let bytes = 0;
  for await (const page of pagesOf(
    (after) => files.readFiles(scope, exportId, after),
    (file) => file.file_no,
  )) {
    const placed: { fileNo: number; part: number }[] = [];
    for (const file of page.filter(({ kind }) => kind !== 'paper')) {
      const weight = file.size_bytes + ENTRY_BYTES + 2 * Buffer.byteLength(file.path);
      if (bytes > 0 && bytes + weight > partBytes) {
        part += 1;
        bytes = 0;
      }
      bytes += weight;
      placed.push({ fileNo: file.file_no, part });
    }
    await files.setParts(scope, exportId, placed);
  }
  return { part, bytes };
}
