import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { RetentionTerms } from './retention-of.ts';

/** What a deletion goes by beside its own rule. */
export async function retentionTerms(tx: Tx, locationId: string): Promise<RetentionTerms> {
  const { rows } = await sql<{ days: number; zone: string; now: Date }>`
    select coalesce((select retain_days from locations where location_id = ${locationId}), 0)::int as days,
      coalesce((select time_zone from organisations), 'UTC') as zone, now() as now`.execute(tx);
  const [row] = rows;
  return { retainDays: row?.days ?? 0, timeZone: row?.zone ?? 'UTC', nowMs: row?.now.getTime() ?? 0 };
}
