import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';

/** Everything that was captured with a message, in order; the message was captured first in that segment. */
export async function capturedWith(tx: Tx, sourceId: string, messageId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ item_key: string }>`
    select item_key from catalog_items
    where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId} and kind = 'message'
      and from_point = (select min(from_point) from catalog_items first where first.organisation_id = holdfast.organisation()
        and first.realm = holdfast.realm() and first.source_id = ${sourceId} and first.item_key = ${messageId})
    order by item_key collate "C"`.execute(tx);
  return rows.map((row) => row.item_key);
}
