import { z } from 'zod';
import { searchReason } from './query/search.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, said, tenantParams } from './shared/values.ts';

const count = z.number().int();

/** A file comes in parts of this size; the last one is what is left. */
export const importPartBytes = 2 * 1024 * 1024;
/** The largest file that can be uploaded. What is larger is put into a folder of the server. */
export const importFileMaxBytes = 200 * 1024 * 1024 * 1024;

/** A file that was or is being uploaded. It goes a week after its last part came. */
const importFile = z.object({
  fileId: id,
  name: z.string(),
  sizeBytes: z.number(),
  /** The parts that are there, by number from 0. The file is whole when there are `parts` of them. */
  received: z.array(count),
  parts: count,
  uploader: z.string(),
  createdAt: instant,
});
export type ImportFile = z.infer<typeof importFile>;

/** What files turned out to be, told before anything is stored. */
export const importFormats = ['eml', 'mboxo', 'mboxrd', 'mboxcl', 'mboxcl2', 'zip', 'pst', 'msg', 'unknown'] as const;

const importFolder = z.object({ path: z.string(), messages: count, bytes: z.number(), oldestAt: instant, newestAt: instant });

/** What an import came to: seen = added + known + erasedBefore + failed. Of a dry run `added` is what could be taken in. */
const importReport = z.object({
  jobId: id,
  runId: id.nullable(),
  dryRun: z.boolean(),
  /** The run has ended, and the figures are its own. */
  isEnded: z.boolean(),
  seen: count,
  added: count,
  /** The same bytes were in the same folder of the archive already. */
  known: count,
  /** Was erased from this archive, and stays erased. */
  erasedBefore: count,
  failed: count,
  formats: z.array(z.object({ format: z.enum(importFormats), files: count })),
  /** The folders with the most messages, of a dry run alone. */
  folders: z.array(importFolder),
  /** Folders beyond those. */
  otherFolders: count,
});
export type ImportReport = z.infer<typeof importReport>;

/** A piece of a file that is no message, and why. */
const importFault = z.object({
  faultId: id,
  fileName: z.string(),
  offset: z.number(),
  code: z.string(),
  /** Of the piece that was kept; 0 where nothing could be read. */
  sizeBytes: z.number(),
});
export type ImportFault = z.infer<typeof importFault>;

const fileParams = tenantParams.extend({ fileId: id });
const jobParams = tenantParams.extend({ jobId: id });

/** Mail from files, taken into archives. The import itself is a job. */
export const imports = {
  files: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/imports/files',
    action: 'jobs.manage',
    summary: 'Files that were uploaded for imports, or are being uploaded',
    params: tenantParams,
    response: z.object({ items: z.array(importFile) }),
  }),
  addFile: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/imports/files',
    action: 'jobs.manage',
    summary: 'Announce a file for an import; its parts follow, in any order, and again after an interruption',
    params: tenantParams,
    body: z.object({
      name: said(200),
      sizeBytes: z.number().int().min(1, { error: 'validation.required' }).max(importFileMaxBytes, { error: 'validation.tooLong' }),
      locationId: id,
    }),
    response: importFile,
    status: 201,
    errors: ['jobs.location-unknown', 'jobs.location-use', 'import.too-many-files'],
  }),
  file: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/imports/files/:fileId',
    action: 'jobs.manage',
    summary: 'How far the upload of a file has got',
    params: fileParams,
    response: importFile,
    errors: ['not-found'],
  }),
  putPart: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/archive/imports/files/:fileId/parts/:part',
    action: 'jobs.manage',
    summary: 'One part of a file, as `file` of multipart/form-data; the same part may be sent again',
    params: fileParams.extend({ part: z.coerce.number().int().min(0).max(1_000_000) }),
    consumes: 'multipart',
    response: 'empty',
    status: 204,
    errors: ['not-found', 'import.part-size'],
  }),
  removeFile: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/imports/files/:fileId',
    action: 'jobs.manage',
    summary: 'Delete an uploaded file; what was imported from it stays',
    params: fileParams,
    response: 'empty',
    status: 204,
    errors: ['not-found'],
  }),
  report: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/imports/:jobId',
    action: 'jobs.read',
    summary: 'What the newest run of an import came to; of a dry run what the files hold',
    params: jobParams,
    response: importReport,
    errors: ['not-found'],
  }),
  faults: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/imports/:jobId/faults',
    action: 'jobs.read',
    summary: 'What the newest run of an import could not take in, with file, offset and reason',
    params: jobParams,
    query: listQuery({ sort: ['fileName'], filter: {} }),
    response: pageOf(importFault),
    errors: ['not-found'],
  }),
  piece: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/imports/:jobId/faults/:faultId/raw',
    action: 'documents.manage',
    summary: 'The piece of a file that could not be taken in, as it is there, with a reason; where access is strict it opens to nobody',
    params: jobParams.extend({ faultId: id }),
    /** Why somebody looks at what may be mail of others; written into the audit log. */
    query: z.object({ reason: searchReason }),
    response: 'download',
    errors: ['not-found', 'content.export-right-needed'],
  }),
};
