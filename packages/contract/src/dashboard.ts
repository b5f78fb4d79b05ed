import { z } from 'zod';
import { job } from './jobs.ts';
import { run } from './monitoring.ts';
import { coverageReasons, evidence } from './reporting.ts';
import { defineRoute } from './route.ts';
import { id, instant, tenantParams, workload } from './values.ts';

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

export const overview = z.object({
  workloads: z.array(workloadFigures),
  storage: z.array(storageFigures),
  attention: z.array(
    z.object({
      kind: z.enum(['run', 'job', 'evidence']),
      code: z.string(),
      name: z.string(),
      link: z.string(),
    }),
  ),
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
};
