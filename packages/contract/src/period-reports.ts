import { z } from 'zod';
import { contentAccessGrounds } from './access-log.ts';
import { jobTypes } from './jobs.ts';
import { runStatuses } from './run-status.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { paper } from './paper.ts';
import { evidence } from './reporting.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams, workload } from './shared/values.ts';

export const periodReportKinds = ['monthly', 'onDemand'] as const;
const languages = z.enum(['en', 'de']);
const count = z.number().int();

const reportedRun = z.object({
  runId: id,
  jobName: z.string(),
  type: z.enum(jobTypes),
  at: instant,
  status: z.enum(runStatuses),
  code: z.string().nullable(),
  /** Items that a restore wrote, or restore points that a deletion removed. */
  items: count,
});
const topMailbox = z.object({
  name: z.string(),
  address: z.string(),
  bytes: z.number(),
  messages: count,
  attachments: count,
  /** Where its content is; missing in reports of earlier versions. */
  locationId: id.optional(),
  sourceId: id.optional(),
});
const listed = <Row extends z.ZodType>(row: Row) => z.object({ total: count, items: z.array(row) });

/** What needs attention, the gravest first. */
export const attentionCodes = ['deviation', 'failed', 'unprotected', 'unreadable', 'noDrill', 'noVerification', 'defective'] as const;
export type AttentionCode = (typeof attentionCodes)[number];

/** The figures of a report. Lists are cut; their totals are not. */
export const reportFigures = z.object({
  organisation: z.string(),
  tenant: z.string(),
  timeZone: z.string(),
  /** Counted when the report was made. */
  protection: z.array(z.object({ workload, protected: count, partly: count, unprotected: count, excluded: count })),
  notProtected: listed(z.object({ name: z.string(), address: z.string(), workload, reason: z.string() })),
  runs: z.array(
    z.object({
      type: z.enum(jobTypes),
      runs: count,
      successful: count,
      defective: count,
      failed: count,
      skipped: count,
      cancelled: count,
    }),
  ),
  items: count,
  bytes: z.number(),
  accounts: count,
  troubled: listed(reportedRun),
  days: z.array(z.object({ date: z.string(), items: count, bytes: z.number(), storedBytes: z.number() })),
  storage: z.array(z.object({ location: z.string(), sourceBytes: z.number(), addedBytes: z.number() })),
  top: z.object({ size: z.array(topMailbox), messages: z.array(topMailbox), attachments: z.array(topMailbox) }),
  restores: listed(reportedRun.extend({ who: z.string().nullable() })),
  evidence: listed(evidence.pick({ runId: true, kind: true, at: true, locationName: true, checked: true, deviations: true })).extend({
    /** Of all of them; missing in reports of earlier versions, which counted those that are listed. */
    deviations: count.optional(),
  }),
  index: z.object({ items: count, searched: count, unreadable: count }),
  holds: z.object({
    active: count,
    placed: count,
    released: count,
    items: z.array(
      z.object({
        name: z.string(),
        reason: z.string(),
        resource: z.string().nullable(),
        placer: z.string(),
        placedAt: instant,
        releasedAt: instant.nullable(),
      }),
    ),
  }),
  deletions: listed(
    reportedRun.extend({
      requester: z.string().nullable(),
      approver: z.string().nullable(),
      mode: z.enum(['secondPerson', 'delay']).nullable(),
    }),
  ),
  accesses: z.array(z.object({ ground: z.enum([...contentAccessGrounds, 'download']), openings: count, people: count })),
  attention: z.array(z.object({ code: z.enum(attentionCodes), count })),
});
export type ReportFigures = z.infer<typeof reportFigures>;

/** Deviations that verifications and drills found. */
export function deviationsIn({ evidence: { items, deviations } }: Pick<ReportFigures, 'evidence'>): number {
  return deviations ?? items.reduce((sum, one) => sum + one.deviations, 0);
}
export type ReportedRun = z.infer<typeof reportedRun>;

export const periodReport = z.object({
  reportId: id,
  reportNumber: count,
  kind: z.enum(periodReportKinds),
  from: instant,
  to: instant,
  madeAt: instant,
  /** Who asked for it; null for those of a month. */
  maker: z.string().nullable(),
  language: languages,
  /** The PDF file is stored with the reports; until it is, it is printed whenever somebody wants it. */
  isStored: z.boolean(),
});
export type PeriodReport = z.infer<typeof periodReport>;

/** Longer than any report needs, shorter than what would count everything again and again. */
export const longestPeriodDays = 400;
const DAY_MS = 86_400_000;

export const periodBody = z
  .object({ from: instant, to: instant, language: languages.optional() })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'validation.holdPeriod' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= longestPeriodDays * DAY_MS, {
    path: ['from'],
    error: 'validation.periodLength',
  });
export type PeriodBody = z.infer<typeof periodBody>;

const inLanguage = z.object({ language: languages.optional() });
const reportParams = tenantParams.extend({ reportId: id });

/** Reports of a month or another period. What one says never changes once it is made. */
export const periodReports = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/period-reports',
    action: 'reporting.read',
    summary: 'Reports of months and other periods, newest first',
    params: tenantParams,
    query: listQuery({ sort: ['reportNumber', 'madeAt', 'from'], filter: { kind: z.enum(periodReportKinds).optional() } }),
    response: pageOf(periodReport),
  }),
  make: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/period-reports',
    action: 'jobs.run',
    summary: 'Make a report of a period and store its PDF file',
    params: tenantParams,
    body: periodBody,
    response: periodReport,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/period-reports/:reportId',
    action: 'reporting.read',
    summary: 'A report with its figures, and as a document in a language',
    params: reportParams,
    query: inLanguage,
    response: z.object({ report: periodReport, figures: reportFigures, paper }),
  }),
  file: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/period-reports/:reportId/file',
    action: 'reporting.read',
    summary: 'A report as a PDF file, in its own language or another one',
    params: reportParams,
    query: inLanguage,
    response: 'download',
  }),
};
