import { AppError, systemCode } from '@holdfast/foundation/errors';
import { writeWholeFile } from '@holdfast/foundation/whole-file';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The layout of the data directory that this version writes. */
const LAYOUT = 1;
const FILE = 'version.json';

/** What a data directory says about who wrote it. */
export interface DirectoryVersion {
  readonly layout: number;
  /** Number of the newest migration that has been applied to its database. */
  readonly schema: number;
}

async function readVersion(folder: string): Promise<DirectoryVersion | undefined> {
  try {
    return JSON.parse(await readFile(path.join(folder, FILE), 'utf8')) as DirectoryVersion;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw new AppError('database.data-directory-unusable', { message: `${path.join(folder, FILE)} can't be read.`, cause: error });
  }
}

/**
 * Makes sure that a data directory may be used by this version, and makes it when there is none.
 * Throws `database.data-directory-newer` for one of a newer version, having touched nothing.
 */
export async function openDataDirectory(folder: string, ours: { readonly schema: number; readonly postgresMajor: number }): Promise<void> {
  const found = await readVersion(folder);
  if (found && (found.layout > LAYOUT || found.schema > ours.schema)) {
    throw new AppError('database.data-directory-newer', {
      message: `${folder} was written by a newer version of Holdfast. Start that version, or set HOLDFAST_DATA_DIR to another folder. Nothing was changed.`,
      details: { folder },
    });
  }
  const cluster = await readFile(path.join(folder, 'postgres/PG_VERSION'), 'utf8').catch(() => undefined);
  if (cluster !== undefined && Number(cluster) !== ours.postgresMajor) {
    throw new AppError(Number(cluster) > ours.postgresMajor ? 'database.data-directory-newer' : 'database.data-directory-unusable', {
      message: `The database in ${folder} is of PostgreSQL ${cluster.trim()}, this version brings ${ours.postgresMajor}. Nothing was changed.`,
      details: { folder },
    });
  }
  // Others may pass through, so that PostgreSQL's account reaches its folder; secrets are for this user alone.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  await mkdir(path.join(folder, 'secrets'), { recursive: true, mode: 0o700 });
}

/** Notes what this version has made of the directory. */
export async function noteVersion(folder: string, schema: number): Promise<void> {
  const found = await readVersion(folder);
  if (found?.layout === LAYOUT && found.schema === schema) return;
  await writeWholeFile(path.join(folder, FILE), `${JSON.stringify({ layout: LAYOUT, schema })}\n`, { mode: 0o644 });
}
