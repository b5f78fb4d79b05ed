import type { RemainingCopy } from '@holdfast/contract/deletions';
import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';

type Counted = Pick<RemainingCopy, 'place' | 'messages'> & { readonly location_id: string };

/**
 * Joins what is looked up for each row by itself. Nobody has counted the tombstones that were just written: joined with as many rows
 * as they are, all of them would be read once for every one. For the same reason sets are compared by `intersect`, which hashes.
 */
const eachLookedUp = (found: RawBuilder<unknown>): RawBuilder<unknown> => sql`cross join lateral (${found} offset 0) known`;

/**
 * Restore points of backups that have the same bytes: those of the mailbox itself by the catalog, all others as far as the
 * index has read them.
 */
async function inBackups(tx: Tx, deletionId: string): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`
    with gone as materialized (select distinct message_id from tombstones where deletion_id = ${deletionId}),
    person as materialized (select distinct archive.tenant_id, archive.graph_id from tombstones erased
      join resources archive using (organisation_id, realm, resource_id) where erased.deletion_id = ${deletionId}),
    own as materialized (select source.location_id, content -> 'ref' ->> 'sha256' as message_id from person
      join resources mailbox on mailbox.tenant_id = person.tenant_id and mailbox.graph_id = person.graph_id and mailbox.kind = 'mailbox'
      join catalog_sources source using (organisation_id, realm, resource_id)
      join catalog_items item using (organisation_id, realm, source_id)
      cross join lateral json_array_elements(item.detail -> 'contents') content
      where item.kind = 'message' and content ->> 'role' = 'mime')
    select 'backups' as place, location_id, count(*)::bigint as messages from (
      select known.location_id, gone.message_id from gone ${eachLookedUp(sql`
        select distinct source.location_id from search_items item
        join catalog_sources source using (organisation_id, realm, source_id)
        join resources owner using (organisation_id, realm, resource_id)
        where item.content_hash = gone.message_id and owner.kind = 'mailbox'`)}
      union
      (select location_id, message_id from own
        intersect select place.location_id, gone.message_id from gone cross join (select distinct location_id from own) place)) found
    group by location_id`.execute(tx);
  return rows;
}

/** Archives of others that have the same bytes: another placement, which this deletion is not about. */
async function inArchives(tx: Tx, deletionId: string): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`
    select 'archives' as place, known.location_id, count(*)::bigint as messages
    from (select distinct message_id from tombstones where deletion_id = ${deletionId}) gone ${eachLookedUp(sql`
      select distinct source.location_id from catalog_sources source
      join resources owner using (organisation_id, realm, resource_id)
      join catalog_items item using (organisation_id, realm, source_id)
      where item.item_key = gone.message_id and item.to_point = ${FOREVER} and owner.kind = 'archive'`)}
    group by known.location_id`.execute(tx);
  return rows;
}

/** The journals of receivers that brought erased messages: they keep each report as it came. */
async function inJournals(tx: Tx, deletionId: string): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`
    select 'journals' as place, location_id, count(*)::bigint as messages from message_deletion_items
    where deletion_id = ${deletionId} and state = 'erased' and is_journaled group by location_id`.execute(tx);
  return rows;
}

/** What locations store although nothing needs it any longer: it goes with one of the next looks. */
async function inVaults(tx: Tx, deletionId: string, locationIds: readonly string[]): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`
    select 'vault' as place, location_id, count(*)::bigint as messages from tombstones
    where deletion_id = ${deletionId} and location_id = any(${[...locationIds]}::uuid[]) group by location_id`.execute(tx);
  return rows;
}

/** Where copies of what a deletion has erased remain. `unswept`: locations that still store something of it. */
export async function remainingCopies(tx: Tx, deletionId: string, unswept: readonly string[]): Promise<readonly RemainingCopy[]> {
  const counted = [
    ...(await inBackups(tx, deletionId)),
    ...(await inArchives(tx, deletionId)),
    ...(await inJournals(tx, deletionId)),
    ...(await inVaults(tx, deletionId, unswept)),
  ];
  if (counted.length === 0) return [];
  const locations = await tx
    .selectFrom('locations')
    .select(['location_id', 'name', 'immutability'])
    .where(
      'location_id',
      'in',
      counted.map(({ location_id: locationId }) => locationId),
    )
    .execute();
  const byId = new Map(locations.map((row) => [row.location_id, row]));
  return counted.map(({ place, location_id: locationId, messages }) => {
    const location = byId.get(locationId);
    const { mode = 'none', days = 0 } = (location?.immutability ?? {}) as { readonly mode?: string; readonly days?: number };
    return { place, messages, locationName: location?.name ?? '', lockedDays: mode === 'none' ? 0 : days };
  });
}
