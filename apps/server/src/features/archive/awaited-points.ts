import type { Scope } from '@holdfast/database';
import { capturedUpTo, type AwaitedPoints } from '@holdfast/engine';
import type { Logger } from '@holdfast/foundation/logger';
import type { TenantGraph } from '../backup/index.ts';
import { coveredMailboxes, selectionOf } from './archive-mailboxes.ts';
import type { ArchiveSourcesStore } from './archive-sources.store.ts';
import type { ArchiveJob, AwaitedPointsStore } from './awaited-points.store.ts';

export interface AwaitedPointsOptions {
  readonly graph: TenantGraph;
  readonly sources: Pick<ArchiveSourcesStore, 'gone'>;
  readonly store: AwaitedPointsStore;
  readonly logger: Logger;
}

/** A backup in a location, as a deletion holds it. */
export interface BackupInLocation {
  readonly locationId: string;
  readonly resourceId: string;
  readonly graphId: string;
  readonly workload: string;
}

/** Which points of a backup keep what archive jobs have yet to take in. */
export type AwaitedOfBackup = (backup: BackupInLocation) => Promise<readonly AwaitedPoints[]>;

interface Awaiting {
  readonly job: ArchiveJob;
  readonly covers: (graphId: string) => boolean;
}

/** Whom a job covers. What cannot be looked up may be covered: what it has archived before is, and without Microsoft 365 everything. */
async function awaiting(options: AwaitedPointsOptions, scope: Scope, tenantId: string, job: ArchiveJob): Promise<Awaiting> {
  const { graph, sources, store, logger } = options;
  const gone = await sources.gone(scope, tenantId);
  try {
    const { mailboxes, notFound } = await graph.use(scope, tenantId, (client) => coveredMailboxes(client, job.body, gone));
    const before = notFound.length === 0 ? new Set<string>() : await store.archivedIn(scope, tenantId, job.body.locationId);
    const covered = new Set(mailboxes.map(({ graphId }) => graphId));
    return { job, covers: (graphId) => covered.has(graphId) || before.has(graphId) };
  } catch (error) {
    logger.warn({ tenantId, err: error }, 'a deletion keeps what an archive job may cover: its mailboxes could not be looked up');
    return { job, covers: () => true };
  }
}

/**
 * What archive jobs of a tenant have yet to take in of its backups. Every archive job counts that exists: one without a
 * schedule is started by hand. The answer may name too much when an archive moves on meanwhile, and never too little.
 */
export async function awaitedPoints(options: AwaitedPointsOptions, scope: Scope, tenantId: string): Promise<AwaitedOfBackup> {
  const { store } = options;
  const jobs: Awaiting[] = [];
  for (const job of await store.jobs(scope, tenantId)) jobs.push(await awaiting(options, scope, tenantId, job));
  return async ({ locationId, resourceId, graphId, workload }) => {
    const waiting = workload === 'exchange' ? jobs.filter(({ covers }) => covers(graphId)) : [];
    const backup = waiting.length === 0 ? undefined : await store.backup(scope, { locationId, resourceId });
    if (!backup) return [];
    const found: AwaitedPoints[] = [];
    for (const { job } of waiting) {
      const cursor = await store.cursor(scope, { tenantId, locationId: job.body.locationId, graphId });
      const range = await store.range(scope, backup.id, capturedUpTo(cursor, backup, [selectionOf(job.body)]));
      if (range) found.push({ name: job.name, ...range });
    }
    return found;
  };
}
