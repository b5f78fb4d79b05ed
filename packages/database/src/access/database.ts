import { systemClock } from '@holdfast/foundation/clock';
import { AppError, systemCode } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { createListener, type Listener } from './listener.ts';
import type pg from 'pg';
import { createPool } from './pool.ts';
import type { DirectoryTables, InstallationTables, Schema } from '../schema/schema.ts';
import type { Scope } from './scope.ts';

/** A transaction that sees one organisation in one realm. */
export type Tx = Transaction<Schema>;
/** A transaction over tables that belong to no organisation. Organisation tables show it no row. */
export type InstallationTx = Transaction<InstallationTables>;
/** A read-only transaction over published ids and times of all organisations. */
export type DirectoryTx = Transaction<DirectoryTables>;

/**
 * A question that every request asks. It is prepared once for each connection, so its text names every
 * column it reads: what a later migration adds must not change the shape of its answer.
 */
export interface Lookup {
  readonly name: string;
  readonly text: string;
  /** Tables of no organisation, or what migrations published of all organisations to the directory role. */
  readonly over: 'installation' | 'directory';
}

export interface WithinOptions {
  /**
   * `false`: nobody waits for the disk, and a server that crashes may forget it. For locks, and for what is made again from
   * the vault. A later commit that is durable makes all before it durable.
   */
  readonly isDurable?: boolean;
}

/** The only way to the tables. The pool itself is not reachable. */
export interface Database {
  /**
   * Runs `work` in one transaction within an organisation. Commits when it returns, rolls back when
   * it throws. `work` is repeated after a deadlock or serialization failure, so it must not act
   * outside the transaction. Throws `database.unavailable` when PostgreSQL can't be reached.
   */
  within<T>(scope: Scope, work: (tx: Tx) => Promise<T>, options?: WithinOptions): Promise<T>;
  /** The same over tables without organisation. */
  installation<T>(work: (tx: InstallationTx) => Promise<T>): Promise<T>;
  /** Reads what migrations published to the directory role: ids and times, to find the organisation of a row. */
  acrossOrganisations<T>(work: (tx: DirectoryTx) => Promise<T>): Promise<T>;
  /** Asks in one round trip, without a transaction; sees all that was committed when it was asked. Changes nothing. */
  lookUp<Row extends object>(lookup: Lookup, values: readonly unknown[]): Promise<Row[]>;
  /** Calls `onPayload` for each `pg_notify` on the channel, and `onReconnect` after messages may have been missed. */
  listen(channel: string, onPayload: (payload: string) => void, onReconnect?: () => void): () => void;
  /** One trivial round trip; for readiness. Throws `database.unavailable` also when nothing can be written. */
  ping(): Promise<void>;
  /** Connections in use and waiting, for metrics. */
  usage(): { readonly total: number; readonly idle: number; readonly waiting: number };
  /** SQL for the queue library, on the same pool. Not for features. */
  readonly queueConnection: { executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The application's connection: a role that owns nothing. A function is asked for each connection. */
  readonly url: string | (() => string);
  /** Taken on by each connection with `SET ROLE` when the URL's own role is the owner. */
  readonly role?: string;
  readonly poolSize?: number;
  readonly statementTimeoutMs?: number;
  readonly logger: Logger;
}

const REPEATABLE = new Set(['40001', '40P01']);
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08001',
  '08003',
  // Nothing can be written: a standby, or a full disk.
  '25006',
  '53100',
]);
const TRIES = 4;

/** Connections that are the directory from their first statement on, and can not write. */
const DIRECTORY = { role: 'holdfast_directory', poolSize: 2, isReadOnly: true } as const;

function translated(error: unknown): unknown {
  const code = systemCode(error);
  if (error instanceof AppError) return error;
  const lost =
    error instanceof Error && /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(error.message);
  return lost || (code !== undefined && UNREACHABLE.has(code)) ? new AppError('database.unavailable', { cause: error }) : error;
}

async function repeatable<T>(attempt: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await attempt();
    } catch (error) {
      const code = systemCode(error);
      if (turn >= TRIES || code === undefined || !REPEATABLE.has(code)) throw translated(error);
      await systemClock.sleep(turn * turn * 5);
    }
  }
}

/** Opens the application's pool. Nothing is connected until the first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = createPool(options);
  let directory: pg.Pool | undefined;
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  let listener: Listener | undefined;

  return Object.freeze<Database>({
    within(scope, work, { isDurable = true } = {}) {
      const unawaited = isDurable ? sql`` : sql`, set_config('synchronous_commit', 'off', true)`;
      return repeatable(() =>
        kysely.transaction().execute(async (tx) => {
          await sql`select set_config('holdfast.organisation', ${scope.organisationId}, true), set_config('holdfast.realm', ${scope.realm}, true)${unawaited}`.execute(
            tx,
          );
          return work(tx);
        }),
      );
    },
    installation(work) {
      return repeatable(() => kysely.transaction().execute((tx) => work(tx as unknown as InstallationTx)));
    },
    acrossOrganisations(work) {
      return repeatable(() =>
        kysely
          .transaction()
          .setAccessMode('read only')
          .execute(async (tx) => {
            await sql`set local role holdfast_directory`.execute(tx);
            return work(tx);
          }),
      );
    },
    lookUp<Row extends object>({ name, text, over }: Lookup, values: readonly unknown[]) {
      if (over === 'directory') directory ??= createPool({ ...options, ...DIRECTORY });
      const asked = over === 'directory' ? (directory ?? pool) : pool;
      return repeatable(async () => (await asked.query<Row>({ name, text, values: [...values] })).rows);
    },
    listen(channel, onPayload, onReconnect = () => undefined) {
      listener ??= createListener(options);
      return listener.add(channel, onPayload, onReconnect);
    },
    async ping() {
      const { rows } = await repeatable(() =>
        sql<{ setting: string }>`select current_setting('transaction_read_only') as setting`.execute(kysely),
      );
      if (rows[0]?.setting === 'on') throw new AppError('database.unavailable', { message: 'The database takes no changes.' });
    },
    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    queueConnection: {
      async executeSql(text, values = []) {
        const result = await pool.query<Record<string, unknown>>(text, values).catch((error: unknown) => {
          throw translated(error);
        });
        return { rows: Array.isArray(result) ? (result.at(-1) as { rows: unknown[] }).rows : result.rows };
      },
    },
    async close() {
      await listener?.close();
      await directory?.end();
      await kysely.destroy();
    },
  });
}
