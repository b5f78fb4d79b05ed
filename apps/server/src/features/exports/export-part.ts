import { zipStream, type ZipEntry } from '@holdfast/engine';
import type { Bytes } from '@holdfast/foundation/streams';
import type { Scope } from '@holdfast/database';
import { createHash } from 'node:crypto';
import { openExport, type ContentParts, type ExportContent } from './export-content.ts';
import type { ExportKey } from './export-key.ts';
import { manifestOf } from './export-manifest.ts';
import { paperOf, type PaperParts } from './export-papers.ts';
import { SEALS, type ExportRow, type Paper, type ReadFile } from './export-rows.ts';
import { pagesOf } from './pages.ts';
import { sealLine } from './manifest-seal.ts';

/** What a part is made of. */
type PartParts = ContentParts & PaperParts;

/** Files of an export that are read beside each other: none of them is made of those before it. */
const AHEAD = 16;

interface Wanted {
  readonly scope: Scope;
  readonly row: ExportRow;
  readonly part: number;
  readonly isLast: boolean;
  readonly signal: AbortSignal;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(bytes);
}

async function* seals(parts: PartParts, key: ExportKey, { scope, row }: Wanted): AsyncGenerator<ZipEntry, void, undefined> {
  const { publicKey } = await key();
  const contents: Readonly<Record<(typeof SEALS)[number], () => Bytes>> = {
    'manifest.json': () => manifestOf(parts, scope, row),
    'manifest.sha256': () => once(Buffer.from(sealLine(row.manifest_hash ?? ''))),
    'manifest.sha256.sig': () => once(Buffer.from(row.signature ?? '', 'base64')),
    'public-key.pem': () => once(Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }))),
  };
  for (const path of SEALS) yield { path, modifiedAt: row.created_at, open: contents[path] };
}

/** What is made of the words of items, not kept as it is. */
const isMade = ({ kind }: ReadFile): boolean => kind === 'text' || kind === 'index' || kind === 'conversation';

/** Words are read again for each download. Where they are read otherwise than before, the download ends: the manifest names other bytes. */
async function* asHashed(bytes: Bytes, { path, sha256 }: ReadFile): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256');
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== sha256) throw new Error(`${path} is no longer what the manifest says.`);
}

async function* entriesOf(
  parts: PartParts,
  key: ExportKey,
  content: ExportContent,
  wanted: Wanted,
): AsyncGenerator<ZipEntry, void, undefined> {
  const { scope, row, part, signal } = wanted;
  for await (const page of pagesOf(
    (after) => parts.files.readFiles(scope, row.export_id, after, part),
    (file) => file.file_no,
  )) {
    signal.throwIfAborted();
    const bytesOf = await content.open(page);
    for (const file of page) {
      const stored = (): Bytes => (isMade(file) ? asHashed(bytesOf(file), file) : bytesOf(file));
      const open = file.kind === 'paper' ? () => paperOf(parts, scope, row, file.path as Paper) : stored;
      const known = file.kind === 'item' ? { sizeBytes: file.size_bytes } : {};
      yield { path: file.path, modifiedAt: row.created_at, ...known, open };
    }
  }
  if (wanted.isLast) yield* seals(parts, key, wanted);
}

/** One zip file of an export, made while it is read. What can no longer be read ends it: it is never whole by silence. */
export async function openPart(parts: PartParts, key: ExportKey, wanted: Wanted): Promise<Bytes> {
  const { scope, row, signal } = wanted;
  const place = { scope, tenantId: row.tenant_id, exportId: row.export_id, selectionId: row.selection_id };
  const content = await openExport(parts, place, signal);
  // Whoever leaves before the first byte never starts the stream: its end alone would hold the vaults for good.
  signal.addEventListener('abort', () => void content.release(), { once: true });
  async function* bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* zipStream(entriesOf(parts, key, content, wanted), AHEAD);
    } finally {
      await content.release();
    }
  }
  return bytes();
}
