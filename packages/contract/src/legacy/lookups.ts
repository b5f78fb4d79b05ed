import { z } from 'zod';
import { candidate, source } from '../discovery.ts';
import { teamExpressionMaxLength } from '../shared/limits.ts';
import { run } from '../monitoring.ts';
import { listQuery, pageOf } from '../shared/paging.ts';
import { defineRoute } from '../shared/route.ts';
import { id, workload } from '../shared/values.ts';
import { workerIp } from '../workers.ts';

const ipParams = z.object({ workerIp });
const candidates = listQuery({ sort: ['name', 'address'], filter: { tenantId: id.optional() } });
const sources = listQuery({ sort: ['name', 'newestPointAt', 'bytes', 'items'], filter: { tenantId: id.optional() } });

/** Lookups for pickers. */
export const lookups = {
  groups: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/founded-groups/:workerIp',
    action: 'discovery.read',
    summary: 'Groups whose members can be protected',
    params: ipParams,
    query: candidates,
    response: pageOf(candidate),
    errors: ['discovery.directory-unavailable'],
  }),
  accounts: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/founded-accounts/:workerIp/:type',
    action: 'discovery.read',
    summary: 'Who or what can be protected, by workload',
    params: ipParams.extend({ type: workload }),
    query: candidates,
    response: pageOf(candidate),
    errors: ['discovery.directory-unavailable'],
  }),
  restorable: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/restore/founded-accounts/:workerIp/:type',
    action: 'discovery.read',
    summary: 'What has restore points, by workload',
    params: ipParams.extend({ type: workload }),
    query: sources,
    response: pageOf(source),
  }),
};

const member = candidate.pick({ id: true, name: true, address: true });
const branch = z.object({
  sourceId: id,
  name: z.string(),
  channels: z.array(z.object({ nodeId: z.string(), name: z.string(), kind: z.string() })),
});

/** Teams as the legacy surface asks for them. */
export const teamLookups = {
  list: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/teams',
    action: 'discovery.read',
    summary: 'The teams of a tenant',
    query: candidates,
    response: pageOf(candidate),
    errors: ['discovery.directory-unavailable'],
  }),
  members: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/teams/members/:workerIp',
    action: 'discovery.read',
    summary: 'The members of a team',
    params: ipParams,
    query: z.object({ tenantId: id.optional(), teamId: z.string().min(1).max(200) }),
    response: z.object({ items: z.array(member) }),
    errors: ['discovery.directory-unavailable'],
  }),
  filter: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/teams-filter-re',
    action: 'discovery.read',
    summary: 'Teams whose name matches an expression (RE2: no expression can take long)',
    query: z.object({ tenantId: id.optional(), workerIp: workerIp.optional(), expression: z.string().min(1).max(teamExpressionMaxLength) }),
    response: z.object({ items: z.array(candidate) }),
    errors: ['discovery.directory-unavailable', 'discovery.expression-invalid'],
  }),
  structure: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/backup-and-restore/teams-archive-structure',
    action: 'content.browse',
    summary: 'What is stored of Teams, as a tree of teams and channels',
    query: z.object({ tenantId: id.optional(), workerIp: workerIp.optional() }),
    response: z.object({ items: z.array(branch) }),
  }),
  restores: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/backup-and-restore/finished-restore-teams-jobs/:workerIp',
    action: 'monitoring.read',
    summary: 'Restores of Teams that have ended',
    params: ipParams,
    query: listQuery({ sort: ['queuedAt', 'endedAt', 'jobName', 'status'], filter: { tenantId: id.optional() } }),
    response: pageOf(run),
  }),
};
