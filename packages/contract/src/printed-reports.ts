import { z } from 'zod';
import { exportRefusals } from './content/content.ts';
import { runParams } from './monitoring.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams } from './shared/values.ts';

const query = z.object({ language: z.enum(['en', 'de']).default('en') });
const auditQuery = query
  .extend({ from: instant, to: instant, event: z.string().max(100).optional() })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'validation.holdPeriod' });

/** Reports as PDF files, made when somebody asks for them and stored nowhere. */
export const printedReports = {
  protection: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/printed-reports/protection',
    action: 'reporting.read',
    summary: 'How well every mailbox, drive, site and team is protected, as a PDF file',
    params: tenantParams,
    query,
    response: 'download',
    errors: ['reporting.too-long'],
  }),
  dataManagement: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/printed-reports/data-management/:reportId',
    action: 'reporting.read',
    summary: 'A report on what sites and drives hold, as a PDF file',
    params: runParams,
    query,
    response: 'download',
    errors: ['reporting.too-long'],
  }),
  run: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/printed-reports/runs/:reportId',
    action: 'reporting.read',
    summary: 'The report of a run as a PDF file: of a restore, the evidence of a drill, the certificate of a deletion',
    params: runParams,
    query,
    response: 'download',
    errors: ['reporting.too-long'],
  }),
  erasureLetter: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/printed-reports/erasures/:deletionId',
    action: 'deletion.manage',
    summary: 'The letter to somebody whose data was erased, as a PDF file: what was erased, what is kept, why and until when',
    params: tenantParams.extend({ deletionId: id }),
    query,
    response: 'download',
    errors: ['not-found'],
  }),
  accessLetter: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/printed-reports/data-requests/:requestId',
    action: 'dataRequests.manage',
    summary: 'The letter that goes with the package of a request for access, as a PDF file: what is in it, and what is not and why',
    params: tenantParams.extend({ requestId: id }),
    query,
    response: 'download',
    errors: ['not-found'],
  }),
  mail: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/content-tickets/:ticket/pdf',
    action: 'content.read',
    summary: 'A view of the mail of a ticket as a PDF file, with the hash of its original',
    params: tenantParams.extend({ ticket: z.string().min(20).max(200) }),
    query,
    response: 'download',
    errors: ['content.ticket-expired', 'content.item-unknown', ...exportRefusals],
  }),
  auditLog: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/printed-reports/audit-log',
    action: 'audit.export',
    summary: 'The audit log of a period as a PDF file, with the checkpoint that proves it',
    params: tenantParams,
    query: auditQuery,
    response: 'download',
    errors: ['reporting.too-long'],
  }),
  caseLog: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/printed-reports/cases/:caseId',
    action: 'cases.work',
    summary: 'What was done in a case as a PDF file, for those who may see the case',
    params: tenantParams.extend({ caseId: id }),
    query,
    response: 'download',
    errors: ['reporting.too-long'],
  }),
};
