import { FOREVER, type Tx } from '@holdfast/database';
import type { CatalogSegment, JsonObject } from '@holdfast/engine';
import { sql } from 'kysely';
import { recountEnds, uncountMessages } from './archive-recount.store.ts';

/** Items that a segment has erased. */
export interface Erased {
  readonly resourceId: string;
  readonly sequence: number;
  /** Of the segment: it attests the names of what was erased with it. */
  readonly hash: string;
  readonly items: number;
  /** Who wanted it and why, as the journal has it. */
  readonly why: ErasureReason;
}

/** Told in the transaction that erases. */
export type OnErased = (tx: Tx, erased: Erased) => Promise<void>;

/** Who wanted items erased, and why, for the journal and for tombstones. */
export interface ErasureReason {
  readonly deletionId: string;
  readonly basis: string;
  readonly reason: string;
  readonly requester: string;
  readonly approver: string;
}

interface ErasingPlace {
  readonly sourceId: string;
  readonly locationId: string;
  readonly onErased?: OnErased | undefined;
}

const NO_DELETION = '00000000-0000-0000-0000-000000000000';

/** Of a journal that was damaged the reason may be missing: what it erased stays erased all the same. */
function reasonFrom(why: JsonObject): ErasureReason {
  const said = (name: keyof ErasureReason, otherwise = ''): string => {
    const value = why[name];
    return typeof value === 'string' && value !== '' ? value : otherwise;
  };
  const people = { requester: said('requester'), approver: said('approver') };
  return { deletionId: said('deletionId', NO_DELETION), basis: said('basis'), reason: said('reason'), ...people };
}

/** What is left of each item, whether the catalog has it or only the journal says that it was erased. */
async function layTombstones(tx: Tx, { sourceId, locationId }: ErasingPlace, segment: CatalogSegment, keys: readonly string[]) {
  const { resourceId, sequence, hash, committedAt } = segment;
  const { deletionId, basis, reason, requester, approver } = reasonFrom(segment.erased?.why ?? {});
  await sql`
    with gone as (
      select name.item_key, coalesce(max(item.size_bytes), 0) as size_bytes, max(item.modified_at) as received_at, min(item.from_point) as first_point,
        coalesce(array_agg(item.from_point order by item.from_point) filter (where item.from_point is not null), '{}') as captured,
        (array_agg(mime.sha256 order by item.from_point desc) filter (where mime.sha256 is not null))[1] as content_hash
      from unnest(${[...keys]}::text[]) as name (item_key)
      left join catalog_items item on item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
        and item.source_id = ${sourceId} and item.item_key = name.item_key
      left join lateral (select content -> 'ref' ->> 'sha256' as sha256 from json_array_elements(item.detail -> 'contents') content
        where item.kind = 'message' and content ->> 'role' = 'mime' limit 1) mime on true
      group by name.item_key)
    insert into tombstones (resource_id, location_id, message_id, deletion_id, size_bytes, received_at, archived_at, erased_at, basis,
      reason, requester, approver, sequence, captured, segment_hash, content_hash)
    select ${resourceId}, ${locationId}, gone.item_key, ${deletionId}, gone.size_bytes, gone.received_at,
      (select min(point.committed_at) from catalog_points point where point.source_id = ${sourceId} and point.sequence >= gone.first_point),
      ${committedAt}, ${basis}, ${reason}, ${requester}, ${approver}, ${sequence}, gone.captured, ${hash}, gone.content_hash
    from gone on conflict do nothing`.execute(tx);
}

/** Earlier restore points have as many children less. */
async function uncountChildren(tx: Tx, sourceId: string, keys: readonly string[]): Promise<void> {
  const versions = sql`catalog_items where organisation_id = holdfast.organisation() and realm = holdfast.realm()
    and source_id = ${sourceId} and item_key = any(${[...keys]})`;
  await sql`
    insert into catalog_folder_counts as counted (source_id, parent_key, sequence, kind, change)
    select ${sourceId}, coalesce(parent_key, ''), sequence, kind, sum(change)::int from (
      select parent_key, kind, from_point as sequence, -1 as change from ${versions}
      union all select parent_key, kind, to_point, 1 from ${versions} and to_point <> ${FOREVER}) changes
    group by 2, 3, 4
    on conflict (organisation_id, realm, source_id, parent_key, sequence, kind) do update set change = counted.change + excluded.change`.execute(
    tx,
  );
  await sql`delete from catalog_folder_counts where source_id = ${sourceId} and change = 0`.execute(tx);
}

/** Every version goes, and with it what the index has of it; lists of chosen items forget its name as well. */
async function removeVersions(tx: Tx, sourceId: string, keys: readonly string[]) {
  const { rows } = await sql<{ versions: number; bytes: number; oldest: Date | null; newest: Date | null }>`
    with gone as (
      delete from catalog_items where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId}
        and item_key = any(${[...keys]}) returning to_point, size_bytes, modified_at)
    select count(*) filter (where to_point = ${FOREVER})::bigint as versions,
      coalesce(sum(size_bytes) filter (where to_point = ${FOREVER}), 0)::bigint as bytes, min(modified_at) as oldest, max(modified_at) as newest
    from gone`.execute(tx);
  await sql`delete from search_selection_items where source_id = ${sourceId} and item_key = any(${[...keys]})`.execute(tx);
  return rows[0] ?? { versions: 0, bytes: 0, oldest: null, newest: null };
}

/** Takes what a segment erases out of the catalog and out of every restore point, and leaves a tombstone for each. */
export async function eraseFromCatalog(
  tx: Tx,
  place: ErasingPlace,
  segment: CatalogSegment,
): Promise<{ readonly versions: number; readonly bytes: number }> {
  const { keys, why } = segment.erased ?? { keys: [], why: {} };
  if (keys.length === 0) return { versions: 0, bytes: 0 };
  const { sourceId } = place;
  const { resourceId, sequence, hash } = segment;
  await layTombstones(tx, place, segment, keys);
  await uncountChildren(tx, sourceId, keys);
  await uncountMessages(tx, sourceId, keys);
  const { versions, bytes, oldest, newest } = await removeVersions(tx, sourceId, keys);
  await recountEnds(tx, sourceId, { oldest, newest });
  await place.onErased?.(tx, { resourceId, sequence, hash, items: keys.length, why: reasonFrom(why) });
  return { versions, bytes };
}

/**
 * Those of the items that were erased from a resource, whichever location had them. Bytes that were erased from the backup of a
 * mailbox count as erased from its archive.
 */
export async function erasedAmong(tx: Tx, resourceId: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ message_id: string }>`
    select message_id from tombstones where resource_id = ${resourceId} and message_id = any(${[...keys]})
    union select gone.content_hash from resources archive
    join resources mailbox on mailbox.organisation_id = archive.organisation_id and mailbox.realm = archive.realm
      and mailbox.tenant_id = archive.tenant_id and mailbox.graph_id = archive.graph_id and mailbox.kind = 'mailbox'
    join tombstones gone on gone.organisation_id = mailbox.organisation_id and gone.realm = mailbox.realm
      and gone.resource_id = mailbox.resource_id and gone.content_hash = any(${[...keys]})
    where archive.resource_id = ${resourceId} and archive.kind = 'archive'`.execute(tx);
  return new Set(rows.map((row) => row.message_id));
}
