import { z } from 'zod';
import { defineRoute } from './shared/route.ts';
import { id, instant, oneLine, said, tenantParams } from './shared/values.ts';

/** `releasing`: somebody asked to end it and a second person has not decided. It holds until then. */
export const holdStatuses = ['active', 'releasing', 'released'] as const;

/** The holds that the report of a period counts: in force at its end, placed in it or released in it. */
export const countedHolds = ['active', 'placed', 'released'] as const;
export type CountedHolds = (typeof countedHolds)[number];

/** So many files and folders can be named by one hold; a folder includes everything in it. */
export const heldItemsMax = 500;

/** A legal hold: on one resource, on files and folders of one, on what a saved search finds, or on all of the tenant in a period. Points within it are deleted by nobody, nor the ones before and after it. */
export const holdBody = z
  .object({
    name: oneLine(said(100)),
    reason: said(1_000),
    resourceId: id.nullable().default(null),
    /** Files and folders of the resource: every version of them is kept, of what is in the folders too. Everything when empty. */
    items: z.array(z.string().min(1).max(1_000)).max(heldItemsMax, { error: 'validation.holdItems' }).default([]),
    /** Restore points from this moment on; all older ones too when absent. */
    from: instant.nullable().default(null),
    to: instant.nullable().default(null),
    /** What this saved search finds, now and as long as the hold lasts: every version of it is kept. */
    searchId: id.nullable().default(null),
  })
  .refine(({ resourceId, from, to, searchId }) => resourceId !== null || from !== null || to !== null || searchId !== null, {
    path: ['from'],
    error: 'validation.holdUnbounded',
  })
  .refine(({ items, resourceId, from, to }) => items.length === 0 || (resourceId !== null && from === null && to === null), {
    path: ['items'],
    error: 'validation.holdItemsBounded',
  })
  .refine(
    ({ resourceId, items, from, to, searchId }) =>
      searchId === null || (resourceId === null && items.length === 0 && from === null && to === null),
    {
      path: ['searchId'],
      error: 'validation.holdSearchAlone',
    },
  )
  .refine(({ from, to }) => from === null || to === null || from <= to, { path: ['to'], error: 'validation.holdPeriod' });
export type HoldBody = z.infer<typeof holdBody>;

/** A file or folder that a hold names, as it was called when the hold was placed. */
export const heldItem = z.object({ nodeId: z.string(), name: z.string(), isContainer: z.boolean() });
export type HeldItem = z.infer<typeof heldItem>;

export const holdReleaseBody = z.object({ reason: said(1_000) });

export const hold = z.object({
  holdId: id,
  name: z.string(),
  reason: z.string(),
  status: z.enum(holdStatuses),
  resourceId: id.nullable(),
  /** What it is on; null for everything of the tenant, and for what a search finds. */
  resource: z
    .object({ name: z.string(), address: z.string(), kind: z.enum(['mailbox', 'drive', 'site', 'team', 'chat', 'archive']) })
    .nullable(),
  /** The files and folders of it that are held; everything of it when empty. */
  heldItems: z.array(heldItem),
  /** The saved search whose hits it is on; its ID is null once the hold has ended and the search was deleted. */
  search: z.object({ searchId: id.nullable(), name: z.string(), query: z.string() }).nullable(),
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
  /** Resources or files that it names and nothing is kept of: it guards what is backed up of them from now on. */
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
    summary:
      'Put a legal hold on a resource, on files and folders of one, on what a saved search finds, or on a period; it is in force at once',
    params: tenantParams,
    body: holdBody,
    response: hold,
    status: 201,
    errors: ['holds.resource-unknown', 'holds.item-unknown', 'holds.search-unknown'],
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
