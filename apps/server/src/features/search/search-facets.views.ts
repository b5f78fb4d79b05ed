import { searchFacetNames, type SearchFacetName, type SearchFacets } from '@holdfast/contract/search';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { archivedFolders, namedFolders } from './query-set.views.ts';
import { foundVersions, type SearchPlace } from './search.views.ts';

/** As many values of a facet as are shown; months are shown all. */
const MOST = 10;
/** As many places as are shown, and folders of each. */
const MOST_PLACES = 50;

/**
 * Every version that a query finds, with the values it is counted under. All versions count, not only the newest one:
 * narrowing the query finds an item in any of them, and the count must be what narrowing finds. They are found before
 * anything is joined to them: while tables have no statistics yet, the planner would look them up again for each row.
 */
function versions(place: SearchPlace): RawBuilder<unknown> {
  return sql`select min(item.item_no) over (partition by item.source_id, item.item_key) as item, item.kind, item.file_type, item.language, item.size_bytes, lower(sensitive.kind) as sensitive,
      to_char(item.at at time zone ${place.world.timeZone}, 'YYYY-MM') as month, item.workload, ${place.hasArchives ? sql`coalesce(folder.name, archived.name)` : sql`folder.name`} as folder,
      ${place.hasArchives ? sql`coalesce(folder.name, archived.path)` : sql`folder.name`} as folder_path,
      coalesce(nullif(item.resource_address, ''), item.resource_name) as person,
      coalesce(nullif(item.resource_name, ''), item.resource_address) as person_name
    from found item
    left join search_sensitive sensitive using (organisation_id, realm, item_no)
    join catalog_items version using (organisation_id, realm, source_id, item_key, from_point)
    left join ${namedFolders} folder on folder.source_id = item.source_id and folder.item_key = version.parent_key${
      place.hasArchives ? sql` left join lateral ${archivedFolders} archived on item.resource_kind = 'archive'` : sql``
    }`;
}

function counted(facet: SearchFacetName, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${facet}::text as facet, '' as within, value, min(value) as label, count(distinct item)::bigint as hits
    from (select *, ${value} as value from hit) valued where value <> '' group by value`;
}

const sizeStep = sql`case when size_bytes < 10240 then '0' when size_bytes < 102400 then '10KB' when size_bytes < 1048576 then '100KB'
  when size_bytes < 10485760 then '1MB' else '10MB' end`;

const facets = sql.join(
  [
    counted('workload', sql`workload`),
    counted('kind', sql`kind`),
    counted('filetype', sql`file_type`),
    counted('size', sizeStep),
    counted('sensitive', sql`sensitive`),
    counted('language', sql`language`),
    counted('month', sql`month`),
    // A folder of an archive is named with the folders above it, unless folders of its name are in several places.
    sql`select 'place', coalesce(within, ''), value, case when min(path) = max(path) then min(path) else min(label) end, count(distinct item)::bigint from (
      select item, null as within, lower(person) as value, person_name as label, null as path from hit
      union all select item, lower(person), lower(folder), folder, folder_path from hit) placed where value <> '' group by within, value`,
  ],
  sql` union all `,
);

interface FacetRow {
  readonly facet: SearchFacetName | 'place' | 'total';
  /** The place that a folder is in. */
  readonly within: string;
  readonly value: string;
  readonly label: string;
  readonly hits: number;
  readonly others: number;
}

const byHits = (a: FacetRow, b: FacetRow): number => b.hits - a.hits || a.label.localeCompare(b.label);

function placesIn(rows: readonly FacetRow[]): SearchFacets['places'] {
  const within = Map.groupBy(rows, (row) => row.within);
  const levelOf = (place: string) => {
    const of = (within.get(place) ?? []).toSorted(byHits);
    return { values: of.map(({ value, label, hits }) => ({ value, label, hits })), others: of[0]?.others ?? 0 };
  };
  const { values, others } = levelOf('');
  return { values: values.map((place) => ({ ...place, folders: levelOf(place.value) })), others };
}

/** The hits of a query by what they can be narrowed by, each counted exactly. */
export async function facetsOf(tx: Tx, place: SearchPlace): Promise<SearchFacets> {
  const { rows } =
    await sql<FacetRow>`with found as materialized (select * from ${foundVersions(place)} version), hit as materialized (${versions(place)}),
    counted as (${facets}),
    ranked as (select *, case facet when 'place' then ${MOST_PLACES}::bigint else ${MOST}::bigint end as most,
      row_number() over (partition by facet, within order by hits desc, value) as place,
      count(*) over (partition by facet, within) as of_all from counted),
    shown as (select * from ranked where place <= most or facet = 'month')
    select facet, within, value, label, hits, case when facet = 'month' then 0 else greatest(0, of_all - most) end::bigint as others
      from shown where within = '' or within in (select value from shown where facet = 'place' and within = '')
    union all select 'total', '', '', '', count(distinct item)::bigint, 0 from hit`.execute(tx);
  const byFacet = Map.groupBy(rows, (row) => row.facet);
  const facetOf = (name: SearchFacetName): SearchFacets['facets'][SearchFacetName] => {
    const of = byFacet.get(name) ?? [];
    const sorted = of.toSorted((a, b) => (name === 'month' ? a.value.localeCompare(b.value) : byHits(a, b)));
    return { values: sorted.map(({ value, label, hits }) => ({ value, label, hits })), others: of[0]?.others ?? 0 };
  };
  const named = Object.fromEntries(searchFacetNames.map((name) => [name, facetOf(name)])) as SearchFacets['facets'];
  return { total: byFacet.get('total')?.[0]?.hits ?? 0, facets: named, places: placesIn(byFacet.get('place') ?? []) };
}
