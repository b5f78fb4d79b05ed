import type { Page } from '@holdfast/contract/paging';
import type { SearchHit } from '@holdfast/contract/search';
import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { pageFrom, type PageWindow } from '../../http/paging.ts';
import { foundVersions, hitsOf, located, type SearchPlace } from './search.views.ts';

interface HitRow {
  readonly item_no: number;
  readonly source_id: string;
  readonly location_id: string;
  readonly resource_id: string;
  readonly resource_name: string;
  readonly resource_address: string;
  readonly resource_kind: SearchHit['resource']['kind'];
  readonly workload: SearchHit['workload'];
  readonly item_key: string;
  readonly kind: SearchHit['kind'];
  readonly title: string;
  readonly sender: string;
  readonly at: Date;
  readonly size_bytes: number;
  readonly attachments: number;
  readonly state: SearchHit['state'];
  readonly sequence: number;
  readonly seen_at: Date;
  readonly is_deleted: boolean;
}

function hitOf(row: HitRow): SearchHit {
  return {
    hitId: String(row.item_no),
    locationId: row.location_id,
    sourceId: row.source_id,
    nodeId: row.item_key,
    sequence: row.sequence,
    kind: row.kind,
    workload: row.workload,
    title: row.title,
    sender: row.sender,
    at: row.at.toISOString(),
    sizeBytes: row.size_bytes,
    attachments: row.attachments,
    state: row.state,
    resource: { resourceId: row.resource_id, name: row.resource_name, address: row.resource_address, kind: row.resource_kind },
    isDeleted: row.is_deleted,
    lastSeenAt: row.seen_at.toISOString(),
  };
}

/** Joins each version of a relation with the last restore point that shows it; one that none shows is left out. */
function shownBy(page: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`join lateral (select point.sequence, point.committed_at as seen_at, version.to_point < ${FOREVER} and not exists (
      select from catalog_items later where later.organisation_id = ${page}.organisation_id and later.realm = ${page}.realm
        and later.source_id = ${page}.source_id and later.item_key = ${page}.item_key and later.to_point = ${FOREVER}) as is_deleted
    from catalog_items version
    join catalog_points point using (organisation_id, realm, source_id)
    where version.organisation_id = ${page}.organisation_id and version.realm = ${page}.realm and version.source_id = ${page}.source_id
      and version.item_key = ${page}.item_key and version.from_point = ${page}.from_point
      and point.sequence >= version.from_point and point.sequence < version.to_point
    order by point.sequence desc limit 1) shown on true`;
}

/**
 * So many versions, the newest, are looked at in each step; in the last one all are. A word of every tenth mail fills its page in
 * the first, which takes a quarter of the time of the second.
 */
const STEPS = [500, 5_000, 20_000, 80_000] as const;

interface PagedRow extends HitRow {
  /** How many hits there are up to the end of the page. */
  readonly seen: number;
  /** Something older could be shown in the place of one of these, or could hide it. */
  readonly is_unsure: boolean | null;
}

/** Where so many versions of the index end, from the newest one on; undefined where there are not so many. */
async function startOf(tx: Tx, versions: number): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`select at from search_items where organisation_id = holdfast.organisation()
    and realm = holdfast.realm() order by at desc, item_no desc offset ${versions} limit 1`.execute(tx);
  return rows[0]?.at;
}

/**
 * A page of hits among the versions since a time. A version is unsure where the item has a newer version with an older
 * time, or where an archived message has a copy from before: what those say is known only with everything in view.
 */
async function pageSince(tx: Tx, place: SearchPlace, { offset, limit }: PageWindow): Promise<readonly PagedRow[]> {
  const { since } = place.world;
  const older = sql`exists (select from search_items older where older.organisation_id = page.organisation_id and older.realm = page.realm
      and older.item_id = page.item_id and older.from_point > page.from_point and older.at < ${since ?? null})
    or (page.resource_kind = 'archive' and exists (select from search_items older where older.organisation_id = page.organisation_id
      and older.realm = page.realm and older.content_hash = page.content_hash and older.at < ${since ?? null}))`;
  const { rows } = await sql<PagedRow>`
    with first as materialized (select * from ${hitsOf(place)} hit order by at desc, item_no desc limit ${offset + limit}),
    looked as materialized (select count(*)::int as seen, bool_or(${since ? older : sql`false`}) as is_unsure from first page)
    select page.*, shown.sequence, shown.seen_at, shown.is_deleted
    from (select * from (select * from first order by at desc, item_no desc limit ${limit} offset ${offset}) first cross join looked) page
    ${shownBy(sql`page`)}
    order by page.at desc, page.item_no desc`.execute(tx);
  return rows;
}

/** The newest hits: looked for among the newest versions first, then among more, and among all only when it must be. */
export async function newestHits(
  tx: Tx,
  place: SearchPlace,
  window: PageWindow,
  steps: readonly number[] = STEPS,
): Promise<readonly SearchHit[]> {
  const wanted = window.offset + window.limit;
  for (const versions of steps) {
    const since = await startOf(tx, versions);
    if (!since) break;
    const rows = await pageSince(tx, { ...place, world: { ...place.world, since } }, window);
    const [first] = rows;
    if (first && first.seen >= wanted && first.is_unsure !== true) return rows.map(hitOf);
  }
  return (await pageSince(tx, place, window)).map(hitOf);
}

/** Exactly how many hits there are. */
export async function countHits(tx: Tx, place: SearchPlace): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(distinct item_id)::bigint as total from ${foundVersions(place)} version`.execute(tx);
  return rows[0]?.total ?? 0;
}

/** A page of hits, newest first; each names the last restore point that shows it. */
export async function hitsPage(tx: Tx, place: SearchPlace, window: PageWindow, steps?: readonly number[]): Promise<Page<SearchHit>> {
  const hits = await newestHits(tx, place, window, steps);
  const isAll = window.offset === 0 && hits.length < window.limit;
  return pageFrom([...hits], isAll ? hits.length : await countHits(tx, place), window);
}

/** Versions of the index by their numbers, wherever they are; one that no restore point shows any more is left out. */
export async function hitsByNumber(tx: Tx, itemNos: readonly number[]): Promise<ReadonlyMap<number, SearchHit>> {
  const { rows } = await sql<HitRow>`
    select page.*, shown.sequence, shown.seen_at, shown.is_deleted
    from (select ${located} where item.item_no = any(${[...itemNos]}::bigint[])) page
    ${shownBy(sql`page`)}`.execute(tx);
  return new Map(rows.map((row) => [row.item_no, hitOf(row)]));
}
