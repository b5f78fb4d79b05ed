import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { JobKinds } from '../../runs/kinds.ts';
import type { Approvals } from '../approvals/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { RunsStore, RunsViews } from '../../runs/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { createDueJobsStore } from './due-jobs.store.ts';
import { jobApproval, jobApprovalEffects } from './job-approval.ts';
import { createJobsRoutes } from './jobs.routes.ts';
import { createJobsService, type JobsAudit, type JobsService } from './jobs.service.ts';
import { createJobsStore } from './jobs.store.ts';
import { createJobsViews, type JobsViews } from './jobs.views.ts';
import { createScheduler } from './scheduler.service.ts';

export interface JobsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly audit: AuditInbox;
  readonly runs: RunsStore;
  readonly runViews: RunsViews;
  readonly kinds: JobKinds;
  /** The second person of deletion jobs. */
  readonly approvals: Approvals;
}

export interface JobsFeature extends Feature {
  readonly jobs: JobsService;
  readonly jobsViews: JobsViews;
}

function auditOf({ audit }: Pick<JobsPorts, 'audit'>): JobsAudit {
  return (tx, { actor, request }, { event, jobId, name, details = {}, reason }) =>
    audit.record(tx, {
      event,
      actor: actorEntry(actor, request && { address: request.address, requestId: request.id }),
      subject: { kind: 'job', id: jobId, name },
      details,
      ...(reason === undefined ? {} : { reason }),
    });
}

export function createJobsFeature(ports: JobsPorts): JobsFeature {
  const { database, approvals } = ports;
  const jobsViews = createJobsViews(database);
  const jobs = createJobsService({
    ...ports,
    store: createJobsStore(database),
    views: jobsViews,
    approval: jobApproval(approvals),
    audit: auditOf(ports),
  });
  approvals.on('deletionJob', jobApprovalEffects(jobs));
  const scheduler = createScheduler({ ...ports, store: createDueJobsStore(database) });
  return Object.freeze<JobsFeature>({
    jobs,
    jobsViews,
    mount: (app) => inEachRealm((realm) => createJobsRoutes(app, jobs, realm)),
    start: {
      scheduler() {
        const stopping = new AbortController();
        const scheduling = scheduler.run(stopping.signal);
        return async () => {
          stopping.abort();
          await scheduling;
        };
      },
    },
  });
}
