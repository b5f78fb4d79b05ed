import { importRootsOf } from '../settings/config.ts';
import { awaitedAmong } from '../features/archive/index.ts';
import { createAssuranceFeature } from '../features/assurance/index.ts';
import { createResourcesStore, createStorageFeature } from '../storage/index.ts';
import { createDataRequestsFeature } from '../features/data-requests/index.ts';
import { type DeletionKeepers } from '../features/deletions/index.ts';
import { createDocumentsFeature } from '../features/documents/index.ts';
import { createJobsFeature } from '../features/jobs/index.ts';
import { createMonitoringFeature } from '../features/monitoring/index.ts';
import { createPeriodReportsFeature } from '../features/period-reports/index.ts';
import type { Ground } from './ground.ts';
import { composeKinds } from './job-kinds.ts';
import { createJobKinds } from '../runs/kinds.ts';
import { createWorkFeature } from '../runs/feature.ts';
import type { Gate } from './gate.ts';

/** What people have ordered to be kept, message by message and file by file. */
export function archiveKeepers({ holds, retention }: Pick<Gate, 'holds' | 'retention'>): DeletionKeepers {
  return {
    holds: (...mailbox) => holds.holdsOnArchive(...mailbox),
    policies: (...messages) => retention.policiesOfMessages(...messages),
    holdsWithin: (...place) => holds.holdsWithin(...place),
    policiesOfFile: (...file) => retention.policiesOfFile(...file),
    async policiesOfAwaited(tx, { resourceId: mailboxId, messageIds, ...when }) {
      const awaited = await awaitedAmong(tx, mailboxId, messageIds);
      return retention.policiesOfAwaited(tx, { mailboxId, messageIds: awaited, ...when });
    },
  };
}

/** What runs, and where it keeps what it has read. */
export function composeWork(ground: Ground, gate: Gate) {
  const { approvals, holds, retention, notifications, tenants, locations, configuration } = gate;
  const storage = createStorageFeature({ ...ground, ...locations });
  const monitoring = createMonitoringFeature(ground);
  const resources = createResourcesStore(ground);
  const base = { ...ground, ...configuration, graph: tenants.graph, ...storage, ...monitoring, resources };
  const assurance = createAssuranceFeature(base);
  const contentOpened: typeof notifications.contentOpened = (...opening) => notifications.contentOpened(...opening);
  const documents = createDocumentsFeature(base);
  const periodReports = createPeriodReportsFeature({
    ...base,
    documents: documents.stored,
    notify: (tx, scope, news) => notifications.reportMade(tx, scope, news),
  });
  const dataRequests = createDataRequestsFeature({ ...base, remind: (tx, scope, due) => notifications.requestDue(tx, scope, due) });
  const kinds = createJobKinds(
    composeKinds({
      ...base,
      ...assurance,
      keptOn: async (...asked) => ({ holds: await holds.holdsOn(...asked), minimums: await retention.minimumsOn(...asked) }),
      keptWithin: async (...asked) => ({ holds: await holds.holdsWithin(...asked), minimums: await retention.minimumsWithin(...asked) }),
      archiveKeepers: archiveKeepers(gate),
      dueMessages: retention.due,
      contentOpened,
      importRoots: importRootsOf(ground.config),
      monthlyReports: periodReports.kind,
    }),
  );
  const jobs = createJobsFeature({ ...base, kinds, approvals });
  const work = createWorkFeature({
    ...base,
    handlers: kinds.handlers,
    onEnded: [(scope, run) => notifications.runEnded(scope, run.runId), (scope, run) => assurance.keepWitness(scope, run)],
  });
  return { storage, monitoring, assurance, documents, periodReports, dataRequests, jobs, work, resources, contentOpened };
}

export type Work = ReturnType<typeof composeWork>;
