import type { BodyOf } from '@holdfast/contract/jobs';
import type { Tx } from '@holdfast/database';

/** Whether a location has restore points of the source of a restore, and among them the one that is asked for. */
export async function restorable(
  tx: Tx,
  { tenantId, body }: { readonly tenantId: string; readonly body: BodyOf<'restore'> },
): Promise<{ readonly hasPoint: boolean } | undefined> {
  const { sourceId, sequence } = body.restore;
  const row = await tx
    .selectFrom('catalog_sources as source')
    .innerJoin('resources as resource', 'resource.resource_id', 'source.resource_id')
    .leftJoin('catalog_points as point', (join) =>
      join.onRef('point.source_id', '=', 'source.source_id').on('point.sequence', '=', sequence ?? null),
    )
    .select('point.sequence')
    .where('source.source_id', '=', sourceId)
    .where('source.location_id', '=', body.locationId)
    .where('source.points', '>', 0)
    .where('resource.tenant_id', '=', tenantId)
    .where('resource.workload', '=', body.workload)
    .executeTakeFirst();
  return row && { hasPoint: sequence === undefined || row.sequence !== null };
}
