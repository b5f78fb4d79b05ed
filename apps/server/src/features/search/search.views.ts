import type { Query } from '@holdfast/contract/query/tree';
import type { SearchMonth } from '@holdfast/contract/search';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { likePattern } from '../../http/paging.ts';
import type { SearchReach } from '../content-access/index.ts';
import { searchedWorkload, setOf, type QueryWorld } from './query-set.views.ts';
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
  /** Resources that are left out. */
  readonly besides?: readonly string[] | undefined;
}

function isWithin(within: SearchWithin | undefined): RawBuilder<unknown> {
  if (!within) return sql`true`;
  const { resourceIds, from, to } = within;
  return sql`resource.resource_id = any(${[...resourceIds]}::uuid[])
    and (${from}::timestamptz is null or item.at >= ${from}) and (${to}::timestamptz is null or item.at <= ${to})`;
}

/** What a query finds of what the searcher may find: the condition on `item`, beside its `resource`. Everything that counts or shows hits has it. */
function isFound(place: SearchPlace): RawBuilder<unknown> {
  return sql`item.item_no in ${setOf(place.query, place.world)} and ${isInReach(place)}`;
}

/** What the searcher may find, whatever is looked for. */
function isInReach({ tenantId, world, reach, within, besides = [] }: SearchPlace): RawBuilder<unknown> {
  const isElsewhere = besides.length === 0 ? sql`true` : sql`not resource.resource_id = any(${[...besides]}::uuid[])`;
  const isSince = world.since ? sql`item.at >= ${world.since}` : sql`true`;
  return sql`resource.tenant_id = ${tenantId} and ${isSince} and ${isWithin(within)} and ${isElsewhere} and ${reach(sql`item.at`, sql`item.content_hash`)}`;
}

/** What is selected of each `item` of the index, with where it is kept. */
export const located: RawBuilder<unknown> = sql`item.*, source.location_id, source.resource_id, resource.name as resource_name,
    resource.address as resource_address, resource.kind as resource_kind, ${searchedWorkload} as workload
  from search_items item
  join catalog_sources source using (organisation_id, realm, source_id)
  join resources resource using (organisation_id, realm, resource_id)`;

/**
 * Every version that a query finds, with where it is kept. An archived message that its mailbox has as well is left out as
 * long as both are found: who searches sees one message, and sees that of the archive once the backup has let go of it.
 */
export function foundVersions(place: SearchPlace): RawBuilder<unknown> {
  const found = sql`(select ${
    place.hasArchives
      ? sql`bool_or(resource.kind = 'mailbox') over (partition by resource.graph_id, item.content_hash) as is_backed_up, `
      : sql``
  }${located} where ${isFound(place)})`;
  return place.hasArchives ? sql`(select * from ${found} found where resource_kind <> 'archive' or not is_backed_up)` : found;
}

/** The newest of the versions that a query finds of each item. */
export function hitsOf(place: SearchPlace): RawBuilder<unknown> {
  return sql`(select distinct on (item_id) * from ${foundVersions(place)} version order by item_id, from_point desc)`;
}

/** Several queries of one searcher over the same ground. */
export interface SearchPlaces {
  /** Where all of them look; its own query is not asked. */
  readonly ground: SearchPlace;
  readonly queries: readonly Pick<SearchPlace, 'query' | 'world'>[];
}

/**
 * The relations that tell what several queries find. The last, `found`, has a row for each version that `hitsOf` has of any of them:
 * `queries` says of which by a bit for each, and `item_queries` by which of them the item is found in any version. So what many
 * queries find is counted, located and told apart from its copies once and not once for each of them.
 */
export function hitsOfEach({ ground, queries }: SearchPlaces): RawBuilder<unknown> {
  const bits = (at: number): RawBuilder<unknown> =>
    sql`${queries.map((_, place) => (place === at ? '1' : '0')).join('')}::bit(${sql.raw(String(queries.length))})`;
  const sets = queries.map(({ query, world }, at) => sql`select ${bits(at)} as queries, item_no from ${setOf(query, world)} words`);
  return sql`matched as materialized (select item_no, bit_or(queries) as queries from (${sql.join(sets, sql` union all `)}) each_of
      group by item_no),
    placed as materialized (select matched.queries, item.item_id, item.from_point, item.size_bytes, item.attachments,
        resource.resource_id, resource.kind, resource.graph_id, coalesce(item.content_hash, '') as content
      from matched join search_items item using (item_no)
      join catalog_sources source using (organisation_id, realm, source_id)
      join resources resource using (organisation_id, realm, resource_id)
      where ${isInReach(ground)}),
    backed_up as materialized (select 'archive' as kind, graph_id, content, bit_or(queries) filter (where kind = 'mailbox') as queries
      from placed where kind in ('archive', 'mailbox') group by graph_id, content
      having bool_or(kind = 'archive') and bool_or(kind = 'mailbox')),
    versions as (select placed.item_id, placed.from_point, placed.size_bytes, placed.attachments, placed.resource_id,
        placed.queries & ~coalesce(backed_up.queries, ${bits(-1)}) as queries
      from placed left join backed_up using (kind, graph_id, content)),
    newest as (select item_id, size_bytes, attachments, resource_id, bit_or(queries) over (partition by item_id) as item_queries,
        queries & ~coalesce(bit_or(queries) over (partition by item_id order by from_point desc
          rows between unbounded preceding and 1 preceding), ${bits(-1)}) as queries
      from versions),
    found as materialized (select * from newest where bit_count(queries) > 0)`;
}

/** Each item that a query finds, whichever of its versions matches. */
export function foundItems(place: SearchPlace): RawBuilder<unknown> {
  return sql`(select distinct source_id, item_key from ${foundVersions(place)} version)`;
}

/** How many hits there are, by month in the organisation's zone. */
export async function monthsOf(tx: Tx, place: SearchPlace): Promise<SearchMonth[]> {
  const { rows } = await sql<SearchMonth>`
    select to_char(hit.at at time zone ${place.world.timeZone}, 'YYYY-MM') as month, count(*)::bigint as hits
    from ${hitsOf(place)} hit group by 1 order by 1`.execute(tx);
  return rows;
}

/** The words of the index that each word with an open beginning stands for. */
export async function vocabularyFor(tx: Tx, open: readonly { readonly word: string; readonly openEnd: boolean }[]): Promise<Vocabulary> {
  const found = new Map<string, readonly string[]>();
  for (const { word, openEnd } of open) {
    const pattern = openEnd ? likePattern(word) : likePattern(word).slice(0, -1);
    const { rows } = await sql<{ word: string }>`select holdfast.words_like(${pattern}) as word`.execute(tx);
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
