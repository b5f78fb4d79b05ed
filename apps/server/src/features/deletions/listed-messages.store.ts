import { FOREVER, type Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { Keeper } from './keepers.ts';

/** One archive of one mailbox that has messages of a list. */
export interface ListedPlace {
  readonly resourceId: string;
  readonly locationId: string;
}

/** What becomes of a message of the list. */
export interface ListedState {
  readonly key: string;
  readonly state: 'listed' | 'kept' | 'erased' | 'gone';
  readonly keepers: readonly Keeper[];
}

const inArchive = sql`
  join catalog_sources archived on archived.organisation_id = holdfast.organisation() and archived.realm = holdfast.realm()
    and archived.resource_id = wanted.resource_id
  join catalog_items item on item.organisation_id = archived.organisation_id and item.realm = archived.realm
    and item.source_id = archived.source_id and item.item_key = wanted.message_id and item.to_point = ${FOREVER} and item.kind = 'message'`;

/**
 * Lists the archived messages of a selection, in every location that has them. A message that was chosen in a backup stands for the
 * same bytes in the archive of its mailbox. Answers how many chosen items that accounts for.
 */
export async function freezeList(
  tx: Tx,
  { deletionId, selectionId }: { readonly deletionId: string; readonly selectionId: string },
): Promise<{ readonly listed: number; readonly matched: number }> {
  const { rows } = await sql<{ listed: number; matched: number }>`
    with chosen as (
      select one.source_id, one.item_key, one.from_point, owner.tenant_id, owner.graph_id, owner.kind, owner.resource_id
      from search_selection_items one
      join catalog_sources source using (organisation_id, realm, source_id)
      join resources owner using (organisation_id, realm, resource_id)
      where one.selection_id = ${selectionId} and one.kind = 'message'
    ), wanted as (
      select chosen.source_id, chosen.item_key, chosen.resource_id, chosen.item_key as message_id from chosen where chosen.kind = 'archive'
      union all
      select chosen.source_id, chosen.item_key, archive.resource_id, content ->> 'sha256' from chosen
      join resources archive on archive.tenant_id = chosen.tenant_id and archive.graph_id = chosen.graph_id and archive.kind = 'archive'
      join catalog_items item on item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
        and item.source_id = chosen.source_id and item.item_key = chosen.item_key and item.from_point = chosen.from_point
      cross join lateral (select one -> 'ref' as content from json_array_elements(item.detail -> 'contents') one where one ->> 'role' = 'mime') mime
      where chosen.kind = 'mailbox'
    ), found as (
      select wanted.source_id as chosen_source, wanted.item_key as chosen_key, archived.resource_id, archived.location_id, item.item_key,
        item.from_point, item.size_bytes, exists (select from json_array_elements(item.detail #> '{properties,placements}') place
          where place ->> 'source' = 'journal') as is_journaled
      from wanted ${inArchive}
    ), added as (
      insert into message_deletion_items (deletion_id, resource_id, location_id, item_key, from_point, size_bytes, is_journaled)
      select distinct ${deletionId}::uuid, resource_id, location_id, item_key, from_point, size_bytes, is_journaled from found returning 1)
    select (select count(*) from added)::bigint as listed,
      (select count(*) from (select distinct chosen_source, chosen_key from found) matched)::bigint as matched`.execute(tx);
  return rows[0] ?? { listed: 0, matched: 0 };
}

/** The version that the archive of a listed message has now; null where it has none. */
const versionNow = sql`(select max(item.from_point) from catalog_sources source
  join catalog_items item on item.organisation_id = source.organisation_id and item.realm = source.realm and item.source_id = source.source_id
    and item.item_key = listed.item_key and item.to_point = ${FOREVER}
  where source.organisation_id = listed.organisation_id and source.realm = listed.realm and source.resource_id = listed.resource_id
    and source.location_id = listed.location_id)`;

/** Messages of the list that are not in the archive as they were previewed. */
export async function changedSince(tx: Tx, deletionId: string): Promise<number> {
  const { rows } = await sql<{ changed: number }>`
    select count(*)::bigint as changed from message_deletion_items listed
    where listed.deletion_id = ${deletionId} and listed.state in ('listed', 'kept')
      and listed.from_point is distinct from ${versionNow}`.execute(tx);
  return rows[0]?.changed ?? 0;
}

/** Takes the list as it is in the archive now: another version counts, and what has gone is named as gone. */
export async function renewList(tx: Tx, deletionId: string): Promise<void> {
  await sql`
    update message_deletion_items listed set kept_by = '[]', (state, from_point) = (
      select case when version is null then 'gone' else 'listed' end, coalesce(version, listed.from_point) from (select ${versionNow} as version) found)
    where listed.deletion_id = ${deletionId} and listed.state <> 'erased'`.execute(tx);
}

/** The archives that have messages of the list, in order. */
export async function placesOf(tx: Tx, deletionId: string): Promise<readonly ListedPlace[]> {
  const rows = await tx
    .selectFrom('message_deletion_items')
    .select(['resource_id', 'location_id'])
    .distinct()
    .where('deletion_id', '=', deletionId)
    .orderBy('resource_id')
    .orderBy('location_id')
    .execute();
  return rows.map((row) => ({ resourceId: row.resource_id, locationId: row.location_id }));
}

/** Messages of one archive that are not settled, after a key, in the order of their keys. */
export async function listedAfter(
  tx: Tx,
  deletionId: string,
  { resourceId, locationId }: ListedPlace,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('message_deletion_items')
    .select('item_key')
    .where('deletion_id', '=', deletionId)
    .where('resource_id', '=', resourceId)
    .where('location_id', '=', locationId)
    .where('state', 'in', ['listed', 'kept'])
    .where('item_key', '>', after)
    .orderBy('item_key')
    .limit(limit)
    .execute();
  return rows.map((row) => row.item_key);
}

export async function noteStates(
  tx: Tx,
  deletionId: string,
  { resourceId, locationId }: ListedPlace,
  states: readonly ListedState[],
): Promise<void> {
  if (states.length === 0) return;
  await sql`
    update message_deletion_items listed set state = said.state, kept_by = said.kept_by::jsonb
    from unnest(${states.map(({ key }) => key)}::text[], ${states.map(({ state }) => state)}::text[],
      ${states.map(({ keepers }) => JSON.stringify(keepers))}::text[]) as said (item_key, state, kept_by)
    where listed.deletion_id = ${deletionId} and listed.resource_id = ${resourceId} and listed.location_id = ${locationId}
      and listed.item_key = said.item_key`.execute(tx);
}

/** Of some messages those that an archive has now. */
export async function presentIn(tx: Tx, sourceId: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ item_key: string }>`
    select item_key from catalog_items where organisation_id = holdfast.organisation() and realm = holdfast.realm()
      and source_id = ${sourceId} and item_key = any(${[...keys]}) and to_point = ${FOREVER} and kind = 'message'`.execute(tx);
  return new Set(rows.map((row) => row.item_key));
}

/** Of some messages those that this deletion has erased. */
export async function erasedBy(
  tx: Tx,
  deletionId: string,
  { resourceId, locationId }: ListedPlace,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ message_id: string }>`
    select message_id from tombstones where deletion_id = ${deletionId} and resource_id = ${resourceId} and location_id = ${locationId}
      and message_id = any(${[...keys]})`.execute(tx);
  return new Set(rows.map((row) => row.message_id));
}
