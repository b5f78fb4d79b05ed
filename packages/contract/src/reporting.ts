import { z } from 'zod';
import { accountsQuery, run, runAccount, runParams, runsQuery } from './monitoring.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams, workload } from './shared/values.ts';

/** A month of a tenant in figures. `reportId` is stable: the month's first day in UTC names it. */
export const monthlyReport = z.object({
  reportId: id,
  reportNumber: z.number().int(),
  /** First and last moment of the month in the organisation's zone. */
  reportDate: instant,
  from: instant,
  to: instant,
  runs: z.number().int(),
  successful: z.number().int(),
  defective: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  items: z.number().int(),
  bytes: z.number(),
  accounts: z.number().int(),
  restores: z.number().int(),
});
export type MonthlyReport = z.infer<typeof monthlyReport>;

/** The tabs of the page of reports, as links name them. */
export const reportTabs = ['runs', 'monthly', 'coverage', 'evidence'] as const;
/** The address of a tab of the page of reports. */
export const reportsAddress = (tab: (typeof reportTabs)[number]): string => `/backup-and-restore/reports?tab=${tab}`;

export const coverageStates = ['unprotected', 'partly', 'excluded'] as const;
/** The states that the list can be narrowed to. Protected resources are left out unless they are asked for. */
export const listedStates = [...coverageStates, 'protected'] as const;

/**
 * Somebody or something that is not protected, or a folder or item in it (`path`). A name that is empty says that
 * everything of the workload is meant: what Microsoft lets nobody read.
 */
export const coverageReasons = z.object({
  resourceId: id.nullable(),
  graphId: z.string(),
  name: z.string(),
  address: z.string(),
  workload,
  path: z.string(),
  state: z.enum(listedStates),
  /** A code with a phrase; empty for what is protected. */
  reason: z.string(),
  since: instant.nullable(),
});
export type CoverageReason = z.infer<typeof coverageReasons>;

export const evidence = z.object({
  runId: id,
  kind: z.enum(['verify', 'drill']),
  at: instant,
  state: z.enum(['verified', 'overdue', 'deviation']),
  locationName: z.string(),
  checked: z.number().int(),
  checkedBytes: z.number(),
  deviations: z.number().int(),
  /** What deviates, the gravest first: a code with a phrase, and how often. Together they are the deviations of a verification. */
  findings: z.array(z.object({ code: z.string(), count: z.number().int() })),
  /** Copies of a drill that could not be taken away. */
  remaining: z.number().int(),
  /** Copies that were deleted and that Microsoft 365 keeps for a time: in a recycle bin, or as deleted channels. */
  kept: z.number().int(),
  /** Chats that a drill left out: a copy would stand among what people say. */
  leftOut: z.number().int(),
});
export type Evidence = z.infer<typeof evidence>;

export const protectionQuery = listQuery({
  sort: ['name', 'address', 'path', 'workload', 'state', 'reason', 'since'],
  filter: {
    workload: workload.optional(),
    state: z.enum(listedStates).optional(),
    /** Only mailboxes, drives, sites and teams as a whole, without folders and functions that are missing in them. */
    wholeOnly: z.stringbool().optional(),
    /** Of these only what figures count: no line for chats or a workload that is switched off. */
    countedOnly: z.stringbool().optional(),
  },
});

export const reporting = {
  runs: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/reporting',
    action: 'reporting.read',
    summary: 'Reports of ended runs',
    params: tenantParams,
    query: runsQuery,
    response: pageOf(run),
  }),
  accounts: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/reporting/:reportId/accounts',
    action: 'reporting.read',
    summary: 'The accounts of a report; of a month or of a run',
    params: runParams,
    query: accountsQuery,
    response: pageOf(runAccount),
  }),
  monthly: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/reporting/monthly',
    action: 'reporting.read',
    summary: 'A report for each month',
    params: tenantParams,
    response: z.object({ items: z.array(monthlyReport) }),
  }),
  protection: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/protection',
    action: 'reporting.read',
    summary: 'What is not protected, and why',
    params: tenantParams,
    query: protectionQuery,
    response: pageOf(coverageReasons),
  }),
  evidence: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/reporting/evidence',
    action: 'reporting.read',
    summary: 'Verifications and drills, newest first: of a period, or the newest of each kind',
    params: tenantParams,
    query: z.object({ from: instant.optional(), to: instant.optional() }),
    response: z.object({ items: z.array(evidence) }),
  }),
};
