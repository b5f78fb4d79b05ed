import { z } from 'zod';
import { heldItem, heldItemsMax } from './holds.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, oneLine, tenantParams } from './shared/values.ts';

/** What a policy keeps: messages of the archive, or files of sites and drives in each of their versions. */
export const retentionSubjects = ['messages', 'files'] as const;
/**
 * Which time of a message its period counts from, never the date that its sender claims. A version of a file is received
 * when it was changed last, or when it came if that is later; it has no day of archiving.
 */
export const retentionAnchors = ['received', 'archived', 'event'] as const;
export const retentionUnits = ['days', 'months', 'years'] as const;
/** On the day itself, or when the calendar or fiscal year of that day has ended. */
export const retentionStarts = ['day', 'calendarYear', 'fiscalYear'] as const;
/** What can happen that starts a period. */
export const retentionEventKinds = ['leftCompany', 'contractEnded', 'caseClosed'] as const;
/** `waiting`: its activation waits for a second person. `ending`: its end does, and it is in force until then. */
export const retentionStatuses = ['draft', 'waiting', 'active', 'ending', 'ended'] as const;

/** A century, in each unit. */
const longestPeriod = { days: 36_500, months: 1_200, years: 100 } as const;
export const policyMailboxesMax = 1_000;
export const policyPlacesMax = 1_000;
/** Whoever activates a policy has seen what it keeps, so many hours ago at most. */
export const previewHours = 24;

const said = (most: number) => z.string().trim().min(1, { error: 'validation.required' }).max(most, { error: 'validation.tooLong' });
const length = { error: 'validation.retentionLength' };

const itemKey = z.string().min(1).max(1_000);

const terms = z.object({
  name: oneLine(said(100)),
  about: z.enum(retentionSubjects).default('messages'),
  anchor: z.enum(retentionAnchors),
  /** The kind of event that starts the period, for that anchor. */
  eventKind: z.enum(retentionEventKinds).nullable().default(null),
  length: z
    .object({ amount: z.int(length).min(1, length), unit: z.enum(retentionUnits) })
    .refine(({ amount, unit }) => amount <= longestPeriod[unit], { path: ['amount'], ...length }),
  start: z.enum(retentionStarts),
  /** The month with whose last day the fiscal year ends. */
  fiscalYearEnd: z.int().min(1).max(12).default(12),
  /** Archived mailboxes by their ids; null for everything that is archived, now or later. */
  mailboxes: z
    .array(id)
    .min(1, { error: 'validation.retentionMailboxes' })
    .max(policyMailboxesMax, { error: 'validation.retentionMailboxes' })
    .nullable()
    .default(null),
  /** For a policy on files: sites and drives as a whole, or files and folders of them; a folder includes everything that ever was in it. */
  places: z
    .array(z.object({ resourceId: id, nodeId: itemKey.nullable().default(null) }))
    .max(policyPlacesMax, { error: 'validation.retentionMailboxes' })
    .default([]),
});
type Terms = z.output<typeof terms>;
const eventKindFits = ({ anchor, eventKind }: { readonly anchor: string; readonly eventKind: string | null }): boolean =>
  (anchor === 'event') === (eventKind !== null);
const eventKindFault = { path: ['eventKind'], error: 'validation.retentionEventKind' };
const placesFit = ({ about, places, mailboxes }: Pick<Terms, 'about' | 'places' | 'mailboxes'>): boolean =>
  about === 'files' ? places.length > 0 && mailboxes === null : places.length === 0;
const placesFault = { path: ['places'], error: 'validation.retentionMailboxes' };

/** How long messages of the archive, or files, are kept at least. */
export const policyBody = terms.refine(eventKindFits, eventKindFault).refine(placesFit, placesFault);
export type PolicyBody = z.infer<typeof policyBody>;

/** A draft; with `replaces` it takes the place of a policy in force when it is activated. */
const policyDraftBody = terms
  .extend({ replaces: id.nullable().default(null) })
  .refine(eventKindFits, eventKindFault)
  .refine(placesFit, placesFault);
export type PolicyDraftBody = z.infer<typeof policyDraftBody>;

export const policyEndBody = z.object({ reason: said(1_000) });

/** Messages of an archive, or versions of files. */
const amount = z.object({ messages: z.number().int(), bytes: z.number() });

/** What the last preview of a policy found. */
const previewSummary = z.object({
  at: instant,
  /** Until then somebody may ask for its activation, and somebody else approve it. */
  validUntil: instant,
  /** Messages that it keeps, and the end of the last of their periods; null while one waits for an event, or where there are none. */
  kept: amount,
  keptUntil: instant.nullable(),
  /** Messages in its scope whose period is over already. */
  over: amount,
  /** Of those it keeps: messages whose period waits for an event. */
  waiting: amount,
  /** Of those it keeps: messages that another policy in force keeps longer. */
  longer: amount,
  /** Messages that the policy it replaces keeps longer than it does. */
  shortened: amount,
});
export type PolicySummary = z.infer<typeof previewSummary>;

const yearOfPreview = z.object({
  /** In which they were received. */
  year: z.number().int(),
  kept: amount,
  over: amount,
  /** The end of the last of their periods; null while one waits for an event, or where none is kept. */
  keptUntil: instant.nullable(),
});
export type PreviewYear = z.infer<typeof yearOfPreview>;

/** A mailbox; of a policy on files, a site or drive. */
export const policyMailbox = z.object({ mailboxId: id, name: z.string(), email: z.string() });
const mailboxOfPreview = policyMailbox.extend({ kept: amount, over: amount, keptUntil: instant.nullable() });
export type PreviewMailbox = z.infer<typeof mailboxOfPreview>;

/** Exactly what a policy would keep if it were in force now. */
const policyPreview = previewSummary.extend({ years: z.array(yearOfPreview), mailboxes: z.array(mailboxOfPreview) });
export type PolicyPreview = z.infer<typeof policyPreview>;

/** A site or drive, or a file or folder of it under the name that it had when it was chosen. */
export const policyPlace = z.object({
  resourceId: id,
  resourceName: z.string(),
  nodeId: z.string().nullable(),
  name: z.string(),
  isContainer: z.boolean(),
});
export type PolicyPlace = z.infer<typeof policyPlace>;

/** How long a policy keeps what is in its scope, and from when. */
export const policyPeriod = z.object({
  about: z.enum(retentionSubjects),
  anchor: z.enum(retentionAnchors),
  eventKind: z.enum(retentionEventKinds).nullable(),
  length: z.object({ amount: z.number().int(), unit: z.enum(retentionUnits) }),
  start: z.enum(retentionStarts),
});
export type PolicyPeriod = z.infer<typeof policyPeriod>;

const policy = policyPeriod.extend({
  policyId: id,
  name: z.string(),
  status: z.enum(retentionStatuses),
  fiscalYearEnd: z.number().int(),
  /** The mailboxes in its scope; null for everything. */
  mailboxes: z.array(policyMailbox).nullable(),
  places: z.array(policyPlace),
  replaces: z.object({ policyId: id, name: z.string() }).nullable(),
  creator: z.string(),
  createdAt: instant,
  /** Null until the first preview of these terms. */
  preview: previewSummary.nullable(),
  activatedAt: instant.nullable(),
  endReason: z.string().nullable(),
  endedAt: instant.nullable(),
});
export type Policy = z.infer<typeof policy>;

export const retentionEventBody = z.object({
  kind: z.enum(retentionEventKinds),
  /** The archived mailbox, site or drive that it is about, by its id; a mailbox by its address too. */
  subject: said(320),
  /** Files and folders of the site or drive that it is about alone; everything of it when empty. */
  items: z.array(itemKey).max(heldItemsMax, { error: 'validation.holdItems' }).default([]),
  description: z
    .string({ error: 'validation.eventDescription' })
    .trim()
    .min(1, { error: 'validation.eventDescription' })
    .max(1_000, { error: 'validation.tooLong' }),
  date: z
    .string({ error: 'validation.eventDate' })
    .trim()
    .min(1, { error: 'validation.eventDate' })
    .pipe(z.iso.date({ error: 'validation.dateRequired' })),
});
export type RetentionEventBody = z.infer<typeof retentionEventBody>;

const retentionEvent = z.object({
  eventId: id,
  kind: z.enum(retentionEventKinds),
  subject: policyMailbox,
  items: z.array(heldItem),
  description: z.string(),
  date: z.iso.date(),
  recorder: z.string(),
  recordedAt: instant,
  /** Policies in force whose period it starts for its subject. */
  policies: z.array(z.string()),
});
export type RetentionEvent = z.infer<typeof retentionEvent>;

/** Kinds of activity on retention policies. */
export const retentionDeeds = ['preview', 'activation', 'end', 'event'] as const;
/** A preview or event is done at once; a request waits for a second person or for its delay, and is decided. */
const retentionDeedStates = ['done', 'waiting', 'delayed', 'approved', 'refused', 'withdrawn', 'superseded'] as const;

export const retentionDeed = z.object({
  deedId: id,
  kind: z.enum(retentionDeeds),
  state: z.enum(retentionDeedStates),
  /** Of the policy; of what an event is about. */
  name: z.string(),
  /** Null for the request of a draft that was removed since. */
  about: z.enum(retentionSubjects).nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
  startedBy: z.string().nullable(),
  /** The person who approved or refused it; null while it waits, and when a delay ran out. */
  decidedBy: z.string().nullable(),
  /** Messages or versions of files that the policy would keep, as the preview counted them; null where nothing was counted. */
  messages: z.number().int().nullable(),
  bytes: z.number().nullable(),
});
export type RetentionDeed = z.infer<typeof retentionDeed>;

export const retentionDeedsQuery = listQuery({ sort: ['startedAt', 'name'], filter: { kind: z.enum(retentionDeeds).optional() } });

const policyParams = tenantParams.extend({ policyId: id });

/** Retention policies of the archive and of files, and the events that start their periods. */
export const retention = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/policies',
    action: 'deletion.manage',
    summary: 'Retention policies of the archive and of files, those that ended too',
    params: tenantParams,
    response: z.object({ items: z.array(policy) }),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/policies',
    action: 'deletion.manage',
    summary: 'Draft a retention policy; it keeps nothing until it is activated',
    params: tenantParams,
    body: policyDraftBody,
    response: policy,
    status: 201,
    errors: [
      'retention.mailbox-unknown',
      'retention.place-unknown',
      'retention.no-archiving-day',
      'retention.other-subject',
      'retention.not-active',
      'retention.name-taken',
    ],
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/policies/:policyId',
    action: 'deletion.manage',
    summary: 'One retention policy',
    params: policyParams,
    response: policy,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/archive/policies/:policyId',
    action: 'deletion.manage',
    summary: 'Change a draft; it needs another preview',
    params: policyParams,
    body: policyBody,
    response: policy,
    errors: [
      'retention.not-draft',
      'retention.mailbox-unknown',
      'retention.place-unknown',
      'retention.no-archiving-day',
      'retention.other-subject',
      'retention.name-taken',
    ],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/policies/:policyId',
    action: 'deletion.manage',
    summary: 'Remove a draft',
    params: policyParams,
    response: 'empty',
    status: 204,
    errors: ['retention.not-draft'],
  }),
  preview: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/policies/:policyId/preview',
    action: 'deletion.manage',
    summary: 'Count exactly what a policy keeps, by mailbox or site and by year, and until when',
    params: policyParams,
    response: policyPreview,
  }),
  activate: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/policies/:policyId/activate',
    action: 'deletion.manage',
    summary: 'Ask a second person to put a draft into force, within a day of its preview',
    params: policyParams,
    response: policy,
    errors: ['retention.not-draft', 'retention.preview-needed', 'retention.not-active'],
  }),
  end: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/policies/:policyId/end',
    action: 'deletion.manage',
    summary: 'Ask a second person to end a policy; it is in force until then',
    params: policyParams,
    body: policyEndBody,
    response: policy,
    errors: ['retention.not-active'],
  }),
  events: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/events',
    action: 'deletion.manage',
    summary: 'Events that started retention periods, the newest first',
    params: tenantParams,
    response: z.object({ items: z.array(retentionEvent) }),
  }),
  deeds: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/retention-activity',
    action: 'deletion.manage',
    summary: 'Previews, activations and ends of retention policies, and recorded events, with their state and who did it',
    params: tenantParams,
    query: retentionDeedsQuery,
    response: pageOf(retentionDeed),
  }),
  recordEvent: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/events',
    action: 'deletion.manage',
    summary: 'Record an event; it starts the periods of policies that wait for its kind, for its mailbox, site, folder or file',
    params: tenantParams,
    body: retentionEventBody,
    response: retentionEvent,
    status: 201,
    errors: ['retention.mailbox-unknown', 'retention.place-unknown'],
  }),
};
