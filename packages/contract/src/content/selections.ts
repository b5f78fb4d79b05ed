import { z } from 'zod';
import { exportRefusals, readRefusals } from './content.ts';
import { pageSizeMax } from '../shared/limits.ts';
import { pageOf } from '../shared/paging.ts';
import { collisionPolicies, leavesItsPlace } from './restore.ts';
import { defineRoute } from '../shared/route.ts';
import { searchBody, searchHit } from '../query/search.ts';
import { id, instant, tenantParams, workload } from '../shared/values.ts';

/** Hits that can be chosen one by one; all hits of a search have no limit. */
const chosenHitsMax = 10_000;

/** Hits of a search as they were when somebody chose them: what comes later does not change it. */
export const selection = z.object({
  selectionId: id,
  /** The query as it was read. */
  query: z.string(),
  items: z.number().int(),
  bytes: z.number(),
  /** The mailboxes, drives, sites, teams and chats that the items are of, those with the most items first. */
  resources: z.array(
    z.object({ resourceId: id, name: z.string(), workload, kind: searchHit.shape.resource.shape.kind, items: z.number().int() }),
  ),
  /** From then on it may be gone, unless a job uses it. */
  expiresAt: instant,
});
export type Selection = z.infer<typeof selection>;

/** An item of a selection, as lists and exports name it. */
const selectedItem = searchHit.pick({
  hitId: true,
  kind: true,
  workload: true,
  title: true,
  sender: true,
  at: true,
  sizeBytes: true,
  attachments: true,
  resource: true,
});
export type SelectedItem = z.infer<typeof selectedItem>;

/** Where the items of a selection go: each to its own place, into a folder there, or to another person. */
const recoveryTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('original') }),
  z.object({ kind: z.literal('folder'), folder: z.string().trim().min(1, { error: 'validation.required' }).max(400) }),
  z.object({
    kind: z.literal('elsewhere'),
    graphId: z.string().min(1, { error: 'validation.required' }).max(400),
    name: z.string().max(400),
    /** The beginning of the name of each folder; there is one for each mailbox and drive of the selection. */
    folder: z.string().trim().min(1, { error: 'validation.required' }).max(200),
  }),
]);
export type RecoveryTarget = z.infer<typeof recoveryTarget>;

/** What is restored of a search, whereto, and what happens to what is there already. */
export const recoverySettings = z
  .object({
    selectionId: id,
    target: recoveryTarget,
    collisions: z.enum(collisionPolicies).default('skip'),
    reason: z.string().trim().max(500).default(''),
    /** Messages of archives come back into this folder if they were ever in it, otherwise to where they were seen last. */
    archivedFolder: z.string().max(4_000).optional(),
  })
  .refine(({ target, reason }) => !leavesItsPlace(target.kind) || reason.length >= 3, { error: 'validation.reason', path: ['reason'] });
export type RecoverySettings = z.infer<typeof recoverySettings>;

const params = tenantParams.extend({ selectionId: id });

export const selections = {
  select: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/search/selections',
    action: 'search.run',
    summary: 'Keep hits of a search, or all of them, for a restore or an export; logged with its reason',
    params: tenantParams,
    body: searchBody.extend({
      /** The chosen hits; all when absent. */
      hitIds: z
        .array(z.string().regex(/^\d{1,18}$/))
        .min(1, { error: 'validation.required' })
        .max(chosenHitsMax)
        .optional(),
    }),
    status: 201,
    response: selection,
    errors: ['search.invalid', 'search.nothing-selected', 'content.read-right-needed'],
  }),
  selected: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/search/selections/:selectionId/items',
    action: 'search.run',
    summary: 'The items of a selection, newest first',
    params,
    query: z.object({ cursor: z.string().max(2_000).optional(), limit: z.coerce.number().int().min(1).max(pageSizeMax).default(50) }),
    response: pageOf(selectedItem),
    errors: ['search.selection-unknown', ...readRefusals],
  }),
  selectedFiles: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/search/selections/:selectionId/files',
    action: 'search.run',
    summary: 'The items of a selection as files in a zip, with a list of them',
    params,
    response: 'download',
    errors: ['search.selection-unknown', ...exportRefusals],
  }),
};
