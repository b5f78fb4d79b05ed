import type { sitesQuery } from '@holdfast/contract/compliance';
import type { ManagedSite } from '@holdfast/contract/compliance-values';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { staleBefore } from './ages.ts';
import { isHeld, managedSources } from './managed-sources.views.ts';

interface SiteRow {
  readonly resource_id: string;
  readonly source_id: string;
  readonly location_id: string;
  readonly name: string;
  readonly address: string;
  readonly kind: ManagedSite['kind'];
  readonly files: number;
  readonly bytes: number;
  readonly versions: number;
  readonly version_bytes: number;
  readonly deleted: number;
  readonly duplicates: number;
  readonly exposed: number;
  readonly newest_change_at: Date | null;
  readonly newest_point_at: Date | null;
  readonly deleted_at: Date | null;
  readonly is_held: boolean;
  readonly scanned_at: Date | null;
}

const columns = {
  name: 'lower(managed.name)',
  files: 'known.files',
  bytes: 'known.bytes',
  versionBytes: 'known.version_bytes',
  deleted: 'known.deleted',
  duplicates: 'known.duplicates',
  exposed: 'known.exposed',
  newestChangeAt: 'known.newest_change_at',
} as const;

const figures = sql.join(
  ['files', 'bytes', 'versions', 'version_bytes', 'deleted', 'duplicates', 'exposed'].map(
    (name) => sql`coalesce(${sql.ref(`known.${name}`)}, 0)::bigint as ${sql.ref(name)}`,
  ),
);

function siteOf(row: SiteRow): ManagedSite {
  const { files, bytes, versions, deleted, duplicates, exposed, name, kind } = row;
  return {
    siteId: row.resource_id,
    sourceId: row.source_id,
    locationId: row.location_id,
    name,
    url: row.address,
    kind,
    files,
    bytes,
    versions,
    versionBytes: row.version_bytes,
    deleted,
    duplicates,
    exposed,
    newestChangeAt: row.newest_change_at?.toISOString() ?? null,
    newestPointAt: row.newest_point_at?.toISOString() ?? null,
    deletedAt: row.deleted_at?.toISOString() ?? null,
    isHeld: row.is_held,
    scannedAt: row.scanned_at?.toISOString() ?? null,
  };
}

type SitesQuery = z.output<typeof sitesQuery>;

function conditions(tenantId: string, query: SitesQuery, now: Date): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (query.siteId !== undefined) parts.push(sql`managed.resource_id = ${query.siteId}`);
  if (query.kind !== undefined) parts.push(sql`managed.kind = ${query.kind}`);
  if (query.held !== undefined) {
    const held = isHeld(tenantId, sql`managed.resource_id`);
    parts.push(query.held ? held : sql`not ${held}`);
  }
  // A site without a file has not been changed for as long as anybody asks.
  if (query.stale !== undefined) parts.push(sql`coalesce(known.newest_change_at, 'epoch') < ${staleBefore(query.stale, now)}`);
  if (query.search !== undefined)
    parts.push(sql`(managed.name ilike ${likePattern(query.search)} or managed.address ilike ${likePattern(query.search)})`);
  return sql.join(parts, sql` and `);
}

/** Sites and drives with restore points, and what the newest scan found in them. */
export async function sitesPage(tx: Tx, tenantId: string, query: SitesQuery, now: Date): Promise<Page<ManagedSite>> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof columns>(query.sort, { column: 'name', isDescending: false });
  const from = sql`${managedSources(tenantId)} managed left join compliance_sources known using (organisation_id, realm, source_id)
    where ${conditions(tenantId, query, now)}`;
  const { rows } = await sql<SiteRow>`
    select managed.resource_id, managed.source_id, managed.location_id, managed.name, managed.address, managed.kind, ${figures},
      known.newest_change_at, managed.newest_point_at, managed.deleted_at, ${isHeld(tenantId, sql`managed.resource_id`)} as is_held, known.scanned_at
    from ${from} order by ${sql.raw(`${columns[column]} ${isDescending ? 'desc' : 'asc'} nulls last`)}, managed.source_id
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${from}`.execute(tx);
  return pageFrom(rows.map(siteOf), counted.rows[0]?.total ?? 0, window);
}
