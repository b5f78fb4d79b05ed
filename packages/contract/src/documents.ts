import { z } from 'zod';
import { pageOf, listQuery } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { drawnPage, instant, pageNumber } from './shared/values.ts';

export const documentTypes = ['report', 'document'] as const;
export type DocumentType = (typeof documentTypes)[number];

const abbr = z.string().min(1).max(40);
const fileName = z.string().min(1).max(200);
const documentType = z.enum(documentTypes);

/** A PDF file that an organisation keeps beside its backups. */
export const documentFile = z.object({
  /** The abbreviation of the organisation. */
  abbr,
  fileName,
  documentType,
  size: z.number().int(),
  uploadedBy: z.string(),
  uploadedAt: instant,
});
export type DocumentFile = z.infer<typeof documentFile>;

/** Names one file. */
export const documentName = z.object({ fileName, abbr, documentType });
export type DocumentName = z.infer<typeof documentName>;

/** The fields of an upload beside the file. */
export const uploadFields = z.object({
  abbr: z.string({ error: 'validation.required' }).min(1, { error: 'validation.required' }).max(40),
  documentType: z.enum(documentTypes, { error: 'validation.required' }),
});

const list = {
  method: 'GET',
  surface: 'legacy',
  staged: true,
  action: 'documents.read',
  params: z.object({ abbr }),
  query: listQuery({ sort: ['fileName', 'size', 'uploadedBy', 'uploadedAt'], filter: {} }),
  response: pageOf(documentFile),
} as const;

/** PDF reports and documents of an organisation. */
export const documents = {
  reports: defineRoute({ ...list, path: '/files/:abbr/report', summary: 'The reports of an organisation' }),
  documents: defineRoute({ ...list, path: '/files/:abbr/document', summary: 'The documents of an organisation' }),
  upload: defineRoute({
    method: 'POST',
    surface: 'legacy',
    staged: true,
    path: '/files/upload-file',
    action: 'documents.manage',
    summary: 'Upload a PDF file: `file`, `abbr` and `documentType` as multipart/form-data',
    consumes: 'multipart',
    response: documentFile,
    status: 201,
    errors: [
      'documents.file-required',
      'documents.pdf-only',
      'documents.name-refused',
      'documents.too-large',
      'documents.content-mismatch',
      'documents.active-content',
      'documents.encrypted',
      'documents.infected',
      'documents.not-scanned',
      'documents.name-taken',
      'documents.quota',
      'documents.no-location',
    ],
  }),
  download: defineRoute({
    method: 'GET',
    surface: 'legacy',
    staged: true,
    path: '/files/download/:fileName/:abbr/:documentType',
    action: 'documents.read',
    summary: 'Download a report or document',
    params: documentName,
    response: 'download',
  }),
  page: defineRoute({
    method: 'GET',
    surface: 'legacy',
    staged: true,
    path: '/files/page/:fileName/:abbr/:documentType/:page',
    action: 'documents.read',
    summary: 'A page of a report or document as a picture, counted from one',
    params: documentName.extend({ page: pageNumber }),
    response: drawnPage,
    errors: ['documents.not-shown'],
  }),
  remove: defineRoute({
    method: 'POST',
    surface: 'legacy',
    staged: true,
    path: '/files/delete-file',
    action: 'documents.manage',
    summary: 'Delete a report or document',
    body: documentName,
    response: 'empty',
    status: 204,
  }),
};
