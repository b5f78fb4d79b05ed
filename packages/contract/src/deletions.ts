import { z } from 'zod';
import { approval } from './approvals.ts';
import { searchHit } from './query/search.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams } from './shared/values.ts';

const count = z.number().int();

/** Why messages and files may be deleted: somebody's right to erasure, the end of their period, or that they never should have been kept. */
export const deletionBases = ['erasure', 'expiry', 'mistake'] as const;
export type DeletionBasis = (typeof deletionBases)[number];

export const deletionStates = ['draft', 'waiting', 'approved', 'rejected', 'running', 'finished', 'failed'] as const;
export type DeletionState = (typeof deletionStates)[number];

/** How an approved deletion, or one that waited, became a draft again. */
export const deletionReturns = ['withdrawn', 'expired', 'listChanged', 'stopped', 'policyEnded'] as const;

/** Between the approval and the run somebody can still stop it. */
export const quarantineHours = 24;

const amount = z.object({ messages: count, bytes: z.number() });

/**
 * A legal hold, or the minimum of a policy, that keeps messages and files of the list; a minimum without an end waits for an event. Of a list that
 * a policy has made also that policy, for messages that are not past its maximum any longer.
 */
const keeper = z.object({ kind: z.enum(['hold', 'minimum', 'notDue']), name: z.string(), until: instant.nullable(), messages: count });
export type DeletionKeeper = z.infer<typeof keeper>;

/** What a deletion can be of: archives, and what is backed up. */
export const deletionPlaces = ['archive', 'mailbox', 'drive', 'site', 'team', 'chat'] as const;

const mailboxOfDeletion = z.object({
  mailboxId: id,
  kind: z.enum(deletionPlaces),
  name: z.string(),
  email: z.string(),
  locationName: z.string(),
  listed: amount,
  kept: amount,
  erased: amount,
  /** Of the erasure of a person: a place that is not theirs, with items that mention them. */
  isMention: z.boolean(),
});
export type DeletionMailbox = z.infer<typeof mailboxOfDeletion>;

/** Where copies of what was erased remain. */
const remainingCopy = z.object({
  /** Restore points of backups, archives of other mailboxes, the journal of a receiver, or what a location has yet to let go of. */
  place: z.enum(['backups', 'archives', 'journals', 'vault']),
  locationName: z.string(),
  messages: count,
  /** For how many days the location keeps every object unchanged; 0 where it does not. */
  lockedDays: count,
});
export type RemainingCopy = z.infer<typeof remainingCopy>;

const deletion = z.object({
  deletionId: id,
  state: z.enum(deletionStates),
  basis: z.enum(deletionBases),
  reason: z.string(),
  /** What was searched for, as it was read. */
  query: z.string(),
  requester: z.string(),
  /** The policy whose maximum has listed them; null for what a person has chosen. */
  policyId: id.nullable(),
  createdAt: instant,
  /** When holds, minimums and the list were looked at last. */
  previewedAt: instant,
  listed: amount,
  kept: amount,
  erased: amount,
  /** Of the list: gone in another way before the run came to them. */
  gone: count,
  /** Chosen items that are not in the archive, or of which nothing is kept: they are no part of this. */
  notArchived: count,
  /** Whether it is about backups and files in all their restore points too, and not about archives alone. */
  isEverywhere: z.boolean(),
  /** Somebody whose everything goes. */
  person: z.object({ personId: id, name: z.string(), address: z.string() }).nullable(),
  approver: z.string().nullable(),
  decidedAt: instant.nullable(),
  rejection: z.string().nullable(),
  dueAt: instant.nullable(),
  returned: z.enum(deletionReturns).nullable(),
  returnedBy: z.string().nullable(),
  runId: id.nullable(),
  /** Why it failed. */
  code: z.string().nullable(),
  endedAt: instant.nullable(),
  /** When no vault stored anything of it any longer that nothing else needs. */
  sweptAt: instant.nullable(),
});
export type MessageDeletion = z.infer<typeof deletion>;

const deletionDetails = deletion.extend({
  mailboxes: z.array(mailboxOfDeletion),
  keepers: z.array(keeper),
  /** Null before it has run. */
  remains: z.object({ countedAt: instant, sweepAt: instant.nullable(), copies: z.array(remainingCopy) }).nullable(),
  /** The newest request for a second person. */
  approval: approval.nullable(),
});
export type DeletionDetails = z.infer<typeof deletionDetails>;

/** What is left of a message or file: neither its name nor an address of it. */
const tombstone = z.object({
  messageId: z.string(),
  mailbox: z.object({ mailboxId: id, name: z.string() }),
  sizeBytes: z.number(),
  receivedAt: instant.nullable(),
  archivedAt: instant.nullable(),
  erasedAt: instant,
  basis: z.string(),
  reason: z.string(),
  requester: z.string(),
  approver: z.string(),
  /** The number of the event in the audit log that attests it; null until the log has numbered it. */
  logIndex: count.nullable(),
});
export type Tombstone = z.infer<typeof tombstone>;

export const deletionReason = z.string().trim().min(3, { error: 'validation.reason' }).max(500, { error: 'validation.tooLong' });
export const deletionBody = z.object({
  selectionId: id,
  basis: z.enum(deletionBases),
  reason: deletionReason,
  /** Also from all restore points of backups, files included. */
  everywhere: z.boolean().default(false),
});
export type DeletionBody = z.infer<typeof deletionBody>;

/** Everything that is kept of somebody, by their mailbox or OneDrive. */
export const erasureBody = z.object({
  resourceId: id,
  reason: deletionReason,
  /** When the request of the person came in: its time to answer begins then. Today when absent. */
  receivedOn: z.iso.date({ error: 'validation.required' }).optional(),
});
export type ErasureBody = z.infer<typeof erasureBody>;

/** Something that mentions the person of an erasure and is not theirs. */
const mention = z.object({
  hit: searchHit,
  /** Null for what is not part of the erasure. */
  state: z.enum(['listed', 'kept', 'erased', 'gone']).nullable(),
  keepers: z.array(keeper.omit({ messages: true })),
});
export type DeletionMention = z.infer<typeof mention>;

/** Mentions by their numbers; all of them without. */
export const mentionsBody = z.object({
  hitIds: z
    .array(z.string().regex(/^\d{1,18}$/))
    .min(1)
    .max(1_000)
    .optional(),
});

const params = tenantParams.extend({ deletionId: id });
const mentionErrors = ['not-found', 'deletions.not-draft', 'search.nothing-selected', 'content.read-right-needed'] as const;
export const tombstonesQuery = listQuery({ sort: ['erasedAt'], filter: { deletionId: id.optional() } });
export const deletionsQuery = listQuery({ sort: ['createdAt'], filter: { state: z.enum(deletionStates).optional() } });

/** Deletion of messages and files: a list that does not change, a second person, a day in which it can be stopped, and what is left. */
export const deletions = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/deletions',
    action: 'deletion.manage',
    summary: 'Deletions of messages and files, the newest first',
    params: tenantParams,
    query: deletionsQuery,
    response: pageOf(deletion),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/deletions/:deletionId',
    action: 'deletion.manage',
    summary: 'A deletion by place, with what keeps items of it and where copies remain',
    params,
    response: deletionDetails,
    errors: ['not-found'],
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/deletions',
    action: 'deletion.manage',
    summary:
      'Draft a deletion of the messages of a selection, in the archive or everywhere; nothing is deleted before a second person approves it',
    params: tenantParams,
    body: deletionBody,
    status: 201,
    response: deletionDetails,
    errors: ['search.selection-unknown', 'deletions.nothing-archived', 'deletions.nothing-kept'],
  }),
  createForPerson: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/deletions/people',
    action: 'deletion.manage',
    summary: "Draft the erasure of somebody's mailbox, archive and OneDrive, in all restore points",
    params: tenantParams,
    body: erasureBody,
    status: 201,
    response: deletionDetails,
    errors: ['not-found', 'deletions.nothing-kept', 'data-requests.in-future'],
  }),
  mentions: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/deletions/:deletionId/mentions',
    action: 'deletion.manage',
    summary: 'Where the person of an erasure is mentioned elsewhere, and which of it is part of the erasure; logged',
    params,
    query: listQuery({ sort: ['at'], filter: {} }),
    response: pageOf(mention),
    errors: ['not-found', 'content.read-right-needed'],
  }),
  includeMentions: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/deletions/:deletionId/mentions',
    action: 'deletion.manage',
    summary: 'Take mentions of the person into the draft of an erasure; holds and minimums keep theirs',
    params,
    body: mentionsBody,
    response: deletionDetails,
    errors: [...mentionErrors],
  }),
  excludeMentions: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/deletions/:deletionId/mentions/exclude',
    action: 'deletion.manage',
    summary: 'Take mentions of the person out of the draft of an erasure',
    params,
    body: mentionsBody,
    response: deletionDetails,
    errors: [...mentionErrors],
  }),
  preview: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/deletions/:deletionId/preview',
    action: 'deletion.manage',
    summary: 'Look at the list, the holds and the minimums of a draft again',
    params,
    response: deletionDetails,
    errors: ['not-found', 'deletions.not-draft'],
  }),
  request: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/deletions/:deletionId/request',
    action: 'deletion.manage',
    summary: 'Ask a second person for a draft as it was previewed',
    params,
    response: deletionDetails,
    errors: ['not-found', 'deletions.not-draft', 'deletions.list-changed', 'deletions.all-kept'],
  }),
  stop: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/deletions/:deletionId/stop',
    action: 'deletion.manage',
    summary: 'Stop an approved deletion in its quarantine, or one that runs; what is erased by then stays erased',
    params,
    response: deletionDetails,
    errors: ['not-found', 'deletions.not-stoppable'],
  }),
  resume: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/deletions/:deletionId/resume',
    action: 'deletion.manage',
    summary: 'Go on with a deletion whose run failed or was stopped',
    params,
    response: deletionDetails,
    errors: ['not-found', 'deletions.not-resumable'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/deletions/:deletionId',
    action: 'deletion.manage',
    summary: 'Remove a draft',
    params,
    response: 'empty',
    status: 204,
    errors: ['not-found', 'deletions.not-draft'],
  }),
  tombstones: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/tombstones',
    action: 'deletion.manage',
    summary: 'What is left of erased messages and files, those of one deletion or all of a tenant',
    params: tenantParams,
    query: tombstonesQuery,
    response: pageOf(tombstone),
  }),
};
