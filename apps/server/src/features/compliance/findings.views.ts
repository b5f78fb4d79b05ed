import type { exposureQuery, staleQuery } from '@holdfast/contract/compliance';
import type { ExposureRow, StaleRow } from '@holdfast/contract/compliance-values';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { staleBefore } from './ages.ts';
import { pathsOf } from './paths.views.ts';

export interface PlaceRow {
  readonly resource_id: string;
  readonly source_id: string;
  readonly location_id: string;
  readonly site_name: string;
  readonly item_key: string;
  readonly name: string;
}

/** The columns of a place: whose site, and which item. */
export const placeColumns = (alias: string): RawBuilder<unknown> =>
  sql`source.resource_id, source.source_id, held.location_id, resource.name as site_name, ${sql.ref(`${alias}.item_key`)}, ${sql.ref(`${alias}.name`)}`;
export const placeTables = sql`join compliance_sources source using (organisation_id, realm, source_id)
  join catalog_sources held using (organisation_id, realm, source_id)
  join resources resource on resource.organisation_id = source.organisation_id and resource.realm = source.realm
    and resource.resource_id = source.resource_id`;

export async function placed<Row extends PlaceRow>(tx: Tx, rows: readonly Row[]) {
  const paths = await pathsOf(
    tx,
    rows.map((row) => ({ sourceId: row.source_id, itemKey: row.item_key })),
  );
  return (row: Row) => ({
    siteId: row.resource_id,
    sourceId: row.source_id,
    locationId: row.location_id,
    siteName: row.site_name,
    nodeId: row.item_key,
    name: row.name,
    ...paths({ sourceId: row.source_id, itemKey: row.item_key }),
  });
}

export function conditions(
  tenantId: string,
  query: { siteId?: string | undefined; ownerId?: string | undefined; search?: string | undefined },
  alias: string,
): RawBuilder<unknown>[] {
  const parts = [sql`source.tenant_id = ${tenantId}`];
  if (query.siteId !== undefined) parts.push(sql`source.resource_id = ${query.siteId}`);
  if (query.ownerId !== undefined) parts.push(sql`${sql.ref(`${alias}.owner_id`)} = ${query.ownerId}`);
  if (query.search !== undefined)
    parts.push(sql`(${sql.ref(`${alias}.name`)} ilike ${likePattern(query.search)} or resource.name ilike ${likePattern(query.search)})`);
  return parts;
}

const staleOrders = { modifiedAt: 'file.modified_at', sizeBytes: 'file.size_bytes', name: 'lower(file.name)' } as const;

/** Files that nobody has changed for a time, the longest unchanged first. */
export async function stalePage(tx: Tx, tenantId: string, query: z.output<typeof staleQuery>, now: Date) {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof staleOrders>(query.sort, { column: 'modifiedAt', isDescending: false });
  const parts = conditions(tenantId, query, 'file');
  parts.push(sql`not file.is_deleted and file.modified_at < ${staleBefore(query.unchanged, now)}`);
  const from = sql`compliance_files file ${placeTables} where ${sql.join(parts, sql` and `)}`;
  const { rows } = await sql<PlaceRow & { size_bytes: number; modified_at: Date | null; author: string | null }>`
    select ${placeColumns('file')}, file.size_bytes, file.modified_at, file.author from ${from}
    order by ${sql.raw(`${staleOrders[column]} ${isDescending ? 'desc' : 'asc'} nulls last`)}, source.source_id, file.item_key
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ files: number; bytes: number }>`
    select count(*)::bigint as files, coalesce(sum(file.size_bytes), 0)::bigint as bytes from ${from}`.execute(tx);
  const placeOf = await placed(tx, rows);
  const items = rows.map((row): StaleRow => ({
    ...placeOf(row),
    sizeBytes: row.size_bytes,
    modifiedAt: row.modified_at?.toISOString() ?? null,
    author: row.author,
  }));
  const totals = counted.rows[0] ?? { files: 0, bytes: 0 };
  return { ...pageFrom(items, totals.files, window), totals };
}

const audienceOrder = `array_position(array['anyone', 'guest', 'organisation'], share.audience)`;
const exposureOrders = { audience: audienceOrder, name: 'lower(share.name)', expiresAt: 'share.expires_at' } as const;

/** Links and guests, the widest audience first. */
export async function exposurePage(tx: Tx, tenantId: string, query: z.output<typeof exposureQuery>) {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof exposureOrders>(query.sort, { column: 'audience', isDescending: false });
  const parts = conditions(tenantId, query, 'share');
  if (query.audience !== undefined) parts.push(sql`share.audience = ${query.audience}`);
  if (query.endless !== undefined) parts.push(query.endless ? sql`share.expires_at is null` : sql`share.expires_at is not null`);
  const from = sql`compliance_shares share ${placeTables} where ${sql.join(parts, sql` and `)}`;
  const { rows } = await sql<PlaceRow & Pick<ExposureRow, 'audience' | 'role' | 'who' | 'kind'> & { expires_at: Date | null }>`
    select ${placeColumns('share')}, share.kind, share.audience, share.role, share.who, share.expires_at from ${from}
    order by ${sql.raw(`${exposureOrders[column]} ${isDescending ? 'desc' : 'asc'} nulls last`)}, source.source_id, share.item_key, share.permission_id, share.audience
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const ofAudience = (audience: string) => sql`count(*) filter (where share.audience = ${audience})::bigint`;
  const counted = await sql<{ total: number; items: number; anyone: number; guest: number; organisation: number; endless: number }>`
    select count(*)::bigint as total, count(distinct (share.source_id, share.item_key))::bigint as items, ${ofAudience('anyone')} as anyone,
      ${ofAudience('guest')} as guest, ${ofAudience('organisation')} as organisation,
      count(*) filter (where share.expires_at is null)::bigint as endless from ${from}`.execute(tx);
  const placeOf = await placed(tx, rows);
  const found = rows.map((row): ExposureRow => ({
    ...placeOf(row),
    kind: row.kind,
    audience: row.audience,
    role: row.role,
    who: row.who,
    expiresAt: row.expires_at?.toISOString() ?? null,
  }));
  const { total, ...totals } = counted.rows[0] ?? { total: 0, items: 0, anyone: 0, guest: 0, organisation: 0, endless: 0 };
  return { ...pageFrom(found, total, window), totals };
}
