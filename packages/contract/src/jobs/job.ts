import { leaveRefusals } from '../content/content.ts';
import { z } from 'zod';
import { listQuery, pageOf } from '../shared/paging.ts';
import { defineRoute } from '../shared/route.ts';
import { id, task, taskReference, tenantParams, workload } from '../shared/values.ts';
import { jobStatuses } from './kind.ts';
import { askedTypes, job, jobBody } from './registry.ts';
import { nextRuns } from './schedule.ts';

export const jobSort = ['name', 'type', 'workload', 'status', 'lastRun', 'nextRun', 'createdAt'] as const;
export const jobsQuery = listQuery({
  sort: jobSort,
  filter: { type: askedTypes.optional(), workload: workload.optional(), status: z.enum(jobStatuses).optional() },
});
const jobParams = tenantParams.extend({ jobId: id });
/** What a job that cannot be saved is refused for, wherever it is sent. */
export const saving = [
  'tenants.credential-refused',
  'tenants.deprovisioned',
  'configuration.workload-off',
  'jobs.name-taken',
  'jobs.location-unknown',
  'jobs.location-use',
  'jobs.type-unavailable',
  'jobs.date-in-past',
  'jobs.time-zone-unknown',
  'discovery.expression-invalid',
  'restore.reason-required',
  'restore.source-unknown',
  'restore.point-unknown',
  'restore.target-unusable',
  'search.selection-unknown',
  'import.file-not-whole',
  'import.folder-refused',
  'import.mailbox-unknown',
  'import.mailbox-exempt',
  ...leaveRefusals,
] as const;

export const jobs = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/jobs',
    action: 'jobs.read',
    summary: 'The jobs of a tenant',
    params: tenantParams,
    query: jobsQuery,
    response: pageOf(job),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/jobs',
    action: 'jobs.manage',
    summary: 'Create a job',
    params: tenantParams,
    body: jobBody,
    response: job,
    status: 201,
    errors: saving,
  }),
  preview: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/jobs/preview',
    action: 'jobs.manage',
    summary: 'What a job would cover and when it would run, without saving it',
    params: tenantParams,
    body: jobBody,
    response: nextRuns.extend({
      resources: z.number().int(),
      alreadyProtected: z.number().int(),
      estimatedBytes: z.number().nullable(),
      /** Deletion jobs: restore points that would go, and those that a hold keeps. */
      pointsToDelete: z.number().int().nullable(),
      pointsHeld: z.number().int().nullable(),
      /** The names of these holds. */
      heldBy: z.array(z.string()).optional(),
      /** Deletion jobs: restore points that stay until an archive job has taken in what they keep, and the names of these jobs. */
      pointsAwaited: z.number().int().optional(),
      awaitedBy: z.array(z.string()).optional(),
    }),
    errors: saving,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/jobs/:jobId',
    action: 'jobs.read',
    summary: 'One job',
    params: jobParams,
    response: job,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/jobs/:jobId',
    action: 'jobs.manage',
    summary: 'Change a job; it applies from the next run',
    params: jobParams,
    body: jobBody,
    response: job,
    errors: [...saving, 'jobs.type-fixed', 'request.precondition-failed'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/jobs/:jobId',
    action: 'jobs.manage',
    summary: 'Remove a job; its restore points stay',
    params: jobParams,
    response: 'empty',
    status: 204,
    errors: ['jobs.already-running'],
  }),
  start: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/jobs/:jobId/start',
    action: 'jobs.run',
    summary: 'Start a job now',
    params: jobParams,
    response: taskReference,
    status: 202,
    errors: ['jobs.already-running', 'jobs.approval-needed', 'tenants.deprovisioned', 'configuration.workload-off', ...leaveRefusals],
  }),
  stop: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/jobs/:jobId/stop',
    action: 'jobs.run',
    summary: 'Cancel the running job; what has been saved so far is kept',
    params: jobParams,
    response: taskReference,
    status: 202,
    errors: ['jobs.not-running'],
  }),
  status: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/jobs/:jobId/status/:taskId',
    action: 'jobs.read',
    summary: 'The state of a run',
    params: jobParams.extend({ taskId: id }),
    response: task,
  }),
};
