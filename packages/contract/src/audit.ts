import { z } from 'zod';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams } from './shared/values.ts';

export const auditOutcomes = ['succeeded', 'failed', 'denied'] as const;
/** One line of the audit log. Never a secret, never content. */
export const auditEvent = z.object({
  sequence: z.number().int(),
  at: instant,
  /** What happened: `tenants.connected`, `identity.sign-in`. */
  event: z.string(),
  outcome: z.enum(auditOutcomes),
  actor: z.string(),
  actorId: id.nullable(),
  realm: z.enum(['production', 'staging']).nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  /** The kind and id of what it was done to. */
  subjectKind: z.string().nullable(),
  subjectId: z.string().nullable(),
  subjectName: z.string().nullable(),
  reason: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])),
  leafHash: z.string(),
});

const filter = {
  event: z.string().max(100).optional(),
  outcome: z.enum(auditOutcomes).optional(),
  actorId: id.optional(),
  from: instant.optional(),
  to: instant.optional(),
};

export const checkpoint = z.object({ size: z.number().int(), rootHash: z.string(), at: instant, note: z.string() });

/** Why an authority has not stamped the log. */
export const timestampFailures = [
  'unreachable',
  'status',
  'refused',
  'tooLarge',
  'otherRequest',
  'unreadable',
  'otherContent',
  'signer',
  'signature',
  'untrusted',
] as const;
export type TimestampFailure = (typeof timestampFailures)[number];

/** The time stamps (RFC 3161) of the log: the newest, and since when there have been none. */
export const auditTimestamps = z.object({
  last: z.object({ at: instant, authority: z.string(), events: z.number().int() }).nullable(),
  missing: z.object({ day: z.iso.date(), triedAt: instant, reason: z.enum(timestampFailures).nullable(), detail: z.string() }).nullable(),
});

export type AuditTimestamps = z.infer<typeof auditTimestamps>;

/** What the last night's verification found. */
export const auditVerification = z.object({
  at: instant,
  ok: z.boolean(),
  events: z.number().int(),
  checkpoints: z.number().int(),
  problems: z.array(z.string()),
});

export const audit = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/audit',
    action: 'audit.read',
    summary: 'Who did what, when, to what, from where',
    params: tenantParams,
    query: listQuery({ sort: ['sequence'], filter: { ...filter, sequence: z.coerce.number().int().min(1).optional() } }),
    response: pageOf(auditEvent),
  }),
  export: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/audit/export',
    action: 'audit.export',
    summary: 'The audit log as JSON lines or CSV, with what is needed to check it',
    params: tenantParams,
    query: z.object({ format: z.enum(['jsonl', 'csv']).default('jsonl'), ...filter }),
    response: 'download',
  }),
  checkpoints: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/audit/checkpoints',
    action: 'audit.read',
    summary: 'The signed checkpoints, newest first, and the public key',
    params: tenantParams,
    query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
    response: z.object({ publicKey: z.string(), items: z.array(checkpoint) }),
  }),
  proof: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/audit/proofs/:sequence',
    action: 'audit.read',
    summary: 'The proof that an event is in the tree of the newest checkpoint',
    params: tenantParams.extend({ sequence: z.coerce.number().int().min(1) }),
    response: z.object({ sequence: z.number().int(), leafHash: z.string(), path: z.array(z.string()), checkpoint }),
    errors: ['not-found'],
  }),
  consistency: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/audit/consistency',
    action: 'audit.read',
    summary: 'The proof that the log of one checkpoint is the beginning of the log of a later one, as RFC 6962 describes it',
    params: tenantParams,
    query: z.object({ from: z.coerce.number().int().min(1), to: z.coerce.number().int().min(1) }),
    response: z.object({ from: z.number().int(), to: z.number().int(), path: z.array(z.string()) }),
    errors: ['not-found'],
  }),
  verification: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/audit/verification',
    action: 'audit.read',
    summary: 'What the verification of last night found, and the newest time stamp where the log is stamped',
    params: tenantParams,
    response: z.object({ last: auditVerification.nullable(), timestamps: auditTimestamps.nullable() }),
  }),
  verify: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/audit/verify',
    action: 'audit.read',
    summary: 'Check every event, checkpoint and signature now',
    params: tenantParams,
    response: z.object({ ok: z.boolean(), events: z.number().int(), checkpoints: z.number().int(), problems: z.array(z.string()) }),
  }),
};
