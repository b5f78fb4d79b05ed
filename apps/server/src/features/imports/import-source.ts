import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { importPartBytes } from '@holdfast/contract/imports';
import type { ImportSettings } from '@holdfast/contract/jobs';
import type { Database, Scope } from '@holdfast/database';
import type { MailFile } from '@holdfast/engine';
import { AppError } from '@holdfast/foundation/errors';
import type { Vault } from '@holdfast/vault';
import type { Vaults } from '../../storage/index.ts';
import { findImportFile, partsOf, storedParts } from './import-files.store.ts';

export interface ImportSourceParts {
  readonly database: Database;
  readonly vaults: Pick<Vaults, 'use'>;
  /** The folders of this machine that may be imported from. */
  readonly roots: readonly string[];
}

/** The files of an import. */
export interface ImportFiles {
  /** From the first one, each time. */
  all(): AsyncIterable<MailFile>;
  /** Changes when files come, go or change: a place in the old ones then says nothing any more. */
  readonly digest: string;
}

/** Parts that are held at a time: what reads an index at the end of a file goes back and forth. */
const HELD_PARTS = 4;

function createPartReader(vault: Vault, objects: readonly string[]) {
  const held = new Map<number, Buffer>();
  return async (part: number): Promise<Buffer> => {
    const known = held.get(part);
    if (known) return known;
    const bytes = await vault.documents.get(objects[part] ?? '');
    held.set(part, bytes);
    for (const oldest of held.keys()) {
      if (held.size <= HELD_PARTS) break;
      held.delete(oldest);
    }
    return bytes;
  };
}

function uploadedFile(
  vault: Vault,
  { name, sizeBytes, objects }: { readonly name: string; readonly sizeBytes: number; readonly objects: readonly string[] },
): MailFile {
  const partAt = createPartReader(vault, objects);
  return {
    name,
    sizeBytes,
    async read(offset, length) {
      const pieces: Buffer[] = [];
      const end = Math.min(offset + length, sizeBytes);
      for (let at = offset; at < end;) {
        const part = Math.floor(at / importPartBytes);
        const start = part * importPartBytes;
        const piece = (await partAt(part)).subarray(at - start, end - start);
        pieces.push(piece);
        at += piece.byteLength;
      }
      return Buffer.concat(pieces);
    },
  };
}

async function withUpload<T>(
  { database, vaults }: ImportSourceParts,
  scope: Scope,
  { tenantId, fileId }: { readonly tenantId: string; readonly fileId: string },
  work: (files: ImportFiles) => Promise<T>,
): Promise<T> {
  const { row, stored } = await database.within(scope, async (tx) => ({
    row: await findImportFile(tx, tenantId, fileId),
    stored: await storedParts(tx, fileId),
  }));
  if (!row || stored.length < partsOf(row.size_bytes)) throw new AppError('import.file-not-whole');
  const file = { name: row.name, sizeBytes: row.size_bytes, objects: stored.map(({ objectId }) => objectId) };
  return vaults.use(scope, row.location_id, (vault) =>
    work({
      digest: fileId,
      async *all() {
        yield uploadedFile(vault, file);
      },
    }),
  );
}

const isWithin = (folder: string, root: string): boolean => {
  const relative = path.relative(root, folder);
  return !relative.startsWith('..') && !path.isAbsolute(relative);
};

/** A folder or file of this machine that may be imported from; links out of there are refused. */
export async function allowedImportPath(wanted: string, roots: readonly string[]): Promise<string> {
  const refused = new AppError('import.folder-refused', { details: { field: 'import.source.path' } });
  if (wanted.includes('\0')) throw refused;
  for (const allowed of roots) {
    const root = path.resolve(allowed);
    const there = path.resolve(root, wanted);
    if (!isWithin(there, root)) continue;
    const real = await realpath(there).catch(() => undefined);
    const realRoot = await realpath(root).catch(() => undefined);
    if (real !== undefined && realRoot !== undefined && isWithin(real, realRoot)) return real;
  }
  throw refused;
}

async function* filesBelow(folder: string, name: string): AsyncGenerator<MailFile, void, undefined> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true });
  // The order is that of every run, so that an interrupted one goes on in the right place.
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = name === '' ? entry.name : `${name}/${entry.name}`;
    const there = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(there, below);
    else if (entry.isFile()) yield* fileAt(there, below);
  }
}

async function* fileAt(there: string, name: string): AsyncGenerator<MailFile, void, undefined> {
  const handle = await open(there, 'r');
  try {
    const { size: sizeBytes } = await handle.stat();
    yield {
      name,
      sizeBytes,
      async read(offset, length) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      },
    };
  } finally {
    await handle.close();
  }
}

/** Works with the files of an import. */
export async function withImportFiles<T>(
  parts: ImportSourceParts,
  scope: Scope,
  { tenantId, source }: { readonly tenantId: string; readonly source: ImportSettings['source'] },
  work: (files: ImportFiles) => Promise<T>,
): Promise<T> {
  if (source.kind === 'upload') return withUpload(parts, scope, { tenantId, fileId: source.fileId }, work);
  const there = await allowedImportPath(source.path, parts.roots);
  const isFolder = (await stat(there)).isDirectory();
  const all = () => (isFolder ? filesBelow(there, '') : fileAt(there, path.basename(there)));
  const digest = createHash('sha256');
  for await (const { name, sizeBytes } of all()) digest.update(`${name}\0${sizeBytes}\0`);
  return work({ all, digest: digest.digest('base64url').slice(0, 16) });
}
