import type { Database, Scope, Tx } from '@holdfast/database';
import type { HeldLease, Lease, LeaseErrorCode } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { sql } from 'kysely';

const HOLD_SECONDS = 30;
const HEARTBEAT_MS = 8_000;

export interface LeaseOptions {
  readonly database: Database;
  readonly scope: Scope;
  readonly locationId: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

function lost(resourceId: string): AppError<LeaseErrorCode> {
  return new AppError('lease.lost', { details: { resourceId } });
}

/** Lets the numbers of a resource's lease go on above `fence`: a journal takes no commit under a lower one than its last. */
export async function raiseFence(
  { database, scope, locationId }: Pick<LeaseOptions, 'database' | 'scope' | 'locationId'>,
  resourceId: string,
  fence: number,
): Promise<void> {
  await database.within(scope, (tx) =>
    sql`
      insert into resource_leases as held (location_id, resource_id, fence) values (${locationId}, ${resourceId}, ${fence})
      on conflict (organisation_id, realm, location_id, resource_id) do update set fence = greatest(held.fence, excluded.fence)`.execute(
      tx,
    ),
  );
}

/**
 * Leases of the resources of one location, by the clock of the database. The number of a lease grows
 * with each taking. A run that is taken up by another worker takes its own lease over at once; a
 * lease of another run only after its holder has been silent for half a minute.
 */
export function createLease(options: LeaseOptions): Lease {
  const { database, scope, locationId, clock, ids } = options;

  function take(resourceId: string, runId: string, holder: string): Promise<number | undefined> {
    return database.within(scope, async (tx) => {
      const { rows } = await sql<{ fence: number }>`
        insert into resource_leases as held (location_id, resource_id, fence, holder, run_id, expires_at)
        values (${locationId}, ${resourceId}, 1, ${holder}, ${runId}, now() + make_interval(secs => ${HOLD_SECONDS}))
        on conflict (organisation_id, realm, location_id, resource_id) do update
          set fence = held.fence + 1, holder = excluded.holder, run_id = excluded.run_id, expires_at = excluded.expires_at
          where held.holder is null or held.expires_at < now() or held.run_id = excluded.run_id
        returning fence`.execute(tx);
      return rows[0]?.fence;
    });
  }

  function held(resourceId: string, holder: string, fence: number): HeldLease {
    const losing = new AbortController();
    const mine = sql`location_id = ${locationId} and resource_id = ${resourceId} and holder = ${holder} and fence = ${fence}`;

    async function extend(): Promise<void> {
      const isMine = await database.within(scope, async (tx) => {
        const { rows } = await sql`
          update resource_leases set expires_at = now() + make_interval(secs => ${HOLD_SECONDS}) where ${mine} returning fence`.execute(tx);
        return rows.length > 0;
      });
      if (!isMine) losing.abort(lost(resourceId));
    }

    // A failed heartbeat is not a lost lease: the next one may come through before it expires.
    const stop = clock.every(HEARTBEAT_MS, () => void extend().catch(() => undefined));

    return {
      fence,
      signal: losing.signal,
      async confirm() {
        const ask = async (tx: Tx): Promise<boolean> => {
          const { rows } = await sql`select fence from resource_leases where ${mine} and expires_at > now() for share`.execute(tx);
          return rows.length > 0;
        };
        // To lock the row is to write: without this every question would wait for the disk.
        if (await database.within(scope, ask, { isDurable: false })) return;
        losing.abort(lost(resourceId));
        throw lost(resourceId);
      },
      async release() {
        stop();
        await database.within(scope, (tx) => sql`update resource_leases set holder = null, expires_at = null where ${mine}`.execute(tx));
      },
    };
  }

  return Object.freeze<Lease>({
    async acquire(resourceId, runId) {
      const holder = ids.uuid();
      const fence = await take(resourceId, runId, holder);
      if (fence === undefined) throw new AppError<LeaseErrorCode>('lease.taken', { details: { resourceId } });
      return held(resourceId, holder, fence);
    },
  });
}
