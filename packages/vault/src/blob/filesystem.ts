import { constants, type Stats } from 'node:fs';
import { link, mkdir, open, readdir, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { systemCode } from '@holdfast/foundation/errors';
import { secureRandom } from '@holdfast/foundation/random';
import { vaultError, type VaultError, type VaultErrorCode } from '../shared/errors.ts';
import type { BlobInfo, BlobRange, BlobStore, ObjectLock, PutOptions } from './blob-store.ts';
import { boundsOf, checkObjectName } from './object-name.ts';

/** Names of files that are being written. They begin with a dot, which no object name does. */
const TEMPORARY = '.writing-';

const CODES: { readonly [code: string]: VaultErrorCode } = {
  ENOSPC: 'vault.storage-full',
  EDQUOT: 'vault.storage-full',
  EROFS: 'vault.storage-read-only',
  EACCES: 'vault.access-denied',
  EPERM: 'vault.access-denied',
  ENOENT: 'vault.object-missing',
  ENOTDIR: 'vault.object-missing',
  EISDIR: 'vault.object-missing',
};

/** The vault's error for whatever a file system answered. */
export function filesystemFailure(error: unknown, name: string): VaultError {
  const code = CODES[systemCode(error) ?? ''] ?? 'vault.storage-unavailable';
  return vaultError(code, `${name}: the filesystem answered ${systemCode(error) ?? 'an unknown error'}.`, { object: name }, error);
}

async function writeFully(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  for (let first = 0; first < parts.length; first += 512) {
    const batch = parts.slice(first, first + 512);
    const wanted = batch.reduce((sum, part) => sum + part.byteLength, 0);
    let { bytesWritten } = await file.writev(batch);
    if (bytesWritten === wanted) continue;
    const rest = Buffer.concat(batch).subarray(bytesWritten);
    for (let at = 0; at < rest.byteLength; at += bytesWritten) ({ bytesWritten } = await file.write(rest, at));
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a folder and makes each new level of it durable. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true }).catch(async (error: unknown) => {
    // A recursive mkdir says ENOENT for whatever is wrong with a parent that exists, a read-only file system included.
    if (systemCode(error) !== 'ENOENT') throw error;
    await makeFolder(path.dirname(folder));
    await mkdir(folder);
    return folder;
  });
  if (first === undefined) return;
  for (let level = folder; level.length >= path.dirname(first).length; level = path.dirname(level)) {
    await syncFolder(path.dirname(level));
    if (level === first) break;
  }
}

async function fileStat(file: string): Promise<Stats | undefined> {
  try {
    const stats = await stat(file);
    return stats.isFile() ? stats : undefined;
  } catch (error) {
    if (CODES[systemCode(error) ?? ''] === 'vault.object-missing') return undefined;
    throw error;
  }
}

/** Ranges up to this length are read without asking for the size first. */
const SMALL_RANGE_BYTES = 16 * 1024 * 1024;

async function readRange(file: FileHandle, range: BlobRange | undefined): Promise<Buffer> {
  const isSmall = range && 'offset' in range && range.length <= SMALL_RANGE_BYTES;
  const { start, end } = isSmall ? { start: range.offset, end: range.offset + range.length } : boundsOf((await file.stat()).size, range);
  const data = Buffer.allocUnsafeSlow(end - start);
  let at = 0;
  while (at < data.byteLength) {
    const { bytesRead } = await file.read(data, at, data.byteLength - at, start + at);
    if (bytesRead === 0) return data.subarray(0, at);
    at += bytesRead;
  }
  return data;
}

/** What the parts of a filesystem store share. */
interface Place {
  readonly root: string;
  readonly sync: boolean;
  /** Folders that are there. */
  readonly known: Set<string>;
}

async function enterFolder(place: Place, folder: string): Promise<void> {
  if (place.known.has(folder)) return;
  await makeFolder(folder);
  place.known.add(folder);
}

async function moveInto(place: Place, temporary: string, file: string, put: PutOptions): Promise<void> {
  if (!put.ifAbsent) {
    await rename(temporary, file);
    return;
  }
  try {
    await link(temporary, file);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    const object = path.relative(place.root, file);
    throw vaultError('vault.object-exists', `${object} exists already.`, { object });
  } finally {
    await unlink(temporary);
  }
}

/** A new file in a folder that was there before; somebody may have taken it away since. */
async function openNew(place: Place, file: string): Promise<FileHandle> {
  const make = (): Promise<FileHandle> => open(file, 'wx', 0o600);
  return make().catch(async (error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    const folder = path.dirname(file);
    place.known.delete(folder);
    await enterFolder(place, folder);
    return make();
  });
}

async function writeFile(place: Place, file: string, parts: readonly Uint8Array[], put: PutOptions): Promise<void> {
  const folder = path.dirname(file);
  await enterFolder(place, folder);
  const temporary = path.join(folder, `${TEMPORARY}${secureRandom.bytes(8).toString('hex')}`);
  try {
    await crashPoint('vault.filesystem.before-write');
    const handle = await openNew(place, temporary);
    try {
      await writeFully(handle, parts);
      if (place.sync) await handle.sync();
    } finally {
      await handle.close();
    }
    await crashPoint('vault.filesystem.before-rename');
    await moveInto(place, temporary, file, put);
    await crashPoint('vault.filesystem.after-rename');
    if (place.sync) await syncFolder(folder);
  } catch (error) {
    place.known.delete(folder);
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** What is in a folder, in the order of object names: a folder sorts as its name with a slash. */
async function sortedEntries(root: string, folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (CODES[systemCode(error) ?? ''] === 'vault.object-missing') return [];
    throw filesystemFailure(error, path.relative(root, folder));
  });
  return entries
    .filter((entry) => !entry.name.startsWith('.'))
    .map((entry) => ({ name: entry.isDirectory() ? `${entry.name}/` : entry.name, isFolder: entry.isDirectory() }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function* walk(root: string, base: string, prefix: string, after: string): AsyncGenerator<BlobInfo, void, undefined> {
  const folder = path.join(root, ...base.split('/'));
  for (const entry of await sortedEntries(root, folder)) {
    const name = `${base}${entry.name}`;
    if (entry.isFolder) {
      const isRelated = name.startsWith(prefix) || prefix.startsWith(name);
      if (isRelated && (after < name || after.startsWith(name))) yield* walk(root, name, prefix, after);
    } else if (name.startsWith(prefix) && name > after) {
      const stats = await fileStat(path.join(folder, entry.name));
      if (stats) yield { name, sizeBytes: stats.size, modifiedAtMs: stats.mtimeMs };
    }
  }
}

async function readObject(file: string, name: string, range: BlobRange | undefined): Promise<Buffer> {
  try {
    const handle = await open(file, constants.O_RDONLY);
    try {
      return await readRange(handle, range);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw filesystemFailure(error, name);
  }
}

async function removeTemporary(root: string, beforeMs: number): Promise<number> {
  let removed = 0;
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true }).catch(() => [])) {
    if (!entry.name.startsWith(TEMPORARY)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const stats = await fileStat(file);
    if (!stats || stats.mtimeMs >= beforeMs) continue;
    await unlink(file);
    removed += 1;
  }
  return removed;
}

/**
 * A store in a folder. A put writes a temporary file, syncs it, renames (or, for a conditional put,
 * links) it into place and syncs the folder: after a crash an object is there whole or not at all.
 */
export function createFilesystemBlobStore(options: { readonly root: string; readonly sync?: boolean }): BlobStore {
  const root = path.resolve(options.root);
  const place: Place = { root, sync: options.sync ?? true, known: new Set() };

  function fileOf(name: string): string {
    checkObjectName(name);
    return path.join(root, ...name.split('/'));
  }

  return Object.freeze({
    description: `filesystem ${root}`,
    abilities: { conditionalPut: true, objectLock: false },
    async put(name: string, parts: readonly Uint8Array[], put: PutOptions = {}) {
      const file = fileOf(name);
      try {
        await writeFile(place, file, parts, put);
      } catch (error) {
        if (isVaultFailure(error)) throw error;
        const failure = filesystemFailure(error, name);
        throw failure.code === 'vault.object-missing'
          ? vaultError('vault.storage-unavailable', failure.message, failure.details, error)
          : failure;
      }
    },
    fileOf,
    get: async (name: string, range?: BlobRange) => readObject(fileOf(name), name, range),
    async stat(name: string): Promise<BlobInfo | undefined> {
      const file = fileOf(name);
      try {
        const stats = await fileStat(file);
        return stats && { name, sizeBytes: stats.size, modifiedAtMs: stats.mtimeMs };
      } catch (error) {
        throw filesystemFailure(error, name);
      }
    },
    // Begins in the folder of the prefix: what lies beside it may be much.
    list: (prefix: string, after = '') => walk(root, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix, after),
    async delete(name: string) {
      const file = fileOf(name);
      try {
        await crashPoint('vault.filesystem.before-delete');
        await unlink(file);
        if (place.sync) await syncFolder(path.dirname(file));
      } catch (error) {
        const failure = filesystemFailure(error, name);
        if (failure.code !== 'vault.object-missing') throw failure;
      }
    },
    async extendLock(_name: string, _lock: ObjectLock) {
      // A filesystem has no object lock; `abilities` says so.
    },
    removeLeftovers: (beforeMs: number) => removeTemporary(root, beforeMs),
    async close() {
      place.known.clear();
    },
  });
}

function isVaultFailure(error: unknown): boolean {
  return systemCode(error)?.startsWith('vault.') ?? false;
}
