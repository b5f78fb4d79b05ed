import { z } from 'zod';
import { reviewBody, reviewItem, reviewPerson, reviewSet, reviewStatuses } from './review-values.ts';
import { pageSizeMax } from './shared/limits.ts';
import { pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, tenantParams } from './shared/values.ts';

const caseParams = tenantParams.extend({ caseId: id });
const setParams = caseParams.extend({ setId: id });
/** Where access is strict, what a case finds opens to members whom somebody else has added. */
const opening = ['cases.closed', 'cases.content-right-needed'] as const;

/** Review sets of a case: frozen lists whose items are decided about one by one. */
export const reviews = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/cases/:caseId/review',
    action: 'cases.work',
    summary: 'The review sets of a case with their progress, the newest first',
    params: caseParams,
    response: z.object({ items: z.array(reviewSet) }),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/review',
    action: 'cases.work',
    summary: 'Freeze hits of a case, or a sample of them that can be drawn again, into a review set; logged',
    params: caseParams,
    body: reviewBody,
    response: reviewSet,
    status: 201,
    errors: [...opening, 'reviews.name-taken', 'reviews.too-many', 'reviews.sets-full', 'reviews.nothing-found'],
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/cases/:caseId/review/:setId',
    action: 'cases.work',
    summary: 'A review set and how far it has been read, with the people whose content is in it',
    params: setParams,
    response: reviewSet.extend({ people: z.array(reviewPerson), reviewers: z.array(z.string()) }),
  }),
  items: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/review/:setId/items',
    action: 'cases.work',
    summary: 'The contents of a review set in its order, copies folded; what the case no longer includes is named by number alone; logged',
    params: setParams,
    body: z.object({
      status: z.enum(reviewStatuses).optional(),
      /** Contents of which a copy is in this mailbox, OneDrive or chat. */
      resourceId: id.optional(),
      /** Decided by this person. */
      reviewer: z.string().max(320).optional(),
      /** Without mails that another mail of the set says whole, as far as that one can be read. */
      readLess: z.boolean().default(false),
      /** The mails of one thread, by the number of its first. */
      thread: z.number().int().min(1).optional(),
      /** Contents with this tag of the case. */
      tagId: id.optional(),
      /** One content alone. */
      position: z.number().int().min(1).optional(),
      cursor: z.string().max(2_000).optional(),
      limit: z.number().int().min(1).max(pageSizeMax).default(50),
    }),
    response: pageOf(reviewItem),
    errors: opening,
  }),
  findThreads: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/review/:setId/threads',
    action: 'cases.work',
    summary: 'Look for threads and near copies among the mail of a review set, in the background; logged',
    params: setParams,
    response: reviewSet,
    status: 202,
    errors: [...opening, 'reviews.threads-sought'],
  }),
  decide: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/archive/cases/:caseId/review/:setId/items/:position',
    action: 'cases.work',
    summary: 'Decide about a content and all of its copies; refused when somebody else has decided since it was shown; logged',
    params: setParams.extend({ position: z.coerce.number().int().min(1) }),
    body: z.object({ status: z.enum(reviewStatuses), revision: z.number().int().min(0) }),
    response: reviewItem.pick({ position: true, status: true, revision: true, reviewer: true, reviewedAt: true, copies: true }),
    errors: [...opening, 'reviews.decided-meanwhile'],
  }),
};
