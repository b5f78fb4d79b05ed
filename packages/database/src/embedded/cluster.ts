import { AppError, systemCode } from '@holdfast/foundation/errors';
import { secureRandom } from '@holdfast/foundation/random';
import { writeWholeFile } from '@holdfast/foundation/whole-file';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { Launcher } from './account.ts';
import type { Binaries } from './binaries.ts';

/** Passwords of the embedded server's roles, made by us, kept in a file that only this user reads. */
export interface Passwords {
  readonly administrator: string;
  readonly owner: string;
  readonly application: string;
}

export const administratorRole = 'holdfast_administrator';
export const ownerRole = 'holdfast_owner';
export const clientRole = 'holdfast_client';
export const databaseName = 'holdfast';

/** Reads the passwords, or makes them at the first start. */
export async function passwordsOf(dataFolder: string): Promise<Passwords> {
  const file = path.join(dataFolder, 'secrets/postgres.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Passwords;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  const make = (): string => secureRandom.bytes(24).toString('base64url');
  const passwords: Passwords = { administrator: make(), owner: make(), application: make() };
  await writeWholeFile(file, JSON.stringify(passwords), { mode: 0o600 });
  return passwords;
}

async function finished(child: ChildProcess): Promise<void> {
  let output = '';
  child.stdout?.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (output += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new AppError('database.did-not-start', { message: `initdb failed: ${output.trim().slice(-2_000)}` });
}

/**
 * Makes the cluster at the first start. It is built beside its place and moved there when it is whole:
 * a crash in between leaves a folder that the next start removes.
 */
export async function ensureCluster(options: {
  readonly dataFolder: string;
  readonly binaries: Binaries;
  readonly launcher: Launcher;
  readonly passwords: Passwords;
  readonly isDurable: boolean;
}): Promise<string> {
  const { dataFolder, binaries, launcher, passwords } = options;
  const cluster = path.join(dataFolder, 'postgres');
  const isThere = await stat(path.join(cluster, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  if (isThere) return cluster;
  const unfinished = path.join(dataFolder, 'postgres.unfinished');
  const passwordFile = path.join(dataFolder, 'postgres.password');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, passwords.administrator, { mode: 0o600 });
  await launcher.own(unfinished);
  await launcher.own(passwordFile);
  const args = [
    `--pgdata=${unfinished}`,
    `--username=${administratorRole}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(options.isDurable ? [] : ['--no-sync']),
  ];
  try {
    await finished(launcher.launch(binaries.initdb, args, ['ignore', 'pipe', 'pipe']));
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(unfinished, cluster);
  return cluster;
}

/**
 * Makes the roles and the database, as the administrator, who is not used again. The owner makes
 * tables; the client may only become `holdfast_application`. Does nothing when they are there.
 */
export async function ensureRoles(administratorUrl: string, passwords: Passwords): Promise<void> {
  const client = new pg.Client({ connectionString: administratorUrl, application_name: 'holdfast set-up' });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select datname as name from pg_database where datname = $1', [databaseName]);
    if (rows.length > 0) return;
    await client.query(`
      do $$ begin
        if not exists (select from pg_roles where rolname = 'holdfast_application') then
          create role holdfast_application nologin noinherit;
          create role holdfast_directory nologin noinherit;
          create role ${ownerRole} login noinherit createdb password ${pg.escapeLiteral(passwords.owner)};
          create role ${clientRole} login noinherit password ${pg.escapeLiteral(passwords.application)};
          grant holdfast_application to ${ownerRole}, ${clientRole} with inherit false, set true;
          grant holdfast_directory to holdfast_application with inherit false, set true;
        end if;
      end $$`);
    await client.query(`create database ${databaseName} owner ${ownerRole}`);
  } finally {
    await client.end();
  }
}
