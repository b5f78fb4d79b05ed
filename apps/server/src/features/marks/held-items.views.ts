import { sql, type RawBuilder } from 'kysely';
import { everBelow } from '../../storage/index.ts';

/** What holds on items guard, those for which the condition is true: sources, holds as owners, and keys of items. What a search finds has nothing in it. */
export function guardedItems(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const named = sql`select source.source_id, hold.hold_id, named.item_key from holds hold
    join hold_items named using (organisation_id, realm, hold_id)
    join catalog_sources source on source.organisation_id = hold.organisation_id and source.realm = hold.realm
      and source.resource_id = hold.resource_id
    where ${condition}`;
  return sql`(select * from ${everBelow(named)} below
    union select source.source_id, hold.hold_id, hit.item_key from holds hold
    join hold_hits hit using (organisation_id, realm, hold_id)
    join catalog_sources source on source.organisation_id = hold.organisation_id and source.realm = hold.realm
      and source.source_id = hit.source_id
    where ${condition})`;
}

/** Whether a hold is on some items, and not on everything of its resources. */
export const isOfItems = sql<boolean>`(hold.search_query is not null or exists (select from hold_items item
  where item.organisation_id = hold.organisation_id and item.realm = hold.realm and item.hold_id = hold.hold_id))`;

/** What holds in force on files and folders guard in a tenant: sources, holds as owners, and keys of items. */
export function heldItems(tenantId: string): RawBuilder<unknown> {
  return guardedItems(sql`hold.tenant_id = ${tenantId} and hold.released_at is null`);
}
