import type { duplicatesQuery } from '@holdfast/contract/compliance';
import type { DuplicateRow } from '@holdfast/contract/compliance-values';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { pathsOf } from './paths.views.ts';
import { unevenOf } from './uneven.views.ts';

/** Places of one content that a row lists; their number is exact beyond that. */
const PLACES_SHOWN = 20;
const orders = { wastedBytes: 'wasted', copies: 'copies', sizeBytes: 'size_bytes' } as const;

interface GroupRow {
  readonly content: string;
  readonly name: string;
  readonly copies: number;
  readonly size_bytes: number;
  readonly wasted: number;
  readonly sites: number;
}

interface CopyRow {
  readonly content: string;
  readonly source_id: string;
  readonly location_id: string;
  readonly site_name: string;
  readonly item_key: string;
  readonly name: string;
}

async function copiesOf(tx: Tx, tenantId: string, contents: readonly string[]): Promise<ReadonlyMap<string, DuplicateRow['places']>> {
  if (contents.length === 0) return new Map();
  const { rows } = await sql<CopyRow>`
    select copy.* from unnest(${contents}::text[]) as wanted (content) cross join lateral (
      select wanted.content, file.source_id, held.location_id, resource.name as site_name, file.item_key, file.name
      from compliance_files file join compliance_sources source using (organisation_id, realm, source_id)
      join catalog_sources held using (organisation_id, realm, source_id)
      join resources resource on resource.organisation_id = source.organisation_id and resource.realm = source.realm
        and resource.resource_id = source.resource_id
      where source.tenant_id = ${tenantId} and not file.is_deleted and file.content = decode(wanted.content, 'hex')
      order by lower(resource.name), file.item_key limit ${PLACES_SHOWN}) copy`.execute(tx);
  const paths = await pathsOf(
    tx,
    rows.map((row) => ({ sourceId: row.source_id, itemKey: row.item_key })),
  );
  const places = rows.map((row) => ({
    content: row.content,
    sourceId: row.source_id,
    locationId: row.location_id,
    siteName: row.site_name,
    nodeId: row.item_key,
    name: row.name,
    ...paths({ sourceId: row.source_id, itemKey: row.item_key }),
  }));
  const byContent = Map.groupBy(places, (place) => place.content);
  return new Map([...byContent].map(([content, found]) => [content, found.map(({ content: _content, ...place }) => place)]));
}

/** The same content in several places, what wastes most first. */
export async function duplicatesPage(tx: Tx, tenantId: string, query: z.output<typeof duplicatesQuery>) {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof orders>(query.sort, { column: 'wastedBytes', isDescending: true });
  const site = query.siteId === undefined ? sql`true` : sql`bool_or(source.resource_id = ${query.siteId})`;
  const owner = query.ownerId === undefined ? sql`true` : sql`bool_or(file.owner_id = ${query.ownerId})`;
  const words = query.search === undefined ? sql`true` : sql`bool_or(file.name ilike ${likePattern(query.search)})`;
  const groups = sql`(
    select encode(file.content, 'hex') as content, min(file.name) as name, count(*)::bigint as copies, max(file.size_bytes)::bigint as size_bytes,
      ((count(*) - 1) * max(file.size_bytes))::bigint as wasted, count(distinct file.source_id)::bigint as sites
    from compliance_files file join compliance_sources source using (organisation_id, realm, source_id)
    where source.tenant_id = ${tenantId} and not file.is_deleted and file.content is not null
    group by file.content having count(*) > 1 and ${site} and ${owner} and ${words})`;
  const { rows } = await sql<GroupRow>`
    select * from ${groups} repeated order by ${sql.raw(`${orders[column]} ${isDescending ? 'desc' : 'asc'}`)}, content
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number; copies: number; wastedBytes: number }>`
    select count(*)::bigint as total, coalesce(sum(copies), 0)::bigint as copies, coalesce(sum(wasted), 0)::bigint as "wastedBytes"
    from ${groups} repeated`.execute(tx);
  const copies = await copiesOf(
    tx,
    tenantId,
    rows.map((row) => row.content),
  );
  const ofOneSite = rows.filter((row) => row.sites === 1);
  const uneven = await unevenOf(
    tx,
    tenantId,
    ofOneSite.map((row) => row.content),
  );
  const items = rows.map((row): DuplicateRow => ({
    content: row.content,
    name: row.name,
    copies: row.copies,
    sizeBytes: row.size_bytes,
    wastedBytes: row.wasted,
    sites: row.sites,
    isSharedUnevenly: row.sites > 1 || uneven.has(row.content),
    places: copies.get(row.content) ?? [],
  }));
  const { total, ...totals } = counted.rows[0] ?? { total: 0, copies: 0, wastedBytes: 0 };
  return { ...pageFrom(items, total, window), totals };
}
