import type { RetentionRule } from '@holdfast/contract/jobs';
import type { Schedule } from '@holdfast/contract/jobs/schedule';
import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';
import type { Clock } from '@holdfast/foundation/clock';
import { pointDispositions, type KeepReason, type PointDisposition, type PointKeepers } from '@holdfast/engine';
import type { HeldTarget } from './deletion-targets.ts';
import type { ResourceWorkload } from '../../storage/catalog/resources.store.ts';
import { judgedAt, retentionOf } from './retention-of.ts';
import { retentionTerms } from './retention-terms.store.ts';

/** A resource as a location holds it. */
interface HeldSource extends HeldTarget {
  readonly sourceId: string;
  readonly resourceId: string;
}

export interface Held {
  readonly sources: readonly HeldSource[];
  readonly bytes: number | null;
}

export interface PointsBeyond {
  readonly toDelete: number;
  readonly held: number;
  /** The names of the holds that keep the held ones. */
  readonly heldBy: string[];
  /** Points that an archive job has yet to take in, and the names of these jobs. */
  readonly awaited: number;
  readonly awaitedBy: string[];
}

/** What a location holds of resources, and what a retention rule would take of it. */
export interface CoverageViews {
  /** Without `graphIds` everything of the workload. */
  held(
    scope: Scope,
    what: {
      readonly tenantId: string;
      readonly locationId: string;
      readonly workload: ResourceWorkload;
      readonly graphIds?: readonly string[];
    },
  ): Promise<Held>;
  pointsBeyond(
    scope: Scope,
    what: {
      readonly locationId: string;
      readonly sources: readonly { readonly sourceId: string; readonly keepers: PointKeepers }[];
      readonly job: { readonly retention: RetentionRule; readonly schedule: Schedule };
      /** What Microsoft 365 says that the time is. */
      readonly attestedMs: number;
    },
  ): Promise<PointsBeyond>;
}

function keptOnlyBy(points: readonly PointDisposition[], reason: KeepReason): PointDisposition[] {
  return points.filter(({ reasons }) => reasons.length === 1 && reasons[0] === reason);
}

export function createCoverageViews(options: { readonly database: Database; readonly clock: Clock }): CoverageViews {
  const { database, clock } = options;
  return Object.freeze<CoverageViews>({
    held(scope, { tenantId, locationId, workload, graphIds }) {
      return database.within(scope, async (tx) => {
        const named = graphIds === undefined ? sql`` : sql`and resource.graph_id = any(${[...graphIds]})`;
        const { rows } = await sql<{ source_id: string; resource_id: string; graph_id: string; address: string; bytes: number }>`
          select source.source_id, resource_id, resource.graph_id, resource.address, source.bytes from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
          where source.location_id = ${locationId} and resource.tenant_id = ${tenantId} and resource.workload = ${workload} ${named}`.execute(
          tx,
        );
        return {
          sources: rows.map((row) => ({
            sourceId: row.source_id,
            resourceId: row.resource_id,
            graphId: row.graph_id,
            address: row.address,
            workload,
          })),
          bytes: rows.length === 0 ? null : rows.reduce((sum, row) => sum + row.bytes, 0),
        };
      });
    },
    pointsBeyond(scope, { locationId, sources, job, attestedMs }) {
      return database.within(scope, async (tx) => {
        const terms = await retentionTerms(tx, locationId);
        const rule = retentionOf(job, terms);
        const nowMs = judgedAt(clock, terms, attestedMs);
        const rows = await tx
          .selectFrom('catalog_points')
          .select(['source_id', 'sequence', 'committed_at'])
          .where(sql<boolean>`source_id = any(${sources.map((source) => source.sourceId)}::uuid[])`)
          .orderBy('source_id')
          .orderBy('sequence')
          .execute();
        const bySource = Map.groupBy(rows, (row) => row.source_id);
        let toDelete = 0;
        let held = 0;
        let awaited = 0;
        const heldBy = new Set<string>();
        const awaitedBy = new Set<string>();
        for (const { sourceId, keepers } of sources) {
          const points = bySource.get(sourceId) ?? [];
          const dated = points.map((point) => ({ sequence: point.sequence, atMs: point.committed_at.getTime() }));
          const judged = pointDispositions(dated, rule, keepers, nowMs);
          toDelete += judged.filter((point) => !point.keep).length;
          const kept = keptOnlyBy(judged, 'hold');
          const waiting = keptOnlyBy(judged, 'awaited');
          held += kept.length;
          awaited += waiting.length;
          for (const name of kept.flatMap((point) => point.holds)) heldBy.add(name);
          for (const name of waiting.flatMap((point) => point.awaitedBy)) awaitedBy.add(name);
        }
        return { toDelete, held, heldBy: [...heldBy].sort(), awaited, awaitedBy: [...awaitedBy].sort() };
      });
    },
  });
}
