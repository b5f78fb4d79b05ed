import type { wasteQuery } from '@holdfast/contract/compliance';
import type { WasteRow } from '@holdfast/contract/compliance-values';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { heldItems, isWholeHeld } from '../holds/index.ts';
import { keptVersions, type VersionColumns } from '../retention/index.ts';
import { pathsOf } from './paths.views.ts';

const DAY_MS = 24 * 3_600_000;

export type WasteQuery = z.output<typeof wasteQuery>;
type Totals = Pick<WasteRow, 'files' | 'versions' | 'versionBytes' | 'freedVersions' | 'freedBytes' | 'heldBytes' | 'notKept'>;

interface Row extends Totals {
  readonly resource_id: string;
  readonly source_id: string;
  readonly location_id: string;
  readonly site_name: string;
  readonly item_key: string | null;
  readonly name: string | null;
}

const orders = { versionBytes: '"versionBytes"', versions: 'versions', freedBytes: '"freedBytes"', name: 'lower(site_name)' } as const;

/** A version in a query, and the site or drive it is in. */
interface VersionIn extends VersionColumns {
  readonly resourceId: RawBuilder<unknown>;
}

/**
 * Whether a version must stay: a hold is on its whole site, on its file, or on a folder that this is or was in; or a policy in force keeps it.
 */
export async function createIsKept(tx: Tx, tenantId: string, now: Date): Promise<(version: VersionIn) => RawBuilder<boolean>> {
  const isKeptByPolicy = await keptVersions(tx, tenantId, now.getTime());
  return (version) => sql<boolean>`(${isWholeHeld(tenantId, version.resourceId)}
    or (${version.sourceId}, ${version.itemKey}) in (select held.source_id, held.item_key from ${heldItems(tenantId)} held)
    or ${isKeptByPolicy(version)})`;
}

const versionColumns: VersionIn = {
  resourceId: sql`source.resource_id`,
  sourceId: sql`version.source_id`,
  itemKey: sql`version.item_key`,
  modifiedAt: sql`version.modified_at`,
};

/** Each earlier version with what the rule says of it. Nothing that is under hold or kept by a policy is freed. */
export async function judged(
  tx: Tx,
  tenantId: string,
  query: Pick<WasteQuery, 'newest' | 'days' | 'siteId' | 'ownerId' | 'search'>,
  now: Date,
): Promise<RawBuilder<unknown>> {
  const isKept = await createIsKept(tx, tenantId, now);
  const oldest = new Date(now.getTime() - query.days * DAY_MS);
  const site = query.siteId === undefined ? sql`true` : sql`source.resource_id = ${query.siteId}`;
  const owner = query.ownerId === undefined ? sql`true` : sql`file.owner_id = ${query.ownerId}`;
  const words =
    query.search === undefined
      ? sql`true`
      : sql`(resource.name ilike ${likePattern(query.search)} or file.name ilike ${likePattern(query.search)})`;
  return sql`(
    select version.source_id, version.item_key, version.label, version.size_bytes, version.is_kept, source.resource_id, held.location_id,
      resource.name as site_name, file.name,
      (version.place > ${query.newest} or version.modified_at < ${oldest}) as is_doomed, ${isKept(versionColumns)} as is_held
    from compliance_versions version
    join compliance_files file using (organisation_id, realm, source_id, item_key)
    join compliance_sources source using (organisation_id, realm, source_id)
    join catalog_sources held using (organisation_id, realm, source_id)
    join resources resource on resource.organisation_id = source.organisation_id and resource.realm = source.realm
      and resource.resource_id = source.resource_id
    where source.tenant_id = ${tenantId} and ${site} and ${owner} and ${words})`;
}

const sums = sql`count(distinct (source_id, item_key))::bigint as files, count(*)::bigint as versions, coalesce(sum(size_bytes), 0)::bigint as "versionBytes",
  count(*) filter (where is_doomed and not is_held)::bigint as "freedVersions",
  coalesce(sum(size_bytes) filter (where is_doomed and not is_held), 0)::bigint as "freedBytes",
  coalesce(sum(size_bytes) filter (where is_doomed and is_held), 0)::bigint as "heldBytes",
  count(*) filter (where is_doomed and not is_held and not is_kept)::bigint as "notKept"`;

const noTotals: Totals = { files: 0, versions: 0, versionBytes: 0, freedVersions: 0, freedBytes: 0, heldBytes: 0, notKept: 0 };

/** What earlier versions take, by site or by file, and what would be left after a rule. */
export async function wastePage(tx: Tx, tenantId: string, query: WasteQuery, now: Date): Promise<Page<WasteRow> & { totals: Totals }> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof orders>(query.sort, { column: 'versionBytes', isDescending: true });
  const isByFile = query.by === 'file';
  const key = isByFile ? sql`item_key, name` : sql`null::text as item_key, null::text as name`;
  const grouped = isByFile
    ? sql`resource_id, source_id, location_id, site_name, item_key, name`
    : sql`resource_id, source_id, location_id, site_name`;
  const versions = await judged(tx, tenantId, query, now);
  const { rows } = await sql<Row>`
    select resource_id, source_id, location_id, site_name, ${key}, ${sums} from ${versions} judged group by ${grouped}
    order by ${sql.raw(`${orders[column]} ${isDescending ? 'desc' : 'asc'}`)}, source_id${isByFile ? sql`, item_key` : sql``}
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<Totals & { total: number }>`
    select count(distinct ${isByFile ? sql`(source_id, item_key)` : sql`source_id`})::bigint as total, ${sums} from ${versions} judged`.execute(
    tx,
  );
  const paths = await pathsOf(
    tx,
    rows.flatMap((row) => (row.item_key === null ? [] : [{ sourceId: row.source_id, itemKey: row.item_key }])),
  );
  const items = rows.map(({ resource_id, source_id, location_id, site_name, item_key, name, ...row }): WasteRow => {
    const above = item_key === null ? { folderId: null, path: '' } : paths({ sourceId: source_id, itemKey: item_key });
    const site = { siteId: resource_id, sourceId: source_id, locationId: location_id, siteName: site_name };
    return { ...site, nodeId: item_key, name: name ?? '', ...above, ...row };
  });
  const { total, ...totals } = counted.rows[0] ?? { total: 0, ...noTotals };
  return { ...pageFrom(items, total, window), totals };
}
