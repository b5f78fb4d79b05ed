import type { Query } from '@holdfast/contract/query/tree';
import type { SearchCoverage, SearchHit, SearchMonth } from '@holdfast/contract/search';
import type { Page } from '@holdfast/contract/paging';
import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, pageFrom, type PageWindow } from '../../http/paging.ts';
import type { SearchReach } from '../content-access/index.ts';
import { searchedWorkload, setOf, type QueryWorld } from './query-set.views.ts';
import { searchedKinds } from './searched-kinds.ts';
import type { Vocabulary } from './tsquery.ts';

/** What alone is searched: these resources, and of them what came or was changed in a period. */
export interface SearchWithin {
  readonly resourceIds: readonly string[];
  readonly from: Date | null;
  readonly to: Date | null;
}

export interface SearchPlace {
  readonly tenantId: string;
  readonly query: Query;
  readonly world: QueryWorld;
  /** What may be found by whoever searches. */
  readonly reach: SearchReach;
  /** Whether anything is archived: without archives no copies have to be told apart. */
  readonly hasArchives: boolean;
  /** Everything in reach when absent. */
  readonly within?: SearchWithin | undefined;
}

function isWithin(within: SearchWithin | undefined): RawBuilder<unknown> {
  if (!within) return sql`true`;
  const { resourceIds, from, to } = within;
  return sql`resource.resource_id = any(${[...resourceIds]}::uuid[])
    and (${from}::timestamptz is null or item.at >= ${from}) and (${to}::timestamptz is null or item.at <= ${to})`;
}

/** What a query finds of what the searcher may find: the condition on `item`, beside its `resource`. Everything that counts or shows hits has it. */
function isFound({ tenantId, query, world, reach, within }: SearchPlace): RawBuilder<unknown> {
  return sql`resource.tenant_id = ${tenantId} and ${isWithin(within)} and item.item_no in ${setOf(query, world)} and ${reach(sql`item.at`)}`;
}

/**
 * Every version that a query finds, with where it is kept. An archived message that its mailbox has as well is left out as
 * long as both are found: who searches sees one message, and sees that of the archive once the backup has let go of it.
 */
export function foundVersions(place: SearchPlace): RawBuilder<unknown> {
  const found = sql`(select item.*, source.location_id, source.resource_id, resource.name as resource_name,
      resource.address as resource_address, resource.kind as resource_kind, ${searchedWorkload} as workload${
        place.hasArchives
          ? sql`, bool_or(resource.kind = 'mailbox') over (partition by resource.graph_id, item.content_hash) as is_backed_up`
          : sql``
      }
    from search_items item
    join catalog_sources source using (organisation_id, realm, source_id)
    join resources resource using (organisation_id, realm, resource_id)
    where ${isFound(place)})`;
  return place.hasArchives ? sql`(select * from ${found} found where resource_kind <> 'archive' or not is_backed_up)` : found;
}

/** The newest of the versions that a query finds of each item. */
export function hitsOf(place: SearchPlace): RawBuilder<unknown> {
  return sql`(select distinct on (source_id, item_key) * from ${foundVersions(place)} version
    order by source_id, item_key, from_point desc)`;
}

/** Each item that a query finds, whichever of its versions matches. */
export function foundItems(place: SearchPlace): RawBuilder<unknown> {
  return sql`(select distinct source_id, item_key from ${foundVersions(place)} version)`;
}

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

/** A page of hits, newest first; each names the last restore point that shows it. */
export async function hitsPage(tx: Tx, place: SearchPlace, window: PageWindow): Promise<Page<SearchHit>> {
  const { rows } = await sql<HitRow & { total: number }>`
    with hit as materialized ${hitsOf(place)}
    select hit.*, shown.sequence, shown.committed_at as seen_at, version.to_point < ${FOREVER} and not exists (
        select from catalog_items later where later.organisation_id = hit.organisation_id and later.realm = hit.realm
          and later.source_id = hit.source_id and later.item_key = hit.item_key and later.to_point = ${FOREVER}) as is_deleted,
      (select count(*) from hit)::bigint as total
    from hit
    join catalog_items version using (organisation_id, realm, source_id, item_key, from_point)
    join lateral (select sequence, committed_at from catalog_points point where point.organisation_id = hit.organisation_id
      and point.realm = hit.realm and point.source_id = hit.source_id and point.sequence >= version.from_point
      and point.sequence < version.to_point order by sequence desc limit 1) shown on true
    order by hit.at desc, hit.item_no desc limit ${window.limit} offset ${window.offset}`.execute(tx);
  const total = rows[0]?.total ?? (window.offset === 0 ? 0 : await totalOf(tx, place));
  return pageFrom(rows.map(hitOf), total, window);
}

async function totalOf(tx: Tx, place: SearchPlace): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::bigint as total from ${hitsOf(place)} hit`.execute(tx);
  return rows[0]?.total ?? 0;
}

/** How many hits there are, by month in the organisation's zone. */
export async function monthsOf(tx: Tx, place: SearchPlace): Promise<SearchMonth[]> {
  const { rows } = await sql<SearchMonth>`
    select to_char(hit.at at time zone ${place.world.timeZone}, 'YYYY-MM') as month, count(*)::bigint as hits
    from ${hitsOf(place)} hit group by 1 order by 1`.execute(tx);
  return rows;
}

/** How much of what is kept can be searched: items of all restore points, each version once. */
export async function coverageOf(
  tx: Tx,
  { tenantId, reach, within }: Pick<SearchPlace, 'tenantId' | 'reach' | 'within'>,
): Promise<SearchCoverage> {
  const isSearched = within ? sql`resource.resource_id = any(${[...within.resourceIds]}::uuid[])` : sql`true`;
  const { rows } = await sql<SearchCoverage>`
    select count(*)::bigint as items, count(known.item_no)::bigint as searched,
      count(*) filter (where known.state = 'encrypted')::bigint as encrypted,
      count(*) filter (where known.state = 'unsupported')::bigint as unsupported,
      count(*) filter (where known.state = 'tooLarge')::bigint as "tooLarge",
      count(*) filter (where known.state = 'failed')::bigint as failed
    from catalog_items item
    join catalog_sources source using (organisation_id, realm, source_id)
    join resources resource using (organisation_id, realm, resource_id)
    left join search_items known on known.organisation_id = item.organisation_id and known.realm = item.realm
      and known.source_id = item.source_id and known.item_key = item.item_key and known.from_point = item.from_point
    where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and resource.tenant_id = ${tenantId}
      and ${isSearched} and ${reach(sql`coalesce(item.modified_at, item.created_at)`)} and item.kind = any(${searchedKinds})
      and exists (select from catalog_points point where point.organisation_id = item.organisation_id and point.realm = item.realm
        and point.source_id = item.source_id and point.sequence >= item.from_point and point.sequence < item.to_point)`.execute(tx);
  return rows[0] ?? { items: 0, searched: 0, encrypted: 0, unsupported: 0, tooLarge: 0, failed: 0 };
}

/** The words of the index that each word with an open beginning stands for. */
export async function vocabularyFor(tx: Tx, open: readonly { readonly word: string; readonly openEnd: boolean }[]): Promise<Vocabulary> {
  const found = new Map<string, readonly string[]>();
  for (const { word, openEnd } of open) {
    const pattern = openEnd ? likePattern(word) : likePattern(word).slice(0, -1);
    const { rows } = await sql<{ word: string }>`select word from search_vocabulary where organisation_id = holdfast.organisation()
      and realm = holdfast.realm() and word like ${pattern} order by word`.execute(tx);
    found.set(
      `${word} ${openEnd}`,
      rows.map((row) => row.word),
    );
  }
  return ({ word, openEnd }) => found.get(`${word} ${openEnd}`) ?? [];
}

/** Whether the tenant has an archive of any mailbox. */
export async function hasArchives(tx: Tx, tenantId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('resources')
    .select('resource_id')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'archive')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The zone whose days and months a query means. */
export async function timeZoneOf(tx: Tx): Promise<string> {
  const row = await tx.selectFrom('organisations').select('time_zone').executeTakeFirst();
  return row?.time_zone ?? 'UTC';
}
