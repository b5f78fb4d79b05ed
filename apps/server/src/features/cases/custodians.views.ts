import type { CaseCustodian, CaseHold, CaseResource } from '@holdfast/contract/case-values';
import type { Hold } from '@holdfast/contract/holds';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { custodianResources, type CasePlace } from '../marks/index.ts';

const kept = sql`(select resource_id, sum(points)::bigint as points, sum(items)::bigint as items, sum(bytes)::bigint as bytes
  from catalog_sources group by resource_id)`;

interface ResourceRow {
  readonly custodian_id: string;
  readonly addresses: string[];
  readonly resource_id: string;
  readonly name: string;
  readonly address: string;
  readonly kind: CaseResource['kind'];
  readonly points: number;
  readonly items: number;
  readonly bytes: number;
  readonly is_held: boolean;
  readonly deleted_at: Date | null;
}

function resourceOf(row: ResourceRow): CaseResource {
  const { name, address, kind, points, items, bytes } = row;
  const deletedAt = row.deleted_at?.toISOString() ?? null;
  return { resourceId: row.resource_id, name, address, kind, points, items, bytes, isHeld: row.is_held, deletedAt };
}

async function resourceRows(tx: Tx, place: CasePlace): Promise<readonly ResourceRow[]> {
  const { rows } = await sql<ResourceRow>`
    select known.custodian_id, array_agg(distinct known.address) filter (where known.address <> '') as addresses,
      resource.resource_id, resource.name, resource.address, resource.kind, resource.deleted_at,
      coalesce(kept.points, 0)::bigint as points, coalesce(kept.items, 0)::bigint as items, coalesce(kept.bytes, 0)::bigint as bytes,
      exists (select from holds hold where hold.case_id = ${place.caseId} and hold.resource_id = resource.resource_id
        and hold.released_at is null) as is_held
    from ${custodianResources(place)} known
    join resources resource on resource.resource_id = known.resource_id
    left join ${kept} kept on kept.resource_id = resource.resource_id
    group by known.custodian_id, resource.organisation_id, resource.realm, resource.resource_id, kept.points, kept.items, kept.bytes
    order by array_position(array['mailbox', 'archive', 'drive', 'chat'], resource.kind), lower(resource.name), resource.resource_id`.execute(
    tx,
  );
  return rows;
}

/** The custodians of a case with everything of theirs that is kept. */
export async function custodiansOf(tx: Tx, place: CasePlace): Promise<CaseCustodian[]> {
  const custodians = await tx
    .selectFrom('case_custodians')
    .select(['custodian_id', 'name', 'address', 'added_at'])
    .where('case_id', '=', place.caseId)
    .orderBy('name')
    .orderBy('custodian_id')
    .execute();
  const byCustodian = Map.groupBy(await resourceRows(tx, place), (row) => row.custodian_id);
  return custodians.map((custodian) => {
    const rows = byCustodian.get(custodian.custodian_id) ?? [];
    const addresses = new Set([custodian.address, ...rows.flatMap((row) => row.addresses ?? [])].filter((address) => address !== ''));
    return {
      custodianId: custodian.custodian_id,
      name: custodian.name,
      addresses: [...addresses],
      addedAt: custodian.added_at.toISOString(),
      resources: rows.map(resourceOf),
    };
  });
}

/** Holds of a case with what they guard in all locations. */
export async function guardedBy(tx: Tx, holds: readonly Hold[]): Promise<CaseHold[]> {
  const { rows } = await sql<{ resource_id: string; points: number; items: number; bytes: number }>`
    select resource_id, points, items, bytes from ${kept} kept
    where resource_id = any(${holds.flatMap(({ resourceId }) => resourceId ?? [])}::uuid[])`.execute(tx);
  const byResource = new Map(rows.map(({ resource_id: resourceId, ...figures }) => [resourceId, figures]));
  const nothing = { points: 0, items: 0, bytes: 0 };
  return holds.map((hold) => ({ ...hold, ...(byResource.get(hold.resourceId ?? '') ?? nothing) }));
}
