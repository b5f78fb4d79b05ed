import { z } from 'zod';
import { job } from './jobs.ts';
import type { unusedFilters } from './shared/limits.ts';
import { run } from './monitoring.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { coverageReasons, evidence } from './reporting.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams, workload } from './shared/values.ts';

/** One day of the last thirty. */
const day = z.object({
  date: z.string(),
  successful: z.number().int(),
  defective: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  items: z.number().int(),
  bytes: z.number(),
});

/** Figures of one workload; they accumulate over the last 30 days. */
export const workloadFigures = z.object({
  workload,
  protected: z.number().int(),
  partly: z.number().int(),
  unprotected: z.number().int(),
  excluded: z.number().int(),
  runs: z.number().int(),
  successful: z.number().int(),
  defective: z.number().int(),
  failed: z.number().int(),
  items: z.number().int(),
  bytes: z.number(),
  lastRun: run.nullable(),
  lastSuccessAt: instant.nullable(),
  oldestPointAt: instant.nullable(),
  newestPointAt: instant.nullable(),
  restorePoints: z.number().int(),
  days: z.array(day),
});
export type WorkloadFigures = z.infer<typeof workloadFigures>;

export const storageFigures = z.object({
  locationId: id,
  locationName: z.string(),
  sourceBytes: z.number(),
  storedBytes: z.number(),
  freeBytes: z.number().nullable(),
});

/** Something that somebody should look at: what, since when, and where it is mended. */
export const attentionEntry = z.object({
  kind: z.enum(['run', 'job', 'evidence', 'coverage', 'search', 'request']),
  code: z.string(),
  name: z.string(),
  /** How many others the entry is about, besides the one it names. */
  others: z.number().int().optional(),
  link: z.string(),
  /** Data is at risk: it is not backed up, or what is stored of it deviates. */
  isRisk: z.boolean(),
  since: instant.nullable(),
  /** The job whose next run can heal it, where there is one. */
  jobId: id.nullable(),
});
export type AttentionEntry = z.infer<typeof attentionEntry>;

export const overview = z.object({
  workloads: z.array(workloadFigures),
  storage: z.array(storageFigures),
  attention: z.array(attentionEntry),
  notProtected: z.object({ total: z.number().int(), items: z.array(coverageReasons) }),
  lastVerification: evidence.nullable(),
  lastDrill: evidence.nullable(),
  /** The nightly verification of the audit log. */
  lastAuditVerification: z.object({ at: instant, state: z.enum(['verified', 'overdue', 'deviation']) }).nullable(),
  nextRuns: z.array(job),
  recentRuns: z.array(run),
  /** What has been set up so far, for the three steps of the first start. */
  setUp: z.object({ tenantConnected: z.boolean(), locationAdded: z.boolean(), firstBackup: z.boolean() }),
});
export type Overview = z.infer<typeof overview>;

const teamFigures = workloadFigures.extend({
  teams: z.number().int(),
  channels: z.number().int(),
  messages: z.number().int(),
  files: z.number().int(),
  chats: z.number().int(),
  unused: z.object({ days30: z.number().int(), weeks8: z.number().int(), months6: z.number().int() }),
});

/** The times for which a team can be unused: the names of `unusedFilters`. */
export const unusedFor = ['days30', 'weeks8', 'months6'] as const satisfies readonly (keyof typeof unusedFilters)[];
export type UnusedFor = (typeof unusedFor)[number];

/** A team and its last post; null where nothing was ever posted. */
const teamActivity = z.object({
  resourceId: id,
  sourceId: id,
  locationId: id,
  name: z.string(),
  address: z.string(),
  lastActivityAt: instant.nullable(),
});
export type TeamActivity = z.infer<typeof teamActivity>;
export const teamActivityQuery = listQuery({ sort: ['name', 'lastActivityAt'], filter: { unused: z.enum(unusedFor).optional() } });

export const topMailboxOrders = ['size', 'messages', 'attachments'] as const;
export type TopMailboxOrder = (typeof topMailboxOrders)[number];
const topMailbox = z.object({
  resourceId: id,
  sourceId: id,
  locationId: id,
  name: z.string(),
  address: z.string(),
  bytes: z.number(),
  messages: z.number().int(),
  /** Messages with attachments. */
  attachments: z.number().int(),
});
export type TopMailbox = z.infer<typeof topMailbox>;

/** What is kept by day, and when a location will be full if it goes on like that. */
export const growth = z.object({
  days: z.array(
    z.object({
      date: z.string(),
      /** Of the newest state: what there is now, without what later runs read as new. */
      sourceBytes: z.number(),
      /** Written for it until the end of the day. */
      storedBytes: z.number(),
    }),
  ),
  locations: z.array(
    storageFigures.omit({ sourceBytes: true }).extend({
      /** Days until nothing is free; null without a limit, without growth, and before a week of it is known. */
      fullInDays: z.number().int().nullable(),
    }),
  ),
});
export type Growth = z.infer<typeof growth>;

const proof = evidence.pick({ runId: true, at: true, state: true, checked: true }).nullable();
/** What could be brought back of a workload, and when that was last proved. */
export const readiness = z.object({
  items: z.array(z.object({ workload, newestPointAt: instant.nullable(), drill: proof, verification: proof })),
});
export type Readiness = z.infer<typeof readiness>;

const figures = (name: 'exchange' | 'onedrive' | 'sharepoint') =>
  defineRoute({
    method: 'GET',
    path: `/api/:tenantId/dashboard/${name}`,
    action: 'dashboard.read',
    summary: `The last 30 days of ${name}`,
    params: tenantParams,
    response: workloadFigures,
  });

/** Mail, drives and sites, and what backs them up next. */
const backupFigures = z.object({ workloads: z.array(workloadFigures), nextRuns: z.array(job) });

export const dashboard = {
  overview: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/dashboard/overview',
    action: 'dashboard.read',
    summary: 'All workloads in one answer: what is protected, what is not, what needs attention',
    params: tenantParams,
    response: overview,
  }),
  attention: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/dashboard/attention',
    action: 'dashboard.read',
    summary: 'What needs attention, the worst first',
    params: tenantParams,
    response: z.object({ items: z.array(attentionEntry) }),
  }),
  growth: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/dashboard/growth',
    action: 'dashboard.read',
    summary: 'Source data and what is stored of it on each of the last 30 days, and when locations will be full',
    params: tenantParams,
    response: growth,
  }),
  readiness: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/dashboard/readiness',
    action: 'dashboard.read',
    summary: 'The newest restore point of each workload, with its last drill and verification',
    params: tenantParams,
    response: readiness,
  }),
  backup: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/dashboard/backup',
    action: 'dashboard.read',
    summary: 'The last 30 days of exchange, onedrive and sharepoint in one answer, with the next backups',
    params: tenantParams,
    response: backupFigures,
  }),
  exchange: figures('exchange'),
  onedrive: figures('onedrive'),
  sharepoint: figures('sharepoint'),
  teams: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/dashboard/teams',
    action: 'dashboard.read',
    summary: 'The last 30 days of Teams',
    params: tenantParams,
    response: teamFigures,
  }),
  teamActivity: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/dashboard/teams/activity',
    action: 'dashboard.read',
    summary: 'Each team with its last post; those alone that were unused for 30 days, 8 weeks or 6 months',
    params: tenantParams,
    query: teamActivityQuery,
    response: pageOf(teamActivity),
  }),
  topMailboxes: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/dashboard/mailboxes/top',
    action: 'dashboard.read',
    summary: 'The ten largest mailboxes by size, messages or messages with attachments, each once',
    params: tenantParams,
    query: z.object({ by: z.enum(topMailboxOrders).default('size') }),
    response: z.object({ items: z.array(topMailbox) }),
  }),
};
