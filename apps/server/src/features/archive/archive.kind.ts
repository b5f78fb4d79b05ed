import type { BodyOf } from '@holdfast/contract/jobs';
import type { Scope } from '@holdfast/database';
import type { JobCoverage, JobKind } from '../../runs/kind.ts';
import type { CoverageViews } from '../backup/index.ts';
import { coveredMailboxes } from './archive-mailboxes.ts';
import { createArchiveHandler, type ArchiveHandlerOptions } from './archive.tasks.ts';

export interface ArchiveKindOptions extends ArchiveHandlerOptions {
  readonly views: Pick<CoverageViews, 'held'>;
}

/** What a job would cover now, and what its location has archived of it. */
async function coverageOf(options: ArchiveKindOptions, scope: Scope, tenantId: string, body: BodyOf<'archive'>): Promise<JobCoverage> {
  const gone = await options.sources.gone(scope, tenantId);
  const { mailboxes } = await options.graph.use(scope, tenantId, (graph) => coveredMailboxes(graph, body, gone));
  const graphIds = mailboxes.map(({ graphId }) => graphId);
  const held = await options.views.held(scope, { tenantId, locationId: body.locationId, workload: 'archive', graphIds });
  return {
    resources: mailboxes.length,
    alreadyProtected: held.sources.length,
    estimatedBytes: held.bytes,
    pointsToDelete: null,
    pointsHeld: null,
  };
}

/** Archives of mailboxes as jobs. */
export function createArchiveKind(options: ArchiveKindOptions): JobKind<'archive'> {
  return Object.freeze<JobKind<'archive'>>({
    type: 'archive',
    preview: (scope, tenantId, body) => coverageOf(options, scope, tenantId, body),
    handle: createArchiveHandler(options),
  });
}
