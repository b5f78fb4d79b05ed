import { leaveRefusals } from '../content/content.ts';
import { z } from 'zod';
import { workloadFigures } from '../dashboard.ts';
import { job, jobBody, jobStatuses, jobTypes, saving } from '../jobs.ts';
import { accountsQuery, run, runAccount } from '../monitoring.ts';
import { listQuery, pageOf } from '../shared/paging.ts';
import { downloadFormats, restoreSettings } from '../content/restore.ts';
import { defineRoute } from '../shared/route.ts';
import { id, taskReference, workload } from '../shared/values.ts';
import { workerIp } from '../workers.ts';

/** Which tenant behind the chosen worker, where there are several. */
const target = z.object({ tenantId: id.optional(), workerIp: workerIp.optional() });
const page = { cursor: z.string().max(2_000).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) };
const ipParams = z.object({ workerIp });
const jobId = z.object({ jobId: id });
/** What a scheduled job is called by: its kind, or `teams` for everything of Teams. */
export const jobPrefixes = ['backup', 'archive', 'restore', 'deletion', 'teams'] as const;

/** Job actions as the legacy surface names them. */
export const scheduledJobs = {
  running: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/backup-and-restore/running-jobs',
    action: 'monitoring.read',
    summary: 'Runs that go on now',
    query: target.extend(page),
    response: pageOf(run),
  }),
  ofKind: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/backup-and-restore/scheduled-jobs/:workerIp/:prefix',
    action: 'jobs.read',
    summary: 'The jobs of a kind',
    params: ipParams.extend({ prefix: z.enum(jobPrefixes) }),
    query: z.object({ tenantId: id.optional(), ...page }),
    response: pageOf(job),
  }),
  filtered: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/filtered-jobs',
    action: 'jobs.read',
    summary: 'Search jobs by name, kind, workload and status',
    query: listQuery({
      sort: ['name', 'type', 'workload', 'status', 'lastRun', 'nextRun', 'createdAt'],
      filter: { ...target.shape, type: z.enum(jobTypes).optional(), workload: workload.optional(), status: z.enum(jobStatuses).optional() },
    }),
    response: pageOf(job),
  }),
  create: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/jobs/scheduled-job/create',
    action: 'jobs.manage',
    summary: 'Create a job',
    query: target,
    body: jobBody,
    response: job,
    status: 201,
    errors: saving,
  }),
  update: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/jobs/scheduled-job/update',
    action: 'jobs.manage',
    summary: 'Change a job',
    query: target,
    body: jobId.extend({ job: jobBody }),
    response: job,
    errors: [...saving, 'jobs.type-fixed', 'request.precondition-failed'],
  }),
  remove: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/jobs/scheduled-job/remove',
    action: 'jobs.manage',
    summary: 'Remove a job; its restore points stay',
    query: target,
    body: jobId,
    response: 'empty',
    status: 204,
    errors: ['jobs.already-running'],
  }),
  start: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/backup-and-restore/scheduled-job/start',
    action: 'jobs.run',
    summary: 'Start a job now',
    query: target,
    body: jobId,
    response: taskReference,
    status: 202,
    errors: ['jobs.already-running', 'jobs.approval-needed', 'tenants.deprovisioned', 'configuration.workload-off', ...leaveRefusals],
  }),
  stop: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/backup-and-restore/stop-running-job',
    action: 'jobs.run',
    summary: 'Cancel the running job',
    query: target,
    body: jobId,
    response: taskReference,
    status: 202,
    errors: ['jobs.not-running'],
  }),
  accounts: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/backup-and-restore/scheduled-job/report-data-accounts',
    action: 'monitoring.read',
    summary: 'The accounts of a run',
    query: target,
    body: accountsQuery.extend({ reportId: id }),
    response: pageOf(runAccount),
  }),
};

const figures = z.object({ items: z.array(workloadFigures) });

/** Figures of the last 30 days. */
export const statistics = {
  all: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/backup-and-restore/statistics',
    action: 'dashboard.read',
    summary: 'Figures of every workload over the last 30 days',
    query: target,
    response: figures,
  }),
  teams: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/teams-archive/statistics',
    action: 'dashboard.read',
    summary: 'Figures of Teams over the last 30 days',
    query: target,
    response: figures,
  }),
  lastSuccessful: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/backup-and-restore/get-last-successful-job/:workerIp',
    action: 'monitoring.read',
    summary: 'The newest backup that succeeded',
    params: ipParams,
    query: z.object({ tenantId: id.optional() }),
    response: z.object({ run: run.nullable() }),
  }),
};

const restoreBody = z.object({ locationId: id, restore: restoreSettings });
const downloadBody = z.object({
  locationId: id,
  sourceId: id,
  sequence: z.number().int().min(1).optional(),
  items: restoreSettings.shape.items.default('all'),
  format: z.enum(downloadFormats).default('eml'),
  reason: z.string().trim().max(500).default(''),
});

const email = (path: `/${string}`) =>
  defineRoute({
    method: 'POST',
    surface: 'legacy',
    path,
    action: 'restore.run',
    summary: 'Restore messages',
    query: target,
    body: restoreBody,
    response: taskReference,
    status: 202,
    errors: saving,
  });
const download = (path: `/${string}`) =>
  defineRoute({
    method: 'POST',
    surface: 'legacy',
    path,
    action: 'restore.elsewhere',
    summary: 'Build a download of a whole mailbox or of folders; fetch it at /apollo/api/{tenantId}/downloads/{taskId}',
    query: target,
    body: downloadBody,
    response: taskReference,
    status: 202,
    errors: saving,
  });

/** Restores as the legacy surface names them, each in both spellings. */
export const legacyRestore = {
  email: email('/backup-and-restore/restore-email'),
  emailShort: email('/restore-email'),
  download: download('/full-restore-download'),
  downloadLong: download('/backup-and-restore/full-restore-download'),
};
