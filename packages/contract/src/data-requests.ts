import { z } from 'zod';
import { searchHit } from './query/search.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, said, tenantParams } from './shared/values.ts';

const count = z.number().int();
/** A day by the calendar of the organisation. */
const day = z.iso.date({ error: 'validation.required' });

/** What somebody asks for about their own data: a copy (Article 15 GDPR) or erasure (Article 17). */
export const dataRequestKinds = ['access', 'erasure'] as const;
export type DataRequestKind = (typeof dataRequestKinds)[number];

export const dataRequestStates = ['open', 'answered'] as const;

/** How a request was answered. */
export const dataRequestOutcomes = ['complete', 'partial', 'refused', 'withdrawn'] as const;
export type DataRequestOutcome = (typeof dataRequestOutcomes)[number];

/** What is theirs, and what of others mentions them. */
export const dataRequestParts = ['own', 'mention'] as const;

/** A reminder is sent when fewer days than this are left. */
export const reminderDays = 7;

const amount = z.object({ items: count, bytes: z.number() });

export const dataRequest = z.object({
  requestId: id,
  kind: z.enum(dataRequestKinds),
  person: z.object({ personId: id, name: z.string(), address: z.string() }),
  /** What was asked for, and how the request came in. */
  note: z.string(),
  receivedOn: day,
  /** One month after receipt; three months after an extension. */
  dueOn: day,
  /** Negative when the time is over; null once it has been answered. */
  daysLeft: count.nullable(),
  extension: z.object({ reason: z.string(), by: z.string(), at: instant }).nullable(),
  registeredBy: z.string(),
  registeredAt: instant,
  /** The deletion that carries out an erasure; null for access, and when its draft was removed. */
  deletion: z.object({ deletionId: id, state: z.string() }).nullable(),
  /** Of a request for access: what was found when it was collected last. */
  collected: z
    .object({
      at: instant,
      own: amount,
      mention: amount,
      /** Found items that are not handed out. */
      leftOut: count,
      /** Items that mention the person or are theirs, and that whoever collected them has no right to open. */
      notReached: count,
      /** Items that the search has yet to read: they may mention the person. */
      notSearched: count,
    })
    .nullable(),
  /** The newest package that was made. */
  exported: z.object({ exportId: id, items: count, by: z.string(), at: instant, manifestHash: z.string().nullable() }).nullable(),
  answer: z.object({ outcome: z.enum(dataRequestOutcomes), how: z.string(), answeredOn: day, by: z.string() }).nullable(),
});
export type DataRequest = z.infer<typeof dataRequest>;

export const dataRequestDetails = dataRequest.extend({
  /** Whose mailboxes, drives and chats it is about, the largest first. */
  places: z.array(
    z.object({ resourceId: id, name: z.string(), kind: z.string(), part: z.enum(dataRequestParts), items: count, leftOut: count }),
  ),
  leftOut: z.array(z.object({ reason: z.string(), items: count })),
});
export type DataRequestDetails = z.infer<typeof dataRequestDetails>;

export const dataRequestItem = z.object({
  position: count,
  part: z.enum(dataRequestParts),
  leftOut: z.object({ reason: z.string(), by: z.string() }).nullable(),
  /** Null for what was erased, or what the reader may not open any longer. */
  hit: searchHit.nullable(),
});
export type DataRequestItem = z.infer<typeof dataRequestItem>;

export const dataRequestNote = z.string().trim().min(3, { error: 'validation.reason' }).max(500, { error: 'validation.tooLong' });
/** By the mailbox or OneDrive of the person. */
export const dataRequestBody = z.object({ resourceId: id, receivedOn: day, note: dataRequestNote });
export type DataRequestBody = z.infer<typeof dataRequestBody>;
export const dataRequestExtension = z.object({ reason: dataRequestNote });
export const dataRequestAnswer = z.object({
  outcome: z.enum(dataRequestOutcomes),
  how: said(500),
  answeredOn: day,
});
export type DataRequestAnswer = z.infer<typeof dataRequestAnswer>;

const positions = z.array(count.min(1)).min(1).max(1_000);
const params = tenantParams.extend({ requestId: id });
export const dataRequestsQuery = listQuery({
  sort: ['receivedOn', 'dueOn'],
  filter: { kind: z.enum(dataRequestKinds).optional(), state: z.enum(dataRequestStates).optional() },
});
export const dataRequestItemsQuery = listQuery({
  sort: ['position'],
  filter: { part: z.enum(dataRequestParts).optional(), leftOut: z.enum(['true', 'false']).optional(), resourceId: id.optional() },
});

const changes = ['not-found', 'data-requests.answered'] as const;

/** Requests of people about their own data: a register, a clock, and the package that answers a request for access. */
export const dataRequests = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/data-requests',
    action: 'dataRequests.manage',
    summary: 'The register of requests for access and erasure, with the days that are left to answer',
    params: tenantParams,
    query: dataRequestsQuery,
    response: pageOf(dataRequest),
  }),
  register: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/data-requests/csv',
    action: 'dataRequests.manage',
    summary: 'The whole register as a csv file',
    params: tenantParams,
    response: 'download',
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/data-requests/:requestId',
    action: 'dataRequests.manage',
    summary: 'A request, what was found of the person and what is left out',
    params,
    response: dataRequestDetails,
    errors: ['not-found'],
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/data-requests',
    action: 'dataRequests.manage',
    summary: 'Register a request for access and collect everything about the person',
    params: tenantParams,
    body: dataRequestBody,
    status: 201,
    response: dataRequestDetails,
    errors: ['not-found', 'data-requests.in-future', 'content.read-right-needed'],
  }),
  collect: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/data-requests/:requestId/collect',
    action: 'dataRequests.manage',
    summary: 'Collect everything about the person again; what was left out stays left out',
    params,
    response: dataRequestDetails,
    errors: [...changes, 'data-requests.not-access', 'content.read-right-needed'],
  }),
  extend: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/data-requests/:requestId/extend',
    action: 'dataRequests.manage',
    summary: 'Extend the time to answer by two months, once, before the first month is over',
    params,
    body: dataRequestExtension,
    response: dataRequestDetails,
    errors: [...changes, 'data-requests.extended', 'data-requests.too-late'],
  }),
  items: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/data-requests/:requestId/items',
    action: 'dataRequests.manage',
    summary: 'The items of a request for access; logged',
    params,
    query: dataRequestItemsQuery,
    response: pageOf(dataRequestItem),
    errors: ['not-found', 'content.read-right-needed'],
  }),
  leaveOut: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/data-requests/:requestId/leave-out',
    action: 'dataRequests.manage',
    summary: 'Leave items out of the package, with a reason that the letter counts',
    params,
    body: z.object({ positions, reason: dataRequestNote }),
    response: dataRequestDetails,
    errors: [...changes, 'data-requests.item-unknown'],
  }),
  putBack: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/data-requests/:requestId/put-back',
    action: 'dataRequests.manage',
    summary: 'Put items that were left out back into the package',
    params,
    body: z.object({ positions }),
    response: dataRequestDetails,
    errors: [...changes, 'data-requests.item-unknown'],
  }),
  answer: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/data-requests/:requestId/answer',
    action: 'dataRequests.manage',
    summary: 'Note when and how a request was answered',
    params,
    body: dataRequestAnswer,
    response: dataRequestDetails,
    errors: [...changes, 'data-requests.in-future', 'data-requests.before-receipt'],
  }),
};
