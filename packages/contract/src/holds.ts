import { z } from 'zod';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams, oneLine } from './shared/values.ts';

/** `releasing`: somebody asked to end it and a second person has not decided. It holds until then. */
export const holdStatuses = ['active', 'releasing', 'released'] as const;

const said = (most: number) => z.string().trim().min(1, { error: 'validation.required' }).max(most, { error: 'validation.tooLong' });

/** A legal hold: on one resource, or on all of the tenant in a period. Points within it are deleted by nobody, nor the ones before and after it. */
export const holdBody = z
  .object({
    name: oneLine(said(100)),
    reason: said(1_000),
    resourceId: id.nullable().default(null),
    /** Restore points from this moment on; all older ones too when absent. */
    from: instant.nullable().default(null),
    to: instant.nullable().default(null),
  })
  .refine(({ resourceId, from, to }) => resourceId !== null || from !== null || to !== null, {
    path: ['from'],
    error: 'validation.holdUnbounded',
  })
  .refine(({ from, to }) => from === null || to === null || from <= to, { path: ['to'], error: 'validation.holdPeriod' });
export type HoldBody = z.infer<typeof holdBody>;

export const holdReleaseBody = z.object({ reason: said(1_000) });

export const hold = z.object({
  holdId: id,
  name: z.string(),
  reason: z.string(),
  status: z.enum(holdStatuses),
  resourceId: id.nullable(),
  /** What it is on; null for everything of the tenant. */
  resource: z
    .object({ name: z.string(), address: z.string(), kind: z.enum(['mailbox', 'drive', 'site', 'team', 'chat', 'archive']) })
    .nullable(),
  from: instant.nullable(),
  to: instant.nullable(),
  placer: z.string(),
  placedAt: instant,
  releaseReason: z.string().nullable(),
  releasedAt: instant.nullable(),
});
export type Hold = z.infer<typeof hold>;

/** What a hold in force guards at this moment, in all locations. */
export const guardedByHold = z.object({
  holdId: id,
  resources: z.number().int(),
  points: z.number().int(),
  /** Mails, files and other things in these points, each once, and what all their versions come to. */
  items: z.number().int(),
  bytes: z.number(),
  /** Resources that it names and nothing is kept of: it guards what is backed up of them from now on. */
  unreached: z.number().int(),
  unreachedNames: z.array(z.string()),
});
export type GuardedByHold = z.infer<typeof guardedByHold>;

export const holds = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/holds',
    action: 'deletion.manage',
    summary: 'Legal holds, those that were released too',
    params: tenantParams,
    response: z.object({ items: z.array(hold) }),
  }),
  guarded: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/holds/guarded',
    action: 'deletion.manage',
    summary: 'What each hold in force guards now, and what it names without guarding anything of it',
    params: tenantParams,
    response: z.object({ items: z.array(guardedByHold) }),
  }),
  place: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/holds',
    action: 'deletion.manage',
    summary: 'Put a legal hold on a resource or a period; it is in force at once',
    params: tenantParams,
    body: holdBody,
    response: hold,
    status: 201,
    errors: ['holds.resource-unknown'],
  }),
  release: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/holds/:holdId/release',
    action: 'deletion.manage',
    summary: 'Ask for the end of a hold; it holds until a second person has approved',
    params: tenantParams.extend({ holdId: id }),
    body: holdReleaseBody,
    response: hold,
    errors: ['holds.not-active'],
  }),
};
