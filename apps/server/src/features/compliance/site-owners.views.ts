import type { siteOwnersQuery } from '@holdfast/contract/compliance';
import type { SiteOwnersRow } from '@holdfast/contract/compliance-values';
import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { managedSources } from './managed-sources.views.ts';

type SiteOwnersQuery = z.output<typeof siteOwnersQuery>;

/** An owner as Microsoft names one; without the right to read people, by id alone. */
interface NamedOwner {
  readonly id: string;
  readonly displayName?: string;
  readonly mail?: string;
  readonly userPrincipalName?: string;
  readonly accountEnabled?: boolean;
}

interface FoundRow {
  readonly resource_id: string;
  readonly source_id: string;
  readonly location_id: string;
  readonly name: string;
  readonly address: string;
  readonly state: SiteOwnersRow['state'];
  readonly ownership: {
    readonly unknown?: Exclude<SiteOwnersRow['gap'], null>;
    readonly group?: { readonly displayName?: string };
    readonly owners?: readonly NamedOwner[];
  } | null;
  readonly files: number;
  readonly bytes: number;
}

const orders = { bytes: 'bytes', files: 'files', name: 'lower(name)' } as const;

/** The sites of a tenant that are still there, each with what the newest backup has read of its owners. */
function ownedSites(tenantId: string, query: SiteOwnersQuery): RawBuilder<unknown> {
  const parts = [sql`managed.kind = 'site' and managed.deleted_at is null`];
  if (query.siteId !== undefined) parts.push(sql`managed.resource_id = ${query.siteId}`);
  if (query.search !== undefined)
    parts.push(sql`(managed.name ilike ${likePattern(query.search)} or managed.address ilike ${likePattern(query.search)})`);
  if (query.ownerId !== undefined)
    parts.push(sql`exists (select from json_array_elements(item.detail -> 'properties' -> 'ownership' -> 'owners') as one
      where one ->> 'id' = ${query.ownerId})`);
  return sql`
    with found as (
      select managed.resource_id, managed.source_id, managed.location_id, managed.name, managed.address,
        coalesce(known.files, 0)::bigint as files, coalesce(known.bytes, 0)::bigint as bytes, item.detail -> 'properties' -> 'ownership' as ownership
      from ${managedSources(tenantId)} managed
      left join compliance_sources known using (organisation_id, realm, source_id)
      left join catalog_items item on item.organisation_id = managed.organisation_id and item.realm = managed.realm
        and item.source_id = managed.source_id and item.parent_key is null and item.kind = 'site' and item.to_point = ${FOREVER}
      where ${sql.join(parts, sql` and `)}),
    site as (
      select found.*, case
        when ownership -> 'owners' is null then 'unknown'
        when json_array_length(ownership -> 'owners') = 0 then 'none'
        when exists (select from json_array_elements(ownership -> 'owners') as one where one ->> 'accountEnabled' is distinct from 'false') then 'owned'
        else 'blocked' end as state
      from found)`;
}

function rowOf({ ownership, ...row }: FoundRow): SiteOwnersRow {
  return {
    siteId: row.resource_id,
    sourceId: row.source_id,
    locationId: row.location_id,
    name: row.name,
    url: row.address,
    kind: 'site',
    state: row.state,
    gap: row.state === 'unknown' ? (ownership?.unknown ?? 'unread') : null,
    group: ownership?.group?.displayName ?? null,
    owners: (ownership?.owners ?? []).map(({ id, displayName, mail, userPrincipalName, accountEnabled }) => ({
      ownerId: id,
      name: displayName ?? id,
      address: mail ?? userPrincipalName ?? '',
      isBlocked: accountEnabled === false,
    })),
    files: row.files,
    bytes: row.bytes,
  };
}

/** Sites and who owns them, those with most bytes first. */
export async function siteOwnersPage(tx: Tx, tenantId: string, query: SiteOwnersQuery) {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof orders>(query.sort, { column: 'bytes', isDescending: true });
  const sites = ownedSites(tenantId, query);
  const parts = [sql`true`];
  if (query.state !== undefined) parts.push(sql`state = ${query.state}`);
  if (query.ownerless !== undefined) parts.push(sql`(state in ('none', 'blocked')) = ${query.ownerless}`);
  const wanted = sql.join(parts, sql` and `);
  const { rows } = await sql<FoundRow>`${sites}
    select * from site where ${wanted} order by ${sql.raw(`${orders[column]} ${isDescending ? 'desc' : 'asc'}`)}, source_id
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const of = (state: SiteOwnersRow['state']) => sql`count(*) filter (where state = ${state})::bigint`;
  const counted = await sql<{ total: number } & Record<SiteOwnersRow['state'], number>>`${sites}
    select count(*) filter (where ${wanted})::bigint as total, ${of('none')} as none, ${of('blocked')} as blocked, ${of('owned')} as owned,
      ${of('unknown')} as unknown from site`.execute(tx);
  const { total, ...totals } = counted.rows[0] ?? { total: 0, none: 0, blocked: 0, owned: 0, unknown: 0 };
  return { ...pageFrom(rows.map(rowOf), total, window), totals };
}
