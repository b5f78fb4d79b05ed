import { sha256Hex } from '@holdfast/foundation/bytes';
import { AppError, systemCode } from '@holdfast/foundation/errors';
import { silentLogger, type Logger } from '@holdfast/foundation/logger';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { installQueue } from '../queue/install.ts';

/** Where the numbered SQL files are. */
export const migrationsFolder: string = fileURLToPath(new URL('../../migrations', import.meta.url));

/** What a run of `migrate` did. */
export interface MigrationReport {
  readonly applied: readonly string[];
  readonly version: number;
}

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Any number, the same for everybody: only one process migrates a database at a time. */
const LOCK = 4_716_220_331;
const FILE = /^(\d{4})-([a-z0-9-]+)\.sql$/;

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(`${folder}/${name}`, 'utf8');
      return { number: Number(name.slice(0, 4)), name: name.slice(0, -4), sql: text, checksum: sha256Hex(text) };
    }),
  );
}

function refuseUnknown(known: readonly Migration[], applied: readonly { number: number; name: string; checksum: string }[]): void {
  const byNumber = new Map(known.map((migration) => [migration.number, migration]));
  for (const done of applied) {
    const ours = byNumber.get(done.number);
    if (!ours)
      throw new AppError('database.newer-schema', {
        message: `The database was migrated by a newer version (${done.name}).`,
        details: { migration: done.name },
      });
    if (ours.checksum !== done.checksum) {
      throw new AppError('database.edited-migration', {
        message: `${ours.name} was changed after it had been applied.`,
        details: { migration: ours.name },
      });
    }
  }
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into holdfast_migrations (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    if (systemCode(error) === '42501' && migration.number === 1) {
      throw new AppError('database.roles-missing', {
        message:
          'The owner of the database may not create the roles holdfast_application and holdfast_directory. docs/operations/postgresql.md has the statements for an administrator.',
        cause: error,
      });
    }
    throw error;
  }
}

/** Takes the lock of migrations. The log names the connection that holds it while this process has to wait. */
async function lockMigrations(client: pg.Client, logger: Logger): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCK]);
  if (rows[0]?.held === true) return;
  const holders = await client.query<{ processId: number; application: string; state: string }>(
    `select pid as "processId", application_name as application, state from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and (classid::bigint << 32) | objid::bigint = $1`,
    [LOCK],
  );
  logger.info({ holders: holders.rows }, 'waiting for another process that migrates the database');
  await client.query('select pg_advisory_lock($1)', [LOCK]);
}

export interface MigrateOptions {
  /** Where the numbered SQL files are, unless in this package. */
  readonly folder?: string;
  readonly logger?: Logger;
}

/**
 * Brings a database to this version as its owner: forward only, each file in a transaction, one
 * process at a time. Throws `database.newer-schema` or `database.edited-migration` and changes
 * nothing when the database is not an older state of this version. May be repeated at any time.
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<MigrationReport> {
  const { folder = migrationsFolder, logger = silentLogger } = options;
  const known = await readMigrations(folder);
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'holdfast migrate' });
  await client.connect();
  try {
    await lockMigrations(client, logger);
    await client.query(`create table if not exists holdfast_migrations (
      number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
    const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
      'select number, name, checksum from holdfast_migrations order by number',
    );
    refuseUnknown(known, rows);
    const done = new Set(rows.map((row) => row.number));
    const due = known.filter((migration) => !done.has(migration.number));
    for (const migration of due) await applyOne(client, migration);
    await installQueue(client, ownerUrl);
    return { applied: due.map((migration) => migration.name), version: known.at(-1)?.number ?? 0 };
  } finally {
    await client.end();
  }
}
