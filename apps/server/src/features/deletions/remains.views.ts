import type { RemainingCopy } from '@holdfast/contract/deletions';
import { FOREVER, type Tx } from '@holdfast/database';
import { sql } from 'kysely';

type Counted = Pick<RemainingCopy, 'place' | 'messages'> & { readonly location_id: string };

/**
 * Restore points of backups that have the same bytes: those of the mailbox itself by the catalog, all others as far as the
 * index has read them.
 */
async function inBackups(tx: Tx, deletionId: string): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`
    select 'backups' as place, found.location_id, count(distinct found.message_id)::bigint as messages from (
      select source.location_id, gone.message_id from tombstones gone
      join search_items item on item.organisation_id = gone.organisation_id and item.realm = gone.realm and item.content_hash = gone.message_id
      join catalog_sources source on source.organisation_id = item.organisation_id and source.realm = item.realm and source.source_id = item.source_id
      join resources owner on owner.organisation_id = source.organisation_id and owner.realm = source.realm and owner.resource_id = source.resource_id
      where gone.deletion_id = ${deletionId} and owner.kind = 'mailbox'
      union
      select source.location_id, gone.message_id from (select distinct archive.tenant_id, archive.graph_id from tombstones erased
        join resources archive on archive.organisation_id = erased.organisation_id and archive.realm = erased.realm
          and archive.resource_id = erased.resource_id where erased.deletion_id = ${deletionId}) person
      join resources mailbox on mailbox.tenant_id = person.tenant_id and mailbox.graph_id = person.graph_id and mailbox.kind = 'mailbox'
      join catalog_sources source on source.organisation_id = mailbox.organisation_id and source.realm = mailbox.realm
        and source.resource_id = mailbox.resource_id
      join catalog_items item on item.organisation_id = source.organisation_id and item.realm = source.realm and item.source_id = source.source_id
        and item.kind = 'message'
      cross join lateral json_array_elements(item.detail -> 'contents') content
      join tombstones gone on gone.deletion_id = ${deletionId} and gone.message_id = content -> 'ref' ->> 'sha256'
      where content ->> 'role' = 'mime') found
    group by found.location_id`.execute(tx);
  return rows;
}

/** Archives of others that have the same bytes: another placement, which this deletion is not about. */
async function inArchives(tx: Tx, deletionId: string): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`
    select 'archives' as place, source.location_id, count(distinct gone.message_id)::bigint as messages from tombstones gone
    join resources owner on owner.organisation_id = gone.organisation_id and owner.realm = gone.realm and owner.kind = 'archive'
    join catalog_sources source on source.organisation_id = owner.organisation_id and source.realm = owner.realm and source.resource_id = owner.resource_id
    join catalog_items item on item.organisation_id = source.organisation_id and item.realm = source.realm and item.source_id = source.source_id
      and item.item_key = gone.message_id and item.to_point = ${FOREVER}
    where gone.deletion_id = ${deletionId} group by source.location_id`.execute(tx);
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
