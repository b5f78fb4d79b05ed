import { traitsOf } from '@holdfast/contract/jobs';
import type { Scope } from '@holdfast/database';
import type { JobCoverage } from '../../runs/kind.ts';
import { configuredSource, type SettingsReader, type SourcedBody } from './configured-source.ts';
import type { CoverageViews } from './coverage.views.ts';
import { coveredResources } from './covered-resources.ts';
import type { TenantGraph } from './tenant-graph.ts';

export interface CoverageReader {
  of(scope: Scope, tenantId: string, body: SourcedBody): Promise<JobCoverage>;
}

/** What a job would cover if it ran now: live from Microsoft 365, joined with what the location holds. */
export function createCoverageReader(options: {
  readonly graph: TenantGraph;
  readonly views: CoverageViews;
  readonly configuration: SettingsReader;
}): CoverageReader {
  const { graph, views } = options;
  return Object.freeze<CoverageReader>({
    async of(scope, tenantId, body) {
      const settings = await options.configuration.settingsOf(scope, tenantId);
      const source = traitsOf(body.type).protects ? configuredSource(body.source, body.workload, settings) : body.source;
      const { resources } = await graph.use(scope, tenantId, (client) => coveredResources(client, body.workload, source));
      const graphIds = resources.map((resource) => resource.graphId);
      const held = await views.held(scope, { tenantId, locationId: body.locationId, workload: body.workload, graphIds });
      return {
        resources: resources.length,
        alreadyProtected: held.sources.length,
        estimatedBytes: held.bytes,
        pointsToDelete: null,
        pointsHeld: null,
      };
    },
  });
}
