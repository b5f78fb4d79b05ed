import type { Protectable, ProtectablePart } from '@holdfast/contract/people';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { isAnythingHeld } from '../holds/index.ts';
import { peopleWithout, stateOfResources } from '../reporting/index.ts';

interface PartRow extends Omit<ProtectablePart, 'newestPointAt'> {
  /** As JSON has it, with the offset of the database's zone. */
  readonly newestPointAt: string | null;
}

export interface EntryRow {
  readonly resource_id: string | null;
  readonly kind: Protectable['kind'];
  readonly name: string;
  readonly address: string;
  readonly state: Protectable['state'];
  readonly parts: readonly PartRow[];
  readonly newest: Date | null;
  readonly items: number;
  readonly bytes: number;
  readonly deleted_at: Date | null;
  readonly is_held: boolean;
}

/** Mailbox and OneDrive carry the address of their person; everything else is by itself. */
const KEY = sql`case when kind in ('mailbox', 'drive') then coalesce(nullif(lower(address), ''), graph_id) else resource_id::text end`;
const KIND = sql`case when kind in ('mailbox', 'drive') then 'person' else kind end`;

/** Every part of everybody: what Microsoft 365 has or had, and what people turned out not to have. */
function parts(tenantId: string): RawBuilder<unknown> {
  return sql`
    select shown.resource_id, shown.graph_id, shown.kind, shown.workload, shown.name, shown.address, shown.state, shown.deleted_at,
      case when shown.state <> 'protected' then shown.last_code end as reason, held.newest, coalesce(held.items, 0) as items, coalesce(held.bytes, 0) as bytes
    from ${stateOfResources(tenantId, { withDeleted: true })}
    cross join lateral (
      select max(source.newest_point_at) as newest, max(source.items) as items, max(source.bytes) as bytes from catalog_sources source
      where source.organisation_id = shown.organisation_id and source.realm = shown.realm and source.resource_id = shown.resource_id) held
    union all
    select null, graph_id, case workload when 'onedrive' then 'drive' else 'mailbox' end, workload, name, address, state, null, code, null, 0, 0
    from ${peopleWithout(tenantId)} where workload in ('exchange', 'onedrive')`;
}

/** What is excluded on purpose does not count, unless it is all there is. */
const STATE = sql`case
  when bool_and(state = 'excluded') then 'excluded'
  when bool_and(state in ('protected', 'excluded')) then 'protected'
  when bool_and(state in ('unprotected', 'excluded')) then 'unprotected'
  else 'partly' end`;

/** Each person, site, team and chat once; the mailbox speaks for a person, and what exists for what does not. */
export function entriesOf(tenantId: string): RawBuilder<unknown> {
  const first = (column: string): RawBuilder<unknown> =>
    sql`(array_agg(${sql.ref(column)} order by resource_id is null, case kind when 'mailbox' then 0 else 1 end))[1]`;
  return sql`(
    select ${KEY} as key, min(${KIND}) as kind, ${first('resource_id')} as resource_id, ${first('name')} as name, ${first('address')} as address,
      ${STATE} as state, max(newest) as newest, sum(items)::bigint as items, sum(bytes)::bigint as bytes,
      case when bool_and(deleted_at is not null or resource_id is null) then max(deleted_at) end as deleted_at,
      ${isAnythingHeld(sql`${tenantId}`, (id) => sql`${id} = any(array_agg(part.resource_id))`)} as is_held,
      json_agg(json_build_object('resourceId', resource_id, 'graphId', graph_id, 'kind', kind, 'workload', workload, 'state', state, 'reason', reason,
        'newestPointAt', newest, 'items', items, 'bytes', bytes) order by kind desc) as parts
    from (${parts(tenantId)}) part group by 1) entry`;
}

export function entryOf(row: EntryRow): Protectable {
  return {
    resourceId: row.resource_id,
    kind: row.kind,
    name: row.name,
    address: row.address,
    state: row.state,
    parts: row.parts.map(({ newestPointAt, ...part }) => ({
      ...part,
      newestPointAt: newestPointAt === null ? null : new Date(newestPointAt).toISOString(),
    })),
    newestPointAt: row.newest?.toISOString() ?? null,
    items: row.items,
    bytes: row.bytes,
    deletedAt: row.deleted_at?.toISOString() ?? null,
    isHeld: row.is_held,
  };
}

/** The resources that one entry is made of, by any of them; none when the tenant does not have it. */
export async function resourcesBeside(tx: Tx, tenantId: string, resourceId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ resource_id: string }>`
    select beside.resource_id from resources asked join resources beside using (organisation_id, realm, tenant_id)
    where asked.tenant_id = ${tenantId} and asked.resource_id = ${resourceId} and asked.kind not in ('archive', 'journal')
      and (beside.resource_id = asked.resource_id
        or (asked.kind in ('mailbox', 'drive') and beside.kind in ('mailbox', 'drive') and asked.address <> '' and lower(beside.address) = lower(asked.address)))`.execute(
    tx,
  );
  return rows.map((row) => row.resource_id);
}
