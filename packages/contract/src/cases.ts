import { z } from 'zod';
import {
  caseBody,
  caseCloseBody,
  caseDetails,
  caseEvent,
  caseFilesBody,
  caseHoldBody,
  casePerson,
  caseQueryBody,
  caseReason,
  caseReport,
  caseStatuses,
  caseSummary,
} from './case-values.ts';
import { pageSizeMax } from './shared/limits.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { searchCoverage, searchHit, searchMonth } from './query/search.ts';
import { id, tenantParams } from './shared/values.ts';

const caseParams = tenantParams.extend({ caseId: id });
const queryParams = caseParams.extend({ queryId: id });
const changing = ['cases.closed'] as const;
/** Where access is strict, what a case finds opens to members whom somebody else has added. */
const opening = [...changing, 'cases.content-right-needed'] as const;

/** Who sees a case: its members, and the owners of the organisation. To everybody else it does not exist. */
const basics = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/cases',
    action: 'cases.work',
    summary: 'The cases that I may see, the newest first',
    params: tenantParams,
    query: listQuery({ sort: ['matter', 'createdAt'], filter: { status: z.enum(caseStatuses).optional() } }),
    response: pageOf(caseSummary),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/cases/:caseId',
    action: 'cases.work',
    summary: 'A case with its members, custodians, queries and holds',
    params: caseParams,
    response: caseDetails,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases',
    action: 'cases.manage',
    summary: 'Open a case; whoever opens it is its first member',
    params: tenantParams,
    body: caseBody,
    response: caseDetails,
    status: 201,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/archive/cases/:caseId',
    action: 'cases.manage',
    summary: 'Change the matter, the reference or the period of a case',
    params: caseParams,
    body: caseBody,
    response: caseDetails,
    errors: changing,
  }),
  close: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/close',
    action: 'cases.manage',
    summary: 'Close a case; its holds end only when they are released one by one',
    params: caseParams,
    body: caseCloseBody,
    response: caseDetails,
    errors: ['cases.closed', 'cases.holds-in-force'],
  }),
  reopen: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/reopen',
    action: 'cases.manage',
    summary: 'Reopen a closed case',
    params: caseParams,
    body: caseReason,
    response: caseDetails,
    errors: ['cases.not-closed'],
  }),
  log: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/cases/:caseId/log',
    action: 'cases.work',
    summary: 'What was done in a case, the newest first, from the audit log',
    params: caseParams,
    query: z.object({ cursor: z.string().max(2_000).optional(), limit: z.coerce.number().int().min(1).max(pageSizeMax).default(50) }),
    response: pageOf(caseEvent),
  }),
};

const people = {
  addMember: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/members',
    action: 'cases.manage',
    summary: 'Let a user of the organisation see a case',
    params: caseParams,
    body: z.object({ userId: id }),
    response: caseDetails,
    errors: ['cases.closed', 'cases.member-unknown'],
  }),
  removeMember: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/cases/:caseId/members/:userId',
    action: 'cases.manage',
    summary: 'Take a case away from a member; the last member stays',
    params: caseParams.extend({ userId: id }),
    response: 'empty',
    status: 204,
    errors: ['cases.closed', 'cases.last-member'],
  }),
  people: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/cases/:caseId/people',
    action: 'cases.manage',
    summary: 'People who can become custodians: everybody with a mailbox, a OneDrive or a chat in the backups',
    params: caseParams,
    query: z.object({
      search: z.string().max(200).optional(),
      cursor: z.string().max(2_000).optional(),
      limit: z.coerce.number().int().min(1).max(pageSizeMax).default(50),
    }),
    response: pageOf(casePerson),
  }),
  addCustodians: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/custodians',
    action: 'cases.manage',
    summary: 'Add people with everything of theirs that is kept',
    params: caseParams,
    body: z.object({ keys: z.array(z.string().min(1).max(400)).min(1).max(pageSizeMax) }),
    response: caseDetails,
    errors: ['cases.closed', 'cases.person-unknown'],
  }),
  removeCustodian: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/cases/:caseId/custodians/:custodianId',
    action: 'cases.manage',
    summary: 'Remove a custodian; holds that were placed stay in force',
    params: caseParams.extend({ custodianId: id }),
    response: 'empty',
    status: 204,
    errors: changing,
  }),
  placeHolds: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/holds',
    action: 'cases.manage',
    summary: 'Put everything of the custodians on hold that no hold of this case guards yet',
    params: caseParams,
    body: caseHoldBody,
    response: caseDetails,
    status: 201,
    errors: ['cases.closed', 'cases.nothing-to-hold'],
  }),
};

const queries = {
  addQuery: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/queries',
    action: 'cases.work',
    summary: 'Add a query to a case',
    params: caseParams,
    body: caseQueryBody,
    response: caseDetails,
    status: 201,
    errors: ['cases.closed', 'cases.query-name-taken', 'search.invalid'],
  }),
  changeQuery: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/archive/cases/:caseId/queries/:queryId',
    action: 'cases.work',
    summary: 'Change the name or the text of a query',
    params: queryParams,
    body: caseQueryBody,
    response: caseDetails,
    errors: ['cases.closed', 'cases.query-name-taken', 'search.invalid'],
  }),
  removeQuery: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/cases/:caseId/queries/:queryId',
    action: 'cases.work',
    summary: 'Remove a query from a case',
    params: queryParams,
    response: 'empty',
    status: 204,
    errors: changing,
  }),
  countQuery: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/queries/:queryId/count',
    action: 'cases.work',
    summary: 'Count the hits and bytes of a query exactly, within the custodians and the period of the case; logged',
    params: queryParams,
    response: z.object({
      readAs: z.string(),
      hits: z.number().int(),
      bytes: z.number(),
      months: z.array(searchMonth),
      coverage: searchCoverage,
    }),
    errors: opening,
  }),
  report: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/report',
    action: 'cases.work',
    summary: 'How much each query of a case finds, how much only it finds, and where; logged',
    params: caseParams,
    response: caseReport,
    errors: opening,
  }),
  queryHits: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/queries/:queryId/hits',
    action: 'cases.work',
    summary: 'The hits of a query within the custodians and the period of the case; logged',
    params: queryParams,
    body: z.object({ cursor: z.string().max(2_000).optional(), limit: z.number().int().min(1).max(pageSizeMax).default(50) }),
    response: pageOf(searchHit).extend({ readAs: z.string(), coverage: searchCoverage }),
    errors: opening,
  }),
};

const files = {
  addFiles: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/files',
    action: 'cases.work',
    summary: 'Add files and folders of a site or OneDrive to a case, with a note',
    params: caseParams,
    body: caseFilesBody,
    response: caseDetails,
    status: 201,
    errors: ['cases.closed', 'cases.file-unknown', 'cases.files-full'],
  }),
  removeFile: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/cases/:caseId/files/:fileId',
    action: 'cases.work',
    summary: 'Remove a file or folder from a case; it stays in the backups, and so do its holds',
    params: caseParams.extend({ fileId: id }),
    response: 'empty',
    status: 204,
    errors: changing,
  }),
};

export const cases = { ...basics, ...people, ...queries, ...files };
