import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { hitsOf, type SearchPlace } from '../search/index.ts';

/** How many items a query finds, and how large they are together. */
export async function sumOfHits(tx: Tx, place: SearchPlace): Promise<{ hits: number; bytes: number }> {
  const { rows } = await sql<{ hits: number; bytes: number }>`
    select count(*)::bigint as hits, coalesce(sum(size_bytes), 0)::bigint as bytes from ${hitsOf(place)} hit`.execute(tx);
  return rows[0] ?? { hits: 0, bytes: 0 };
}
