import { z } from 'zod';
import { exportRefusals, readRefusals } from './content/content.ts';
import { reviewStatuses } from './review-values.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, oneLine, said, tenantParams } from './shared/values.ts';

const count = z.number().int();

/**
 * EML: each mail and file by itself, in folders. mbox: the mails of an account in mailbox files (mboxrd), all else as files.
 * loadFile: files, their texts and a DAT file for review tools. z3: files and their description for German tax audits.
 * searchable: files and an index of their words, with a program that searches it.
 */
export const exportFormats = ['eml', 'mbox', 'loadFile', 'z3', 'searchable'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportStatuses = ['pending', 'running', 'cancelling', 'successful', 'defective', 'failed', 'cancelled', 'expired'] as const;
export type ExportStatus = (typeof exportStatuses)[number];

/** What is exported: hits that were chosen, what a saved search or a query of a case finds, what reviewers of a case decided so, or everything about a person who has asked for it. */
const exportSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('selection'), selectionId: id }),
  z.object({ kind: z.literal('savedSearch'), searchId: id }),
  z.object({ kind: z.literal('case'), caseId: id, queryId: id }),
  z.object({ kind: z.literal('dataRequest'), requestId: id }),
  z.object({ kind: z.literal('review'), caseId: id, setId: id, statuses: z.array(z.enum(reviewStatuses)).min(1).default(['relevant']) }),
]);
export type ExportSource = z.infer<typeof exportSource>;

export const exportReason = z.string().trim().min(3, { error: 'validation.reason' }).max(500, { error: 'validation.tooLong' });

/** What people choose of an export, besides what it holds. */
export const exportChoices = z.object({
  name: oneLine(said(100)),
  format: z.enum(exportFormats),
  reason: exportReason,
});

/** An export: a list that does not change, and the files that it is handed out as. */
const contentExport = z.object({
  exportId: id,
  name: z.string(),
  format: z.enum(exportFormats),
  /** The query as it was read. */
  query: z.string(),
  caseId: id.nullable(),
  /** Who asked for it. */
  owner: z.string(),
  createdAt: instant,
  /** From then on it can't be downloaded any more. */
  expiresAt: instant,
  status: z.enum(exportStatuses),
  /** Why it failed. */
  code: z.string().nullable(),
  runId: id,
  items: count,
  /** Of the list; the files of an export are as large or a little larger. */
  bytes: z.number(),
  /** Files that have been read and hashed so far. */
  read: count,
  files: count,
  /** Items that could not be exported; `errors.csv` names each. */
  failed: count,
  /** The zip files that it is downloaded as. */
  parts: z.array(z.object({ part: count, files: count, bytes: z.number() })),
  /** SHA-256 of its manifest, once that is signed. */
  manifestHash: z.string().nullable(),
});
export type ContentExport = z.infer<typeof contentExport>;

const params = tenantParams.extend({ exportId: id });
export const exportsQuery = listQuery({ sort: ['createdAt'], filter: { caseId: id.optional() } });

export const exports = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/exports',
    action: 'search.run',
    summary: 'My exports, the newest first; with a case those of the case, for everybody who may see it',
    params: tenantParams,
    query: exportsQuery,
    response: pageOf(contentExport),
    errors: ['not-found'],
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/exports/:exportId',
    action: 'search.run',
    summary: 'An export and how far it has got',
    params,
    /** With the fingerprint of the key that signs manifests: SHA-256 of its DER form. */
    response: contentExport.extend({ keyFingerprint: z.string() }),
    errors: ['not-found'],
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/exports',
    action: 'search.run',
    summary:
      'Export a selection, what a saved search or a query of a case finds, items of a review set by status, or everything about a person who has asked for it; logged with its reason',
    params: tenantParams,
    body: exportChoices.extend({ source: exportSource }),
    response: contentExport,
    status: 201,
    errors: [
      'search.selection-unknown',
      'search.nothing-selected',
      'data-requests.answered',
      'data-requests.not-access',
      'not-found',
      'cases.closed',
      'cases.content-right-needed',
      ...readRefusals,
      'content.export-right-needed',
    ],
  }),
  cancel: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/exports/:exportId/cancel',
    action: 'search.run',
    summary: 'Stop an export that is being made',
    params,
    response: 'empty',
    status: 204,
    errors: ['not-found'],
  }),
  resume: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/exports/:exportId/resume',
    action: 'search.run',
    summary: 'Go on with an export that failed or was stopped, or try again what one could not read',
    params,
    response: 'empty',
    status: 204,
    errors: ['not-found', 'exports.not-resumable', 'content.export-right-needed'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/exports/:exportId',
    action: 'search.run',
    summary: 'Delete an export that has ended; what it was made from stays',
    params,
    response: 'empty',
    status: 204,
    errors: ['not-found', 'exports.not-ended'],
  }),
  part: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/exports/:exportId/parts/:part',
    action: 'search.run',
    summary: 'One zip file of an export; logged before its first byte',
    params: params.extend({ part: z.coerce.number().int().min(1) }),
    response: 'download',
    errors: ['not-found', 'exports.not-ready', ...exportRefusals],
  }),
};
