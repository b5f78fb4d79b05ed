import { z } from 'zod';
import { jobNameMinLength, teamExpressionMaxLength } from './limits.ts';
import { listQuery, pageOf } from './paging.ts';
import { restoreSettings } from './restore.ts';
import { defineRoute } from './route.ts';
import { nextRuns, schedule } from './schedule.ts';
import { id, instant, task, taskReference, tenantParams, workload } from './values.ts';
import type { Workload } from './values.ts';

export const jobTypes = ['backup', 'archive', 'restore', 'deletion', 'verify', 'drill'] as const;
/** The state of a job as lists show it: that of its current run, else disabled, else that of its last run or its schedule. */
export const jobStatuses = [
  'scheduled',
  'disabled',
  'pending',
  'running',
  'cancelling',
  'successful',
  'defective',
  'failed',
  'cancelled',
  'skipped',
  'finished',
] as const;

/** Spec section 5: at least four characters, none of the special ones. Names are unique in a tenant, whatever their case. */
export const jobName = z
  .string()
  .trim()
  .min(jobNameMinLength, { error: 'validation.jobNameMinimum' })
  .max(100, { error: 'validation.tooLong' })
  .regex(/^[\p{L}\p{N} ._-]+$/u, { error: 'validation.jobNameCharacters' });

/** Somebody or something that can be chosen. `id` is Microsoft's; name and address are what the list showed. */
export const sourceReference = z.object({
  id: z.string().min(1).max(400),
  name: z.string().max(400),
  address: z.string().max(600).default(''),
});
export type SourceReference = z.infer<typeof sourceReference>;
/** One channel, with the team that it is of; the address is that of the team. */
export const channelReference = sourceReference.extend({ teamId: z.string().min(1).max(200), teamName: z.string().max(400) });
export type ChannelReference = z.infer<typeof channelReference>;

const references = z.array(sourceReference).max(10_000).default([]);
/** A folder by its full path (`Inbox/Sub`). */
export const folderPath = z.string().trim().min(1, { error: 'validation.required' }).max(800, { error: 'validation.tooLong' });
const folders = z.array(folderPath).max(200).default([]);

/** A whole number within bounds that the text under this key names. */
const whole = (least: number, most: number, error: string) => z.int({ error }).min(least, { error }).max(most, { error });

export const sourceOptions = z.object({
  deletedItems: z.boolean().default(true),
  junk: z.boolean().default(true),
  recoverableItems: z.boolean().default(false),
  calendars: z.boolean().default(true),
  contacts: z.boolean().default(true),
  tasks: z.boolean().default(true),
  /** Earlier versions of a file that are kept when it is read for the first time. */
  fileVersions: whole(0, 500, 'rules.firstVersions').default(10),
  chats: z.boolean().default(false),
});

/** Sources of Teams that jobs of earlier versions do not have. */
const teamSources = {
  channels: z.array(channelReference).max(10_000).default([]),
  /** People whose teams are covered, all that each is in when the job runs. */
  members: references,
  /** Teams whose name has this regular expression (RE2, whatever the case) when the job runs; none when empty. */
  teamExpression: z.string().trim().max(teamExpressionMaxLength, { error: 'validation.tooLong' }).default(''),
};

/**
 * What a job covers. `everyone` takes all of the workload, newcomers included; groups, members and
 * the expression are resolved at each run. What is excluded wins; a whole team wins over its channels.
 */
export const jobSource = z
  .object({
    everyone: z.boolean().default(false),
    users: references,
    groups: references,
    sites: references,
    teams: references,
    ...teamSources,
    excluded: references,
    includeFolders: folders,
    excludeFolders: folders,
    options: sourceOptions.default(() => sourceOptions.parse({})),
  })
  .refine((source) => source.everyone || countSources(source) > 0, { path: ['users'], error: 'validation.usersRequired' });
export type JobSource = z.infer<typeof jobSource>;

type Chosen = Record<'users' | 'groups' | 'sites' | 'teams' | 'channels' | 'members', readonly SourceReference[]> & {
  teamExpression: string;
};

/** How much was chosen beside everyone: each reference, and the expression as one. */
export function countSources({ users, groups, sites, teams, channels, members, teamExpression }: Chosen): number {
  const lists = [users, groups, sites, teams, channels, members];
  return lists.reduce((sum, list) => sum + list.length, teamExpression === '' ? 0 : 1);
}

/** Samples and restore points are of whole teams. */
const unitSource = jobSource.refine(({ channels }) => channels.length === 0, { path: ['channels'], error: 'validation.wholeTeams' });
/** A deletion gives up restore points, and those are of a whole resource. */
const wholeSource = unitSource.refine(({ includeFolders, excludeFolders }) => includeFolders.length + excludeFolders.length === 0, {
  path: ['includeFolders'],
  error: 'validation.wholePoints',
});

/** How long restore points stay. Grandfather, father, son: the newest of each day, week, month and year. */
export const retentionRule = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('all') }),
  z.object({ mode: z.literal('days'), days: whole(1, 36_500, 'rules.keptDays') }),
  z.object({ mode: z.literal('count'), count: whole(1, 100_000, 'rules.keptCount') }),
  z.object({
    mode: z.literal('gfs'),
    daily: whole(0, 3_650, 'rules.keptParts'),
    weekly: whole(0, 520, 'rules.keptParts'),
    monthly: whole(0, 600, 'rules.keptParts'),
    yearly: whole(0, 100, 'rules.keptParts'),
  }),
]);
export type RetentionRule = z.infer<typeof retentionRule>;

const sourceKinds = ['users', 'groups', 'sites', 'teams', 'channels', 'members', 'teamExpression'] as const;

/** What jobs of a workload can choose. Of Teams, people are chosen for their chats; its groups are teams. */
function kindsOf(of: Workload, { options }: JobSource): readonly (typeof sourceKinds)[number][] {
  switch (of) {
    case 'exchange':
    case 'onedrive':
      return ['users', 'groups'];
    case 'sharepoint':
      return ['sites'];
    case 'teams':
      return ['teams', 'groups', 'channels', 'members', 'teamExpression', ...(options.chats ? (['users'] as const) : [])];
  }
}

/** What was chosen and would be passed over in silence: a job of mail that names sites alone would protect nothing. */
function strangeSources(body: { readonly workload: Workload; readonly source?: JobSource }): readonly string[] {
  const { workload: of, source } = body;
  if (!source) return [];
  const kinds = kindsOf(of, source);
  return sourceKinds.filter((kind) => !kinds.includes(kind) && source[kind].length > 0);
}

const common = { name: jobName, workload, schedule };
const anyJobBody = z.discriminatedUnion('type', [
  z.object({ ...common, type: z.literal('backup'), source: jobSource, locationId: id }),
  z.object({ ...common, type: z.literal('archive'), source: jobSource, locationId: id }),
  z.object({ ...common, type: z.literal('restore'), locationId: id, restore: restoreSettings }),
  z.object({ ...common, type: z.literal('deletion'), source: wholeSource, locationId: id, retention: retentionRule }),
  z.object({ ...common, type: z.literal('verify'), locationId: id, budgetPercent: whole(1, 100, 'rules.percent').default(10) }),
  z.object({
    ...common,
    type: z.literal('drill'),
    source: unitSource,
    locationId: id,
    samples: whole(1, 1_000, 'rules.samples').default(20),
  }),
]);
export const jobBody = anyJobBody.superRefine((body, context) => {
  for (const kind of strangeSources(body))
    context.addIssue({ code: 'custom', path: ['source', kind], message: 'validation.otherWorkload' });
});
export type JobBody = z.infer<typeof jobBody>;

/** A body as it was kept, with what jobs of earlier versions do not have. */
export function completeBody(kept: JobBody): JobBody {
  if (!('source' in kept)) return kept;
  return { ...kept, source: { ...z.object(teamSources).parse({}), ...kept.source } };
}

/** Whether a deletion job has its second person. */
export const jobApprovals = ['notNeeded', 'waiting', 'approved', 'refused'] as const;

export const job = z.object({
  jobId: id,
  name: z.string(),
  type: z.enum(jobTypes),
  workload,
  source: jobSource.nullable(),
  /** How much was chosen, as `countSources` says; null for everyone. */
  sourceCount: z.number().int().nullable(),
  locationId: id,
  locationName: z.string(),
  restore: restoreSettings.nullable(),
  retention: retentionRule.nullable(),
  budgetPercent: z.number().int().nullable(),
  samples: z.number().int().nullable(),
  schedule,
  creator: z.string(),
  createdAt: instant,
  lastRun: z.object({ runId: id, status: z.enum(jobStatuses), startedAt: instant.nullable(), endedAt: instant.nullable() }).nullable(),
  nextRun: instant.nullable(),
  status: z.enum(jobStatuses),
  /** Of the run that is going on; zero without one. */
  progress: z.number().min(0).max(100),
  stage: z.string(),
  processed: z.number().int(),
  errors: z.number().int(),
  restorePoints: z.number().int(),
  approval: z.enum(jobApprovals),
  version: z.number().int(),
});
export type Job = z.infer<typeof job>;

export const jobSort = ['name', 'type', 'workload', 'status', 'lastRun', 'nextRun', 'createdAt'] as const;
export const jobsQuery = listQuery({
  sort: jobSort,
  filter: { type: z.enum(jobTypes).optional(), workload: workload.optional(), status: z.enum(jobStatuses).optional() },
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
    errors: ['jobs.already-running', 'jobs.approval-needed', 'tenants.deprovisioned', 'configuration.workload-off'],
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
