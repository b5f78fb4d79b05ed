import { z } from 'zod';
import { roles } from './shared/actions.ts';
import { heldItemsMax, hold } from './holds.ts';
import { searchCoverage } from './query/search.ts';
import { queryLimits } from './query/state.ts';
import { id, instant, oneLine, said } from './shared/values.ts';

/** A closed case can be read and reopened; nothing in it changes. */
export const caseStatuses = ['open', 'closed'] as const;

/** What a person enters about a case. The period limits every query of it. */
export const caseBody = z
  .object({
    matter: oneLine(said(200)),
    reference: oneLine(z.string().trim().max(100, { error: 'validation.tooLong' })).default(''),
    from: instant.nullable().default(null),
    to: instant.nullable().default(null),
  })
  .refine(({ from, to }) => from === null || to === null || from <= to, { path: ['to'], error: 'validation.holdPeriod' });
export type CaseBody = z.infer<typeof caseBody>;

export const caseReason = z.object({ reason: said(1_000) });
/** Closing a case whose holds are in force: they stay in force until they are released one by one. */
export const caseCloseBody = caseReason.extend({ keepHolds: z.boolean().default(false) });

export const caseQueryBody = z.object({
  name: oneLine(said(100)),
  query: z.string().max(queryLimits.characters * 2),
});

export const caseHoldBody = z.object({ name: oneLine(said(100)), reason: said(1_000) });

export const caseSummary = z.object({
  caseId: id,
  matter: z.string(),
  reference: z.string(),
  status: z.enum(caseStatuses),
  from: instant.nullable(),
  to: instant.nullable(),
  creator: z.string(),
  createdAt: instant,
  closedAt: instant.nullable(),
  members: z.number().int(),
  custodians: z.number().int(),
  queries: z.number().int(),
  /** Holds that are in force. */
  holds: z.number().int(),
});
export type CaseSummary = z.infer<typeof caseSummary>;

export const caseMember = z.object({ userId: id, email: z.string(), name: z.string(), role: z.enum(roles) });
export type CaseMember = z.infer<typeof caseMember>;

/** Somebody who has, or had, a mailbox, a OneDrive or a chat in the backups. */
export const casePerson = z.object({
  /** Names the person when a custodian is added. */
  key: z.string(),
  name: z.string(),
  address: z.string(),
  mailboxes: z.number().int(),
  drives: z.number().int(),
  chats: z.number().int(),
  /** Archives of their mail. */
  archives: z.number().int(),
});
export type CasePerson = z.infer<typeof casePerson>;

/** A resource of a custodian. Restore points and bytes are those of all locations. */
export const caseResource = z.object({
  resourceId: id,
  name: z.string(),
  address: z.string(),
  kind: z.enum(['mailbox', 'archive', 'drive', 'chat']),
  points: z.number().int(),
  items: z.number().int(),
  bytes: z.number(),
  /** Whether a hold of this case on it is in force. */
  isHeld: z.boolean(),
  deletedAt: instant.nullable(),
});
export type CaseResource = z.infer<typeof caseResource>;

export const caseCustodian = z.object({
  custodianId: id,
  name: z.string(),
  /** Every address the person has in the backups. */
  addresses: z.array(z.string()),
  addedAt: instant,
  resources: z.array(caseResource),
});
export type CaseCustodian = z.infer<typeof caseCustodian>;

/** Figures of a query: null until it was counted, and whenever its text has changed. */
export const caseQuery = z.object({
  queryId: id,
  name: z.string(),
  query: z.string(),
  readAs: z.string(),
  creator: z.string(),
  createdAt: instant,
  hits: z.number().int().nullable(),
  bytes: z.number().nullable(),
  countedAt: instant.nullable(),
});
export type CaseQuery = z.infer<typeof caseQuery>;

/** A hold of a case, and what it guards in all locations. */
export const caseHold = hold.extend({ points: z.number().int(), items: z.number().int(), bytes: z.number() });
export type CaseHold = z.infer<typeof caseHold>;

/** So many files and folders can be in a case; a folder includes everything in it. */
export const caseFilesMax = 2_000;

/** Files and folders of one site or drive that are added to a case. */
export const caseFilesBody = z.object({
  resourceId: id,
  items: z.array(z.string().min(1).max(1_000)).min(1, { error: 'validation.required' }).max(heldItemsMax),
  note: z.string().trim().max(1_000, { error: 'validation.tooLong' }).default(''),
});
export type CaseFilesBody = z.infer<typeof caseFilesBody>;

/** A file or folder of a case, as it was named when it was added. */
export const caseFile = z.object({
  fileId: id,
  siteName: z.string(),
  nodeId: z.string(),
  name: z.string(),
  isContainer: z.boolean(),
  note: z.string(),
  adder: z.string(),
  addedAt: instant,
  /** Where restore points have it; null once none has. */
  place: z.object({ locationId: id, sourceId: id }).nullable(),
});
export type CaseFile = z.infer<typeof caseFile>;

export const caseDetails = caseSummary.omit({ members: true, custodians: true, queries: true, holds: true }).extend({
  people: z.array(caseMember),
  custodians: z.array(caseCustodian),
  queries: z.array(caseQuery),
  holds: z.array(caseHold),
  files: z.array(caseFile),
});
export type CaseDetails = z.infer<typeof caseDetails>;

/** One line of the log of a case. `details` fill the sentence that the event becomes. */
export const caseEvent = z.object({
  at: instant,
  event: z.string(),
  actor: z.string(),
  subject: z.string().nullable(),
  reason: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])),
});
export type CaseEvent = z.infer<typeof caseEvent>;

/** What a query or one of its parts finds. */
const foundFigures = z.object({
  readAs: z.string(),
  hits: z.number().int(),
  /** Items that no other query of the case finds; of a part, no other part of the query. */
  unique: z.number().int(),
  /** The hits with what is attached to them, each attachment counted as an item. */
  family: z.number().int(),
});

/** What the queries of a case find together, before anything is read or exported. */
export const caseReport = z.object({
  /** Each item once, however many queries find it. */
  hits: z.number().int(),
  bytes: z.number(),
  queries: z.array(
    foundFigures.extend({
      queryId: id,
      name: z.string(),
      bytes: z.number(),
      /** Its terms, and the groups of terms that it joins; none for a query of one term. */
      parts: z.array(foundFigures),
    }),
  ),
  resources: z.array(
    z.object({ resourceId: id, name: z.string(), address: z.string(), kind: z.string(), hits: z.number().int(), bytes: z.number() }),
  ),
  /** What of the custodians could be searched; null for a case without queries. */
  coverage: searchCoverage.nullable(),
});
export type CaseReport = z.infer<typeof caseReport>;
