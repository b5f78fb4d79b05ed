import pg from 'pg';
import { errorText } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';

export interface PoolOptions {
  /** Asked for each connection where it is a function: the server may move. */
  readonly url: string | (() => string);
  readonly role?: string;
  readonly poolSize?: number;
  readonly statementTimeoutMs?: number;
  readonly isReadOnly?: boolean;
  readonly logger: Logger;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('A bigint of the database is too large for a number.');
  return value;
}

/** Parsers of this pool alone: counts and sizes are bigint in SQL and numbers here. */
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(pg.types.builtins.INT8, wholeNumber);

/** Settings of every connection: the role to take on, and the ceilings that keep one query from holding others up. */
export function connectionConfig(options: PoolOptions): pg.ClientConfig {
  const startup = [
    ...(options.role === undefined ? [] : [`-c role=${options.role}`]),
    `-c statement_timeout=${options.statementTimeoutMs ?? 60_000}`,
    '-c idle_in_transaction_session_timeout=20000',
    '-c timezone=UTC',
    ...(options.isReadOnly === true ? ['-c default_transaction_read_only=on'] : []),
  ];
  const connectionString = typeof options.url === 'string' ? options.url : options.url();
  return { connectionString, options: startup.join(' '), application_name: 'holdfast', types: parsers, keepAlive: true };
}

/** A client that asks where the server is when it is made. */
function clientOf(options: PoolOptions): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super({ ...(typeof config === 'string' ? {} : config), ...connectionConfig(options) });
    }
  };
}

/** A pool of connections in the application's role. Errors of idle connections are logged, not thrown. */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    Client: clientOf(options),
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  });
  pool.on('error', (error) => {
    // A pool that is ending loses its connections by design.
    if (!pool.ending) options.logger.warn({ reason: errorText(error) }, 'an idle database connection was lost');
  });
  // One that is lost while somebody works with it fails that work; without a listener it would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => options.logger.warn({ reason: errorText(error) }, 'a database connection was lost at work'));
  });
  return pool;
}
