import { z } from 'zod';
import { contentAccessEntry } from './access-log.ts';
import { isAccessInOrder, isAccessOfAYear } from './proxy-rights.ts';
import { searchHit, searchQuery, searchReason } from './query/search.ts';
import { pageSizeMax } from './shared/limits.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams } from './shared/values.ts';

export const auditorAccessStates = ['upcoming', 'active', 'expired', 'ended'] as const;
export const auditorSourceKinds = ['search', 'case'] as const;

/** What an auditor may read: what a case or a saved search finds when it is granted, and nothing that comes later. */
export const auditorAccessBody = z
  .object({
    /** A member of the organisation whose role is auditor. */
    userId: id,
    source: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('search'), searchId: id }),
      z.object({ kind: z.literal('case'), caseId: id }),
    ]),
    accessFrom: instant,
    accessTo: instant,
    purpose: z.string().trim().min(3, { error: 'validation.purpose' }).max(500, { error: 'validation.tooLong' }),
  })
  .refine(isAccessInOrder, { path: ['accessTo'], error: 'validation.holdPeriod' })
  .refine(isAccessOfAYear, { path: ['accessTo'], error: 'validation.accessYear' });
export type AuditorAccessBody = z.infer<typeof auditorAccessBody>;

export const auditorAccess = z.object({
  accessId: id,
  state: z.enum(auditorAccessStates),
  auditor: z.string(),
  purpose: z.string(),
  /** The case or saved search, as it was called when the list was frozen. */
  source: z.object({ kind: z.enum(auditorSourceKinds), name: z.string() }),
  /** The queries as they were read then, and how much they found. */
  query: z.string(),
  items: z.number().int(),
  accessFrom: instant,
  accessTo: instant,
  granter: z.string(),
  grantedAt: instant,
  ender: z.string().nullable(),
  endedAt: instant.nullable(),
});
export type AuditorAccess = z.infer<typeof auditorAccess>;

export const auditorAccessQuery = listQuery({
  sort: ['auditor', 'accessTo', 'grantedAt'],
  filter: { state: z.enum(auditorAccessStates).optional() },
});

const accessParams = tenantParams.extend({ accessId: id });

export const auditorAccesses = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/auditor-accesses',
    action: 'proxyRights.manage',
    summary: 'What auditors may read, on whose word and until when',
    params: tenantParams,
    query: auditorAccessQuery,
    response: pageOf(auditorAccess),
  }),
  mine: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/auditor-accesses/mine',
    action: 'auditorAccess.read',
    summary: 'What I may read as an auditor now',
    params: tenantParams,
    response: z.object({ items: z.array(auditorAccess) }),
  }),
  grant: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/auditor-accesses',
    action: 'proxyRights.manage',
    summary: 'Freeze what a case or a saved search finds, and let an auditor read it for a time',
    params: tenantParams,
    body: auditorAccessBody,
    response: auditorAccess,
    status: 201,
    errors: [
      'auditor-access.auditor-unknown',
      'auditor-access.access-over',
      'auditor-access.nothing-found',
      'cases.closed',
      'search.invalid',
    ],
  }),
  end: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/auditor-accesses/:accessId',
    action: 'proxyRights.manage',
    summary: 'End the access of an auditor at once; its record stays',
    params: accessParams,
    response: 'empty',
    status: 204,
    errors: ['auditor-access.over'],
  }),
  items: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/auditor-accesses/:accessId/items',
    action: 'content.read',
    summary: 'Search what was frozen for me; an empty query lists all of it; logged',
    params: accessParams,
    body: z.object({
      query: searchQuery.default(''),
      reason: searchReason,
      cursor: z.string().max(2_000).optional(),
      limit: z.number().int().min(1).max(pageSizeMax).default(50),
    }),
    response: pageOf(searchHit),
    errors: ['content.audit-right-needed', 'search.invalid'],
  }),
  csv: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/auditor-accesses/:accessId/csv',
    action: 'content.read',
    summary: 'The list of what was frozen for me as a file of comma-separated values; logged',
    params: accessParams,
    query: z.object({ query: searchQuery.default(''), reason: searchReason }),
    response: 'download',
    errors: ['content.audit-right-needed', 'search.invalid'],
  }),
  log: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/auditor-accesses/:accessId/log',
    action: 'content.read',
    summary: 'What an auditor has seen with this access, for whoever may grant one and for the auditor',
    params: accessParams,
    query: listQuery({ sort: ['at'], filter: {} }),
    response: pageOf(contentAccessEntry),
  }),
};
