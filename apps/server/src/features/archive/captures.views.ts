import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';

/** Everything that was captured with a message, in order, what was erased since included; the message was captured first in that segment. */
export async function capturedWith(tx: Tx, sourceId: string, messageId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ item_key: string }>`
    with first as (select min(from_point) as sequence from catalog_items where organisation_id = holdfast.organisation()
      and realm = holdfast.realm() and source_id = ${sourceId} and item_key = ${messageId})
    select item_key from (
      select item.item_key from catalog_items item join first on item.from_point = first.sequence
      where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.source_id = ${sourceId} and item.kind = 'message'
      union select gone.message_id from tombstones gone join first on first.sequence = any(gone.captured)
      join catalog_sources source on source.organisation_id = gone.organisation_id and source.realm = gone.realm
        and source.resource_id = gone.resource_id and source.location_id = gone.location_id
      where source.source_id = ${sourceId}) captured
    order by item_key collate "C"`.execute(tx);
  return rows.map((row) => row.item_key);
}
