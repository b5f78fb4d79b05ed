import { z } from 'zod';
import { askedTypes, jobTypes } from './jobs.ts';
import { runStatuses } from './run-status.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { restoreFacts } from './content/restore.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams, workload, workloads } from './shared/values.ts';

export const accountStatuses = ['pending', 'running', 'successful', 'defective', 'failed', 'unprotected', 'excluded', 'cancelled'] as const;
export const runTriggers = ['schedule', 'manual', 'creation', 'catchUp'] as const;

export const run = z.object({
  /** The id that reports and links use. */
  reportId: id,
  reportNumber: z.number().int(),
  jobId: id.nullable(),
  jobName: z.string(),
  type: z.enum(jobTypes),
  /** Null for kinds of job that have none. */
  workload: workload.nullable(),
  status: z.enum(runStatuses),
  trigger: z.enum(runTriggers),
  startedBy: z.string().nullable(),
  stage: z.string(),
  /** What the run waits for that is away: the code of its error, and since when. Null when it does not wait. */
  waiting: z.object({ code: z.string(), since: instant }).nullable(),
  progress: z.number().min(0).max(100),
  processed: z.number().int(),
  total: z.number().int().nullable(),
  bytes: z.number(),
  itemsPerSecond: z.number(),
  bytesPerSecond: z.number(),
  remainingSeconds: z.number().nullable(),
  errors: z.number().int(),
  excluded: z.number().int(),
  accounts: z.number().int(),
  queuedAt: instant,
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** A code with a phrase that says why the whole run failed or was skipped. */
  code: z.string().nullable(),
  /** Of a restore: what, to whom and why. */
  restore: restoreFacts.nullable(),
});
export type Run = z.infer<typeof run>;

export const runDetails = run.extend({
  stages: z.array(z.object({ stage: z.string(), startedAt: instant, endedAt: instant.nullable() })),
  /** For how many milliseconds some part of the run waited for each of these. */
  waited: z.object({ microsoft: z.number(), storage: z.number(), database: z.number() }),
  counts: z.object({
    added: z.number().int(),
    changed: z.number().int(),
    removed: z.number().int(),
    unchanged: z.number().int(),
    gone: z.number().int(),
  }),
  newBytes: z.number(),
  storedBytes: z.number(),
  worker: z.string().nullable(),
  download: z.boolean(),
});
export type RunDetails = z.infer<typeof runDetails>;

const readFrom = ['microsoft365', 'storage'] as const;

/** A resource of a run. */
export const runAccount = z.object({
  accountId: id,
  name: z.string(),
  address: z.string(),
  kind: z.enum(['mailbox', 'drive', 'site', 'team', 'chat', 'archive']),
  /** Of an archive run: whether it read this in Microsoft 365 itself, or took what is stored. Null for other runs. */
  readFrom: z.enum(readFrom).nullable(),
  status: z.enum(accountStatuses),
  stage: z.string(),
  processed: z.number().int(),
  total: z.number().int().nullable(),
  items: z.number().int(),
  bytes: z.number(),
  errors: z.number().int(),
  code: z.string().nullable(),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
});
export type RunAccount = z.infer<typeof runAccount>;

/** An item, a whole resource or somebody who was chosen, that is not in the restore point as it should be. */
export const runProblem = z.object({
  /** Null for somebody or a group that could not be looked up: nothing of theirs is known. */
  accountId: id.nullable(),
  accountName: z.string(),
  path: z.string(),
  kind: z.string().nullable(),
  outcome: z.enum(['recorded', 'excluded', 'gone']),
  code: z.string(),
  tried: z.array(z.string()),
  /** The key of a phrase that says what to do. */
  advice: z.string(),
  requestId: z.string().nullable(),
});
export type RunProblem = z.infer<typeof runProblem>;

export const runSort = ['reportNumber', 'queuedAt', 'startedAt', 'endedAt', 'jobName', 'status', 'bytes', 'errors'] as const;
export const runsQuery = listQuery({
  sort: runSort,
  filter: {
    jobId: id.optional(),
    type: askedTypes.optional(),
    workload: z.enum(workloads).optional(),
    status: z.enum(runStatuses).optional(),
    /** Only runs that have not ended. */
    active: z.stringbool().optional(),
    from: instant.optional(),
    to: instant.optional(),
  },
});
export const runParams = tenantParams.extend({ reportId: id });
export const accountsQuery = listQuery({
  sort: ['name', 'status', 'items', 'bytes', 'errors'],
  filter: { status: z.enum(accountStatuses).optional() },
});

export const problemsQuery = listQuery({
  sort: ['path', 'code'],
  filter: { accountId: id.optional(), outcome: z.enum(['recorded', 'excluded', 'gone']).optional() },
});

export const monitoring = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/monitoring',
    action: 'monitoring.read',
    summary: 'Runs now and recent, newest first, of every kind',
    params: tenantParams,
    query: runsQuery,
    response: pageOf(run),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/monitoring/:reportId',
    action: 'monitoring.read',
    summary: 'One run',
    params: runParams,
    response: runDetails,
  }),
  accounts: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/monitoring/:reportId/accounts',
    action: 'monitoring.read',
    summary: 'The resources of one run',
    params: runParams,
    query: accountsQuery,
    response: pageOf(runAccount),
  }),
  problems: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/monitoring/:reportId/problems',
    action: 'monitoring.read',
    summary: 'What could not be read, item by item',
    params: runParams,
    query: problemsQuery,
    response: pageOf(runProblem),
  }),
};
