import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { ListedPlace, ListedState } from './deletion-list.ts';

/** As many items as are looked up at a time: every statement names its keys, so that it reads no more of a catalog than it needs. */
const PAGE = 1_000;

/** The newest version that restore points of a source have of each item, ended ones included: an erasure takes all of them. */
export async function newestVersions(tx: Tx, sourceIds: readonly string[], keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ item_key: string; from_point: number }>`
    select item_key, max(from_point) as from_point from catalog_items where organisation_id = holdfast.organisation()
      and realm = holdfast.realm() and source_id = any(${[...sourceIds]}::uuid[]) and item_key = any(${[...keys]})
    group by item_key`.execute(tx);
  return new Map(rows.map((row) => [row.item_key, row.from_point]));
}

/** What one location keeps of a resource. */
export async function sourcesIn(tx: Tx, { resourceId, locationId }: Pick<ListedPlace, 'resourceId' | 'locationId'>): Promise<string[]> {
  const rows = await tx
    .selectFrom('catalog_sources')
    .select('source_id')
    .where('resource_id', '=', resourceId)
    .where('location_id', '=', locationId)
    .execute();
  return rows.map((row) => row.source_id);
}

interface ListedPage {
  /** The key of the last item before. */
  readonly after: string;
  readonly limit: number;
  readonly states: readonly ListedState['state'][];
}

/** Items of one place in some states, in the order of their keys. */
function listedPage(tx: Tx, deletionId: string, { resourceId, locationId }: ListedPlace, { after, limit, states }: ListedPage) {
  return tx
    .selectFrom('message_deletion_items')
    .select(['item_key', 'from_point', 'state'])
    .where('deletion_id', '=', deletionId)
    .where('resource_id', '=', resourceId)
    .where('location_id', '=', locationId)
    .where('state', 'in', states)
    .where('item_key', '>', after)
    .orderBy('item_key')
    .limit(limit)
    .execute();
}

interface Listed {
  readonly key: string;
  readonly fromPoint: number;
  readonly isGone: boolean;
}

/** What is listed of one place and not erased, by key. */
export async function* listedPages(tx: Tx, deletionId: string, place: ListedPlace): AsyncGenerator<readonly Listed[], void, undefined> {
  for (let after = ''; ;) {
    const rows = await listedPage(tx, deletionId, place, { after, limit: PAGE, states: ['listed', 'kept', 'gone'] });
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => ({ key: row.item_key, fromPoint: row.from_point, isGone: row.state === 'gone' }));
    after = last.item_key;
  }
}

/**
 * Messages of the list that are not in the archive as they were previewed. What backups have of the list changes from day to day
 * with its source, and goes in all its versions.
 */
export async function changedSince(tx: Tx, deletionId: string): Promise<number> {
  let changed = 0;
  for (const place of (await placesOf(tx, deletionId)).filter(({ kind }) => kind === 'archive')) {
    const sources = await sourcesIn(tx, place);
    for await (const page of listedPages(tx, deletionId, place)) {
      const now = await newestVersions(
        tx,
        sources,
        page.map(({ key }) => key),
      );
      changed += page.filter(({ key, fromPoint, isGone }) => !isGone && now.get(key) !== fromPoint).length;
    }
  }
  return changed;
}

/** The places that have items of the list, in order. */
export async function placesOf(tx: Tx, deletionId: string): Promise<readonly ListedPlace[]> {
  const { rows } = await sql<ListedPlace>`
    select place.resource_id as "resourceId", place.location_id as "locationId", resource.kind
    from (select distinct resource_id, location_id from message_deletion_items where deletion_id = ${deletionId}) place
    join resources resource using (resource_id) order by place.resource_id, place.location_id`.execute(tx);
  return rows;
}

/**
 * Items of one place that are to go, after a key, in the order of their keys. What the preview or an earlier attempt found to be
 * kept is not among them: whoever approved has read that it stays.
 */
export async function listedAfter(
  tx: Tx,
  deletionId: string,
  place: ListedPlace,
  { after, limit }: Pick<ListedPage, 'after' | 'limit'>,
): Promise<readonly string[]> {
  const rows = await listedPage(tx, deletionId, place, { after, limit, states: ['listed'] });
  return rows.map((row) => row.item_key);
}

export async function noteStates(
  tx: Tx,
  deletionId: string,
  { resourceId, locationId }: Pick<ListedPlace, 'resourceId' | 'locationId'>,
  states: readonly ListedState[],
): Promise<void> {
  if (states.length === 0) return;
  await sql`
    update message_deletion_items listed set state = said.state, kept_by = said.kept_by::jsonb,
      from_point = coalesce(said.from_point, listed.from_point)
    from unnest(${states.map(({ key }) => key)}::text[], ${states.map(({ state }) => state)}::text[],
      ${states.map(({ keepers }) => JSON.stringify(keepers))}::text[],
      ${states.map(({ fromPoint }) => fromPoint ?? null)}::bigint[]) as said (item_key, state, kept_by, from_point)
    where listed.deletion_id = ${deletionId} and listed.resource_id = ${resourceId} and listed.location_id = ${locationId}
      and listed.item_key = said.item_key`.execute(tx);
}

/** Of some items those that this deletion has erased. */
export async function erasedBy(
  tx: Tx,
  deletionId: string,
  { resourceId, locationId }: Pick<ListedPlace, 'resourceId' | 'locationId'>,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ message_id: string }>`
    select message_id from tombstones where deletion_id = ${deletionId} and resource_id = ${resourceId} and location_id = ${locationId}
      and message_id = any(${[...keys]})`.execute(tx);
  return new Set(rows.map((row) => row.message_id));
}
