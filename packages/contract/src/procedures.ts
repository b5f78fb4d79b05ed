import { z } from 'zod';
import { listQuery, pageOf } from './shared/paging.ts';
import { paper } from './paper.ts';
import { defineRoute } from './shared/route.ts';
import { instant, oneLine, tenantParams } from './shared/values.ts';

/** What a procedure documentation describes, in the order in which it does. */
export const procedureParts = [
  'organisation',
  'connection',
  'settings',
  'locations',
  'jobs',
  'policies',
  'holds',
  'members',
  'proxyRights',
] as const;
const part = z.enum(procedureParts);
/** What versions describe that do not say which parts they do. */
const firstParts: readonly ProcedureEntry['part'][] = procedureParts.filter((one) => one !== 'policies');

/** One thing that is set up, by the names of its settings. */
const entry = z.object({ part, key: z.string(), name: z.string(), values: z.record(z.string(), z.string()) });
export type ProcedureEntry = z.infer<typeof entry>;

/** What differs from the version before: who changed it and when, as far as the audit log says. */
const change = z.object({
  /** A part, or the sections that the organisation adds. */
  part: z.enum([...procedureParts, 'sections']),
  name: z.string(),
  kind: z.enum(['added', 'changed', 'removed']),
  fields: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  actor: z.string().nullable(),
  at: instant.nullable(),
});
export type ProcedureChange = z.infer<typeof change>;

const tooLong = { error: 'validation.tooLong' } as const;
const needed = { error: 'validation.required' } as const;
const section = z.object({
  title: oneLine(z.string().trim().min(1, needed).max(200, tooLong)),
  text: z.string().trim().min(1, needed).max(20_000, tooLong),
});
export const mostSections = 30;
/** What an organisation adds in its own words. */
export const procedureSections = z.object({ sections: z.array(section).max(mostSections, tooLong) });
export type ProcedureSection = z.infer<typeof section>;

/** When something was last proved, and with which result. */
const proof = z.object({ at: instant, status: z.enum(['successful', 'defective', 'failed']) }).nullable();

/** Everything that a version says. It never changes; its hash is in the audit log. */
export const procedureContent = z.object({
  organisation: z.string(),
  tenant: z.string(),
  timeZone: z.string(),
  program: z.string(),
  checkpoint: z.object({ size: z.number().int(), rootHash: z.string(), at: instant }).nullable(),
  verifiedAt: instant.nullable(),
  /** The last verification of the stored data and the last restore drill; earlier versions do not say. */
  proofs: z.object({ verification: proof, drill: proof }).optional(),
  /** The parts that it describes, for another version of Holdfast may describe more. */
  parts: z.array(part).optional(),
  entries: z.array(entry),
  changes: z.array(change),
  sections: z.array(section),
});
export type ProcedureContent = z.infer<typeof procedureContent>;

/** The parts that a version describes. */
export const describedParts = ({ parts }: Pick<ProcedureContent, 'parts'>): readonly ProcedureEntry['part'][] => parts ?? firstParts;

export const procedureVersion = z.object({
  number: z.number().int(),
  madeAt: instant,
  maker: z.string(),
  /** How many things differ from the version before. */
  changes: z.number().int(),
  /** SHA-256 of what the version says. */
  hash: z.string(),
});
export type ProcedureVersion = z.infer<typeof procedureVersion>;

const versionParams = tenantParams.extend({ number: z.coerce.number().int().min(1).max(1_000_000) });
const inLanguage = z.object({ language: z.enum(['en', 'de']).default('en') });

/** The procedure documentation of a tenant: generated from what is set up, in versions. */
export const procedures = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/procedures',
    action: 'audit.read',
    summary: 'The versions of the procedure documentation, the newest first',
    params: tenantParams,
    query: listQuery({ sort: ['number'], filter: {} }),
    response: pageOf(procedureVersion),
  }),
  make: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/procedures',
    action: 'configuration.manage',
    summary: 'Make a version from what is set up now',
    params: tenantParams,
    body: z.object({}),
    response: procedureVersion,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/procedures/:number',
    action: 'audit.read',
    summary: 'A version as a document in a language, with what it is made of',
    params: versionParams,
    query: inLanguage,
    response: z.object({ version: procedureVersion, content: procedureContent, paper }),
  }),
  file: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/procedures/:number/file',
    action: 'audit.read',
    summary: 'A version as a PDF file',
    params: versionParams,
    query: inLanguage,
    response: 'download',
  }),
  sections: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/procedure-sections',
    action: 'audit.read',
    summary: 'The sections that the organisation adds to the next version',
    params: tenantParams,
    response: procedureSections,
  }),
  saveSections: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/procedure-sections',
    action: 'configuration.manage',
    summary: 'Replace the sections that the organisation adds to the next version',
    params: tenantParams,
    body: procedureSections,
    response: procedureSections,
  }),
};
