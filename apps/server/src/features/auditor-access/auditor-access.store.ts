import type { AuditorAccess, auditorAccessQuery } from '@holdfast/contract/auditor-access';
import type { Page } from '@holdfast/contract/paging';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { othersReach, type SearchReach } from '../content-access/index.ts';
import { hitsOf, type SearchPlace } from '../search/index.ts';
import { inForce } from './auditor-ground.views.ts';

export type NewAuditorAccess = Insertable<OrganisationTables['auditor_accesses']>;
export type AuditorAccessQuery = z.output<typeof auditorAccessQuery>;
type AccessRow = Selectable<OrganisationTables['auditor_accesses']> & { readonly state: AuditorAccess['state'] };

const shown = (tenantId: string, at: Date): RawBuilder<unknown> => sql`(
  select granted.*, case when granted.ended_at is not null then 'ended' when granted.access_to <= ${at} then 'expired'
    when granted.access_from > ${at} then 'upcoming' else 'active' end as state
  from auditor_accesses granted where granted.tenant_id = ${tenantId})`;

function accessOf(row: AccessRow): AuditorAccess {
  return {
    accessId: row.access_id,
    state: row.state,
    auditor: row.auditor,
    purpose: row.purpose,
    source: { kind: row.source_kind, name: row.source_name },
    query: row.query,
    items: row.items,
    accessFrom: row.access_from.toISOString(),
    accessTo: row.access_to.toISOString(),
    granter: row.granter,
    grantedAt: row.granted_at.toISOString(),
    ender: row.ender,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

const COLUMNS = { auditor: sql`auditor`, accessTo: sql`access_to`, grantedAt: sql`granted_at` };

export async function listAccesses(tx: Tx, tenantId: string, query: AuditorAccessQuery, at: Date): Promise<Page<AuditorAccess>> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof COLUMNS>(query.sort, { column: 'grantedAt', isDescending: true });
  const { rows } = await sql<AccessRow & { total: number }>`
    select *, count(*) over ()::int as total from ${shown(tenantId, at)} one
    where (${query.state ?? null}::text is null or state = ${query.state ?? null})
      and (auditor || ' ' || purpose || ' ' || source_name) ilike ${likePattern(query.search ?? '')}
    order by ${COLUMNS[column]} ${isDescending ? sql`desc` : sql`asc`}, access_id limit ${window.limit} offset ${window.offset}`.execute(
    tx,
  );
  return pageFrom(rows.map(accessOf), rows[0]?.total ?? window.offset, window);
}

export async function readAccess(
  tx: Tx,
  { tenantId, accessId }: { readonly tenantId: string; readonly accessId: string },
  at: Date,
): Promise<(AuditorAccess & { readonly accountId: string }) | undefined> {
  const { rows } = await sql<AccessRow>`select * from ${shown(tenantId, at)} one where access_id = ${accessId}`.execute(tx);
  return rows[0] && { ...accessOf(rows[0]), accountId: rows[0].account_id };
}

/** What an auditor may read now, what ends last first. */
export async function accessesOf(
  tx: Tx,
  { tenantId, accountId }: { tenantId: string; accountId: string },
  at: Date,
): Promise<AuditorAccess[]> {
  const { rows } = await sql<AccessRow>`select granted.*, 'active' as state from auditor_accesses granted
    where ${inForce(tenantId, accountId, at)} order by access_to desc, access_id`.execute(tx);
  return rows.map(accessOf);
}

/** The address of somebody who is an auditor of the organisation now. */
export async function auditorOf(tx: Tx, accountId: string, at: Date): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select account.email from memberships member join accounts account on account.id = member.account_id
    where member.account_id = ${accountId} and member.role = 'auditor' and member.joined_at is not null and member.disabled_at is null
      and account.disabled_at is null and (member.ends_at is null or member.ends_at > ${at})`.execute(tx);
  return rows[0]?.email;
}

/** Freezes what these places find of what others may be shown. Answers how many items that are. */
export async function addAccess(tx: Tx, row: Omit<NewAuditorAccess, 'items'>, places: readonly SearchPlace[]): Promise<number> {
  await tx
    .insertInto('auditor_accesses')
    .values({ ...row, items: 0 })
    .execute();
  const reach = await othersReach(tx);
  for (const place of places) {
    await sql`
      insert into auditor_access_items (access_id, source_id, item_key, from_point)
      select ${row.access_id}, hit.source_id, hit.item_key, hit.from_point from ${hitsOf({ ...place, reach })} hit
      on conflict do nothing`.execute(tx);
  }
  const counted = await sql<{ items: number }>`
    update auditor_accesses set items = (select count(*) from auditor_access_items frozen where frozen.access_id = auditor_accesses.access_id)
    where access_id = ${row.access_id} returning items`.execute(tx);
  return counted.rows[0]?.items ?? 0;
}

/** False when it has ended already. */
export async function endAccess(tx: Tx, accessId: string, by: { readonly ender: string; readonly at: Date }): Promise<boolean> {
  const ended = await tx
    .updateTable('auditor_accesses')
    .set({ ender: by.ender, ended_at: by.at })
    .where('access_id', '=', accessId)
    .where('ended_at', 'is', null)
    .where('access_to', '>', by.at)
    .returning('access_id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** What of an access its auditor may find: the versions that were frozen, as long as others may be shown them. */
export async function frozenReach(tx: Tx, accessId: string): Promise<SearchReach> {
  const others = await othersReach(tx);
  return (at, original) => sql`(${others(at, original)} and exists (select from auditor_access_items frozen
    where frozen.organisation_id = item.organisation_id and frozen.realm = item.realm and frozen.access_id = ${accessId}
      and frozen.source_id = item.source_id and frozen.item_key = item.item_key and frozen.from_point = item.from_point))`;
}

/** Whose content is in an access. */
export async function ownersIn(tx: Tx, accessId: string): Promise<string[]> {
  const { rows } = await sql<{ resource_id: string }>`
    select distinct source.resource_id from auditor_access_items frozen
    join catalog_sources source using (organisation_id, realm, source_id) where frozen.access_id = ${accessId} order by 1`.execute(tx);
  return rows.map((row) => row.resource_id);
}
