import { traitsOf, type JobBody } from '@holdfast/contract/jobs';
import type { Scope } from '@holdfast/database';
import type { PointHold } from '@holdfast/engine';
import type { CoverageReader, JobCoverage } from '../jobs/index.ts';
import type { TenantGraph } from './tenant-graph.ts';
import type { CoverageViews, PointsBeyond } from './coverage.views.ts';
import { deletionTargets, type LookUp } from './deletion-targets.ts';
import { configuredSource, type SettingsReader } from './configured-source.ts';
import { coveredResources } from './covered-resources.ts';

const NOTHING: JobCoverage = { resources: 0, alreadyProtected: 0, estimatedBytes: null, pointsToDelete: null, pointsHeld: null };

export interface CoverageReaderOptions {
  readonly graph: TenantGraph;
  readonly views: CoverageViews;
  readonly configuration: SettingsReader;
  /** Legal holds on a resource; the same that a deletion run asks. */
  holdsOn(scope: Scope, resourceId: string): Promise<readonly PointHold[]>;
}

/** What a job would cover if it ran now: live from Microsoft 365, joined with what the location holds. */
export function createCoverageReader(options: CoverageReaderOptions): CoverageReader {
  const { graph, views } = options;

  /** The points that a deletion would take, judged exactly as its run does. */
  async function pointsOf(scope: Scope, tenantId: string, body: JobBody): Promise<PointsBeyond | undefined> {
    if (body.type !== 'deletion') return undefined;
    const { locationId, workload } = body;
    const lookUp: LookUp = (source) => graph.use(scope, tenantId, (client) => coveredResources(client, workload, source));
    const isChosen = await deletionTargets(lookUp, body);
    const { sources: held } = await views.held(scope, { tenantId, locationId, workload });
    const sources = await Promise.all(
      held.filter(isChosen).map(async ({ sourceId, resourceId }) => ({ sourceId, holds: await options.holdsOn(scope, resourceId) })),
    );
    return views.pointsBeyond(scope, { locationId, sources, job: body });
  }

  async function covered(scope: Scope, tenantId: string, body: JobBody): Promise<JobCoverage> {
    if (!('source' in body)) return NOTHING;
    const settings = await options.configuration.settingsOf(scope, tenantId);
    const source = traitsOf(body.type).protects ? configuredSource(body.source, body.workload, settings) : body.source;
    const { resources } = await graph.use(scope, tenantId, (client) => coveredResources(client, body.workload, source));
    const graphIds = resources.map((resource) => resource.graphId);
    const held = await views.held(scope, { tenantId, locationId: body.locationId, workload: body.workload, graphIds });
    const points = await pointsOf(scope, tenantId, body);
    return {
      resources: resources.length,
      alreadyProtected: held.sources.length,
      estimatedBytes: held.bytes,
      pointsToDelete: points?.toDelete ?? null,
      pointsHeld: points?.held ?? null,
    };
  }
  return Object.freeze<CoverageReader>({ of: covered });
}
