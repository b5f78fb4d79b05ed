import { countSources, type BodyOf } from '@holdfast/contract/jobs';
import type { Scope } from '@holdfast/database';
import type { JobKind } from '../../runs/kind.ts';
import { coveredResources, deletionTargets, type CoverageReader, type CoverageViews, type PointsBeyond } from '../backup/index.ts';
import { createDeletionHandler, type DeletionHandlerOptions } from './deletion.tasks.ts';

export interface DeletionKindOptions extends DeletionHandlerOptions {
  readonly coverage: CoverageReader;
  readonly views: CoverageViews;
}

/** The points that a deletion would take, judged exactly as its run does. */
export async function pointsOf(
  options: DeletionKindOptions,
  scope: Scope,
  tenantId: string,
  body: BodyOf<'deletion'>,
): Promise<PointsBeyond> {
  const { graph, views } = options;
  const { locationId, workload } = body;
  const isChosen = await deletionTargets(
    (source) => graph.use(scope, tenantId, (client) => coveredResources(client, workload, source)),
    body,
  );
  const { sources: held } = await views.held(scope, { tenantId, locationId, workload });
  const awaitedOf = await options.awaitedIn(scope, tenantId, locationId);
  const sources = await Promise.all(
    held.filter(isChosen).map(async (resource) => {
      const kept = await options.keptOn(scope, { resourceId: resource.resourceId, locationId });
      return { sourceId: resource.sourceId, keepers: { ...kept, awaited: await awaitedOf(resource) } };
    }),
  );
  const attestedMs = await graph.use(scope, tenantId, (client) => client.serviceTime());
  return views.pointsBeyond(scope, { locationId, sources, job: body, attestedMs });
}

/** Deletions of restore points as jobs: their preview, what a second person is shown, and their run. */
export function createDeletionKind(options: DeletionKindOptions): JobKind<'deletion'> {
  return Object.freeze<JobKind<'deletion'>>({
    type: 'deletion',
    async preview(scope, tenantId, body) {
      const covered = await options.coverage.of(scope, tenantId, body);
      const { toDelete, held, heldBy, awaited, awaitedBy } = await pointsOf(options, scope, tenantId, body);
      return { ...covered, pointsToDelete: toDelete, pointsHeld: held, heldBy, pointsAwaited: awaited, awaitedBy };
    },
    approvalDetails({ source, retention, workload }) {
      const { mode: rule, ...amounts } = retention;
      return { workload, sources: source.everyone ? 'everyone' : countSources(source), rule, ...amounts };
    },
    handle: createDeletionHandler(options),
  });
}
