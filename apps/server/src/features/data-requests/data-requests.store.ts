import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely';
import type { SearchReach } from '../content-access/index.ts';
import { hitsOf, type SearchPlace } from '../search/index.ts';

type Requests = OrganisationTables['data_requests'];

/** A request as it is changed; days are texts. */
export interface RequestRow {
  readonly request_id: string;
  readonly kind: 'access' | 'erasure';
  readonly person_id: string;
  readonly person_name: string;
  readonly person_address: string;
  readonly received_on: string;
  readonly due_on: string;
  readonly extended_at: Date | null;
  readonly collected_at: Date | null;
  readonly query: string | null;
  readonly coverage: object | null;
  readonly outcome: string | null;
}

export async function addRequest(tx: Tx, row: Insertable<Requests>): Promise<void> {
  await tx.insertInto('data_requests').values(row).execute();
}

/** Finds a request of a tenant, locked for whoever changes it. */
export async function readRequest(
  tx: Tx,
  { tenantId, requestId }: { readonly tenantId: string; readonly requestId: string },
  isLocked = false,
): Promise<RequestRow | undefined> {
  const { rows } = await sql<RequestRow>`
    select request_id, kind, person_id, person_name, person_address, to_char(received_on, 'YYYY-MM-DD') as received_on,
      to_char(due_on, 'YYYY-MM-DD') as due_on, extended_at, collected_at, query, coverage, outcome
    from data_requests where request_id = ${requestId} and tenant_id = ${tenantId} ${isLocked ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}

export async function changeRequest(tx: Tx, requestId: string, change: Updateable<Requests>): Promise<void> {
  await tx.updateTable('data_requests').set(change).where('request_id', '=', requestId).execute();
}

/** What of a person is looked for: everything in their own places, and mentions everywhere else. */
export interface Wanted {
  readonly own: SearchPlace;
  readonly mention: SearchPlace | undefined;
}

/** Each found item once, in whichever of the locations has it newest. */
function foundIn({ own, mention }: Wanted, reach: SearchReach): RawBuilder<unknown> {
  const parts = [
    sql`select 'own' as part, hit.* from ${hitsOf({ ...own, reach })} hit`,
    ...(mention ? [sql`select 'mention' as part, hit.* from ${hitsOf({ ...mention, reach })} hit`] : []),
  ];
  return sql`(select distinct on (resource_id, item_key) part, source_id, resource_id, item_key, from_point, at, size_bytes
    from (${sql.join(parts, sql` union all `)}) found order by resource_id, item_key, at desc, from_point desc, source_id)`;
}

/** How many items there are whoever may open them: those that are theirs, and those that mention them. */
export async function countAll(tx: Tx, wanted: Wanted, everything: SearchReach): Promise<number> {
  const { rows } = await sql<{ items: number }>`select count(*)::bigint as items from ${foundIn(wanted, everything)} found`.execute(tx);
  return rows[0]?.items ?? 0;
}

/** Lists what is found now in the place of what was found before. What was left out and is found again stays left out. */
export async function collectItems(tx: Tx, requestId: string, wanted: Wanted, reach: SearchReach): Promise<number> {
  const { rows: left } = await sql<{ resource_id: string; item_key: string; left_out: string; left_out_by: string }>`
    select resource_id, item_key, left_out, left_out_by from data_request_items where request_id = ${requestId} and left_out is not null`.execute(
    tx,
  );
  await tx.deleteFrom('data_request_items').where('request_id', '=', requestId).execute();
  const { numAffectedRows } = await sql`
    insert into data_request_items (request_id, position, part, source_id, resource_id, item_key, from_point, at, size_bytes, left_out, left_out_by)
    select ${requestId}, row_number() over (order by found.part desc, found.at desc, found.resource_id, found.item_key), found.part,
      found.source_id, found.resource_id, found.item_key, found.from_point, found.at, found.size_bytes, before.left_out, before.left_out_by
    from ${foundIn(wanted, reach)} found
    left join unnest(${left.map((row) => row.resource_id)}::uuid[], ${left.map((row) => row.item_key)}::text[],
      ${left.map((row) => row.left_out)}::text[], ${left.map((row) => row.left_out_by)}::text[])
      before (resource_id, item_key, left_out, left_out_by) using (resource_id, item_key)`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Leaves items out of the package, or puts them back; answers how many of them there are. */
export async function markItems(
  tx: Tx,
  requestId: string,
  positions: readonly number[],
  mark: { readonly reason: string; readonly by: string } | null,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('data_request_items')
    .set({ left_out: mark?.reason ?? null, left_out_by: mark?.by ?? null })
    .where('request_id', '=', requestId)
    .where('position', 'in', [...positions])
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Whose end comes up and who was not reminded of it yet; they are from then on. */
export async function takeDue(tx: Tx, until: string): Promise<readonly { readonly tenant: string; readonly dueOn: string }[]> {
  const { rows } = await sql<{ tenant: string; dueOn: string }>`
    update data_requests request set reminded_of = request.due_on from tenants tenant
    where tenant.organisation_id = request.organisation_id and tenant.realm = request.realm and tenant.tenant_id = request.tenant_id
      and request.outcome is null and request.due_on <= ${until}::date and request.reminded_of is distinct from request.due_on
    returning coalesce(nullif(tenant.display_name, ''), tenant.name) as tenant, to_char(request.due_on, 'YYYY-MM-DD') as "dueOn"`.execute(
    tx,
  );
  return rows;
}

/** The items of a package: what was found and is not left out, as the last restore point has it. */
export function packedItems(requestId: string): RawBuilder<unknown> {
  return sql`(select item.source_id, item.item_key, version.from_point, shown.sequence, version.kind, version.name, item.at, item.size_bytes
    from data_request_items item
    join catalog_items version using (organisation_id, realm, source_id, item_key, from_point)
    join lateral (select sequence from catalog_points point where point.organisation_id = item.organisation_id
      and point.realm = item.realm and point.source_id = item.source_id and point.sequence >= version.from_point
      and point.sequence < version.to_point order by sequence desc limit 1) shown on true
    where item.request_id = ${requestId} and item.left_out is null)`;
}
