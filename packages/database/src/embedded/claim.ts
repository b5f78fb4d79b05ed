import { AppError } from '@holdfast/foundation/errors';
import pg from 'pg';

/** Who stops the server in the end. */
export interface Claim {
  readonly isKeeper: boolean;
  release(): Promise<void>;
}

/** Any number: the session that holds it keeps the server. A process that dies lets go of it by dying. */
const KEEPER_LOCK = 4_716_220_330;

/**
 * Claims a running server for this process. A keeper that finds another keeper alive is refused; a
 * server without one has lost it in a crash and is adopted.
 */
export async function claimCluster(administratorUrl: string, as: 'keeper' | 'guest'): Promise<Claim> {
  const client = new pg.Client({ connectionString: administratorUrl, application_name: 'holdfast keeper', keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [KEEPER_LOCK]);
  const isKeeper = rows[0]?.held === true;
  if (!isKeeper) {
    await client.end();
    if (as === 'keeper') {
      throw new AppError('database.did-not-start', {
        message: 'Another Holdfast is running on this data directory. Stop it first, or set HOLDFAST_DATA_DIR to another folder.',
      });
    }
  }
  return {
    isKeeper,
    async release() {
      if (isKeeper) await client.end().catch(() => undefined);
    },
  };
}
