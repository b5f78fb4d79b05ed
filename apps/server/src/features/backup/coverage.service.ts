import type { JobBody } from '@holdfast/contract/jobs';
import type { Scope } from '@holdfast/database';
import type { CoverageReader, JobCoverage } from '../jobs/index.ts';
import type { TenantGraph } from './tenant-graph.ts';
import type { CoverageViews } from './coverage.views.ts';
import { timeZoneOf } from './retention-of.ts';
import { coveredResources } from './covered-resources.ts';

const NOTHING: JobCoverage = { resources: 0, alreadyProtected: 0, estimatedBytes: null, pointsToDelete: null, pointsHeld: null };

/** What a job would cover if it ran now: live from Microsoft 365, joined with what the location holds. */
export function createCoverageReader(options: { readonly graph: TenantGraph; readonly views: CoverageViews }): CoverageReader {
  const { graph, views } = options;
  async function covered(scope: Scope, tenantId: string, body: JobBody): Promise<JobCoverage> {
    if (!('source' in body)) return NOTHING;
    const { resources } = await graph.use(scope, tenantId, (client) => coveredResources(client, body.workload, body.source));
    const graphIds = resources.map((resource) => resource.graphId);
    const held = await views.held(scope, { tenantId, locationId: body.locationId, graphIds });
    const points =
      body.type === 'deletion'
        ? await views.pointsBeyond(scope, { ...held, retention: body.retention, timeZone: timeZoneOf(body.schedule) })
        : undefined;
    return {
      resources: resources.length,
      alreadyProtected: held.sourceIds.length,
      estimatedBytes: held.bytes,
      pointsToDelete: points?.toDelete ?? null,
      pointsHeld: points?.held ?? null,
    };
  }
  return Object.freeze<CoverageReader>({ of: covered });
}
