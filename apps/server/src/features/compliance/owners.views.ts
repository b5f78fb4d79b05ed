import type { ownersQuery } from '@holdfast/contract/compliance';
import type { OwnerRow } from '@holdfast/contract/compliance-values';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';

type OwnersQuery = z.output<typeof ownersQuery>;

const orders = { bytes: 'bytes', files: 'files', name: 'lower(name)' } as const;

function conditions(query: OwnersQuery): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (query.gone !== undefined) parts.push(query.gone ? sql`gone_since is not null` : sql`gone_since is null`);
  if (query.search !== undefined) parts.push(sql`(name ilike ${likePattern(query.search)} or address ilike ${likePattern(query.search)})`);
  return sql.join(parts, sql` and `);
}

/**
 * Owners of files in sites and drives that are still there. Somebody is gone when the directory has none of their mailboxes and
 * drives any more; a drive is known by the address of its owner. For whom neither was ever protected scans have asked the directory.
 */
function ownersOf(tenantId: string, query: OwnersQuery): RawBuilder<unknown> {
  const parts = [sql`source.tenant_id = ${tenantId} and not file.is_deleted and file.owner_id is not null`];
  if (query.siteId !== undefined) parts.push(sql`source.resource_id = ${query.siteId}`);
  if (query.ownerId !== undefined) parts.push(sql`file.owner_id = ${query.ownerId}`);
  const ofTenant = sql`known.tenant_id = ${tenantId} and known.kind in ('mailbox', 'drive')`;
  return sql`
    with owner as (
      select file.owner_id, max(file.owner_name) as name, max(file.owner_address) as address, count(distinct file.source_id)::bigint as sites,
        count(*)::bigint as files, coalesce(sum(file.size_bytes), 0)::bigint as bytes
      from compliance_files file join compliance_sources source using (organisation_id, realm, source_id)
      where ${sql.join(parts, sql` and `)} group by file.owner_id),
    theirs as (
      select owner.owner_id, known.name, known.address, known.deleted_at from owner join resources known on known.graph_id = owner.owner_id
      where ${ofTenant}
      union all
      select owner.owner_id, known.name, known.address, known.deleted_at from owner
      join resources known on lower(known.address) = lower(owner.address) where ${ofTenant} and owner.address <> ''),
    person as (
      select owner_id, max(name) as name, max(address) as address,
        case when bool_and(deleted_at is not null) then min(deleted_at) end as gone_since
      from theirs group by owner_id),
    found as (
      select owner.owner_id, coalesce(nullif(person.name, ''), owner.name, owner.owner_id) as name,
        coalesce(nullif(person.address, ''), owner.address, '') as address,
        case when person.owner_id is null then asked.gone_since else person.gone_since end as gone_since, owner.sites, owner.files, owner.bytes
      from owner left join person using (owner_id)
      left join compliance_owners asked on asked.tenant_id = ${tenantId} and asked.owner_id = owner.owner_id),
    wanted as (select * from found where ${conditions(query)})`;
}

/** Who owns files, those with most bytes first. */
export async function ownersPage(tx: Tx, tenantId: string, query: OwnersQuery) {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof orders>(query.sort, { column: 'bytes', isDescending: true });
  const owners = ownersOf(tenantId, query);
  const { rows } = await sql<Omit<OwnerRow, 'ownerId' | 'goneSince'> & { owner_id: string; gone_since: Date | null }>`${owners}
    select * from wanted order by ${sql.raw(`${orders[column]} ${isDescending ? 'desc' : 'asc'}`)}, owner_id
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number; files: number; bytes: number }>`${owners}
    select count(*)::bigint as total, coalesce(sum(files), 0)::bigint as files, coalesce(sum(bytes), 0)::bigint as bytes from wanted`.execute(
    tx,
  );
  const items = rows.map(({ owner_id, gone_since, ...row }): OwnerRow => ({
    ...row,
    ownerId: owner_id,
    goneSince: gone_since?.toISOString() ?? null,
  }));
  const { total, ...totals } = counted.rows[0] ?? { total: 0, files: 0, bytes: 0 };
  return { ...pageFrom(items, total, window), totals };
}
