import { AppError } from '@holdfast/foundation/errors';
import { systemClock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import pg from 'pg';

/** Who stops the server in the end. */
export interface Claim {
  readonly isKeeper: boolean;
  /** Resolves when the session that holds the claim is gone: the server has ended, or has dropped all its connections. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

/** Any number: the session that holds it keeps the server. A process that dies lets go of it by dying. */
const KEEPER_LOCK = 4_716_220_330;

const ASK_AGAIN_MS = 100;
const CONNECT_MS = 10_000;

interface Patience {
  readonly patienceMs: number;
  readonly logger: Logger;
  readonly signal?: AbortSignal;
}

/** Asks for the lock until it is given, `patienceMs` at the longest: a keeper that is ending needs a moment to let go. */
async function holdLock(client: pg.Client, { patienceMs, logger, signal }: Patience): Promise<boolean> {
  let isTold = false;
  const deadline = systemClock.monotonicMs() + patienceMs;
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [KEEPER_LOCK]);
    if (rows[0]?.held === true) return true;
    if (systemClock.monotonicMs() >= deadline) return false;
    if (!isTold) logger.info({ patienceMs }, 'waiting for another Holdfast on this data directory to end');
    isTold = true;
    await systemClock.sleep(ASK_AGAIN_MS, signal);
  }
}

/**
 * Claims a running server for this process. A keeper that finds another keeper alive waits for it to
 * end, and is refused when it stays; a server without one has lost it in a crash and is adopted.
 */
export async function claimCluster(
  administratorUrl: string,
  { as, ...patience }: Patience & { readonly as: 'keeper' | 'guest' },
): Promise<Claim> {
  const client = new pg.Client({
    connectionString: administratorUrl,
    application_name: 'holdfast keeper',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  });
  const lost = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
  });
  await client.connect();
  const isKeeper = await holdLock(client, as === 'keeper' ? patience : { ...patience, patienceMs: 0 }).catch(async (error: unknown) => {
    await client.end().catch(() => undefined);
    throw error;
  });
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
    lost,
    async release() {
      if (isKeeper) await client.end().catch(() => undefined);
    },
  };
}
