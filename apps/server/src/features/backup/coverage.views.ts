import type { RetentionRule } from '@holdfast/contract/jobs';
import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';
import type { Clock } from '@holdfast/foundation/clock';
import { pointDispositions } from '@holdfast/engine';
import { retentionOf } from './retention-of.ts';

export interface Held {
  readonly sourceIds: readonly string[];
  readonly bytes: number | null;
}

/** What a location holds of resources, and what a retention rule would take of it. */
export interface CoverageViews {
  held(scope: Scope, what: { readonly tenantId: string; readonly locationId: string; readonly graphIds: readonly string[] }): Promise<Held>;
  pointsBeyond(
    scope: Scope,
    what: Held & { readonly retention: RetentionRule; readonly timeZone: string },
  ): Promise<{ readonly toDelete: number; readonly held: number }>;
}

export function createCoverageViews(options: { readonly database: Database; readonly clock: Clock }): CoverageViews {
  const { database, clock } = options;
  return Object.freeze<CoverageViews>({
    held(scope, { tenantId, locationId, graphIds }) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<{ source_id: string; bytes: number }>`
          select source.source_id, source.bytes from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
          where source.location_id = ${locationId} and resource.tenant_id = ${tenantId} and resource.graph_id = any(${[...graphIds]})`.execute(
          tx,
        );
        return {
          sourceIds: rows.map((row) => row.source_id),
          bytes: rows.length === 0 ? null : rows.reduce((sum, row) => sum + row.bytes, 0),
        };
      });
    },
    pointsBeyond(scope, { sourceIds, retention, timeZone }) {
      return database.within(scope, async (tx) => {
        const rows = await tx
          .selectFrom('catalog_points')
          .select(['source_id', 'sequence', 'committed_at'])
          .where(sql<boolean>`source_id = any(${[...sourceIds]}::uuid[])`)
          .orderBy('source_id')
          .orderBy('sequence')
          .execute();
        const bySource = Map.groupBy(rows, (row) => row.source_id);
        let toDelete = 0;
        let held = 0;
        for (const points of bySource.values()) {
          const dated = points.map((point) => ({ sequence: point.sequence, atMs: point.committed_at.getTime() }));
          const judged = pointDispositions(dated, retentionOf(retention, timeZone), [], clock.nowMs());
          toDelete += judged.filter((point) => !point.keep).length;
          held += judged.filter((point) => point.reasons.length === 1 && point.reasons[0] === 'hold').length;
        }
        return { toDelete, held };
      });
    },
  });
}
