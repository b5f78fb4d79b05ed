import { z } from 'zod';
import { heldItem, heldItemsMax } from './holds.ts';
import {
  attributeRule,
  directoryAttributes,
  policyBody,
  policyDraftBody,
  retentionAnchors,
  retentionEventKinds,
  retentionStarts,
  retentionSubjects,
  retentionUnits,
} from './retention-terms.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, said, tenantParams } from './shared/values.ts';

/** `waiting`: its activation waits for a second person. `ending`: its end does, and it is in force until then. */
export const retentionStatuses = ['draft', 'waiting', 'active', 'ending', 'ended'] as const;

/** Whoever activates a policy has seen what it keeps, so many hours ago at most. */
export const previewHours = 24;

const itemKey = z.string().min(1).max(1_000);

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
  /** Messages past its maximum that nothing keeps: the first to be deleted. */
  due: amount,
  /** Messages past its maximum that stay: a hold or the minimum of a policy keeps them. */
  dueKept: amount,
});
export type PolicySummary = z.infer<typeof previewSummary>;

const yearOfPreview = z.object({
  /** In which they were received. */
  year: z.number().int(),
  kept: amount,
  over: amount,
  due: amount,
  /** The end of the last of their periods; null while one waits for an event, or where none is kept. */
  keptUntil: instant.nullable(),
});
export type PreviewYear = z.infer<typeof yearOfPreview>;

/** A mailbox; of a policy on files, a site or drive. */
export const policyMailbox = z.object({ mailboxId: id, name: z.string(), email: z.string() });
const mailboxOfPreview = policyMailbox.extend({ kept: amount, over: amount, due: amount, keptUntil: instant.nullable() });
export type PreviewMailbox = z.infer<typeof mailboxOfPreview>;

/** A sensitivity label by its GUID, and the name that it had when it was chosen; empty where that was not known. */
export const policyLabel = z.object({ labelId: z.string(), name: z.string() });
export type PolicyLabel = z.infer<typeof policyLabel>;

/** Exactly what a policy would keep and delete if it were in force now. */
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

const storedSpan = z.object({ amount: z.number().int(), unit: z.enum(retentionUnits) });

/** How long a policy keeps what is in its scope at least and at most, and from when. */
export const policyPeriod = z.object({
  about: z.enum(retentionSubjects),
  anchor: z.enum(retentionAnchors),
  eventKind: z.enum(retentionEventKinds).nullable(),
  length: storedSpan.nullable(),
  maximum: storedSpan.nullable().default(null),
  start: z.enum(retentionStarts),
});
export type PolicyPeriod = z.infer<typeof policyPeriod>;

const policy = policyPeriod.extend({
  policyId: id,
  name: z.string(),
  status: z.enum(retentionStatuses),
  fiscalYearEnd: z.number().int(),
  /** The mailboxes that it names; null for everything, and where `attributes` say whose. */
  mailboxes: z.array(policyMailbox).nullable(),
  attributes: z.array(attributeRule),
  /** The saved search whose hits it is on; its ID is null once it was deleted after the policy. */
  search: z
    .object({
      searchId: id.nullable(),
      name: z.string(),
      query: z.string(),
      queryVersion: z.number().int(),
      /** Somebody has written another query since the policy came into force: its maximum deletes nothing by it. */
      isChanged: z.boolean(),
    })
    .nullable(),
  /** The sensitivity labels that it is on. */
  labels: z.array(policyLabel),
  places: z.array(policyPlace),
  /** Who is asked in turn before what is past its maximum is deleted. */
  stages: z.array(z.object({ reviewers: z.array(z.object({ userId: id, email: z.string() })) })),
  replaces: z.object({ policyId: id, name: z.string() }).nullable(),
  creator: z.string(),
  createdAt: instant,
  /** Null until the first preview of these terms. */
  preview: previewSummary.nullable(),
  activatedAt: instant.nullable(),
  /** Who has stopped its deletions; its minimum is in force all the same. */
  stopped: z.object({ at: instant, by: z.string() }).nullable(),
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

/** Events that are recorded at once at most. */
export const retentionEventsMost = 1_000;
export const retentionEventsBody = z.object({
  events: z.array(retentionEventBody).min(1, { error: 'validation.required' }).max(retentionEventsMost, { error: 'validation.tooLong' }),
});
export type RetentionEventsBody = z.infer<typeof retentionEventsBody>;

const retentionEvent = z.object({
  eventId: id,
  kind: z.enum(retentionEventKinds),
  subject: policyMailbox,
  items: z.array(heldItem),
  description: z.string(),
  date: z.iso.date(),
  /** Null for what the directory has told. */
  recorder: z.string().nullable(),
  recordedAt: instant,
  /** Policies in force whose period it starts for its subject. */
  policies: z.array(z.string()),
});
export type RetentionEvent = z.infer<typeof retentionEvent>;

/** What happened to the account of somebody of whom something is kept. */
export const departureKinds = ['deleted', 'missing', 'disabled'] as const;

const departure = z.object({
  subject: policyMailbox,
  about: z.enum(retentionSubjects),
  kind: z.enum(departureKinds),
  /** When the directory was seen last with an open account, and first without. */
  lastSeenAt: instant.nullable(),
  noticedAt: instant,
  /** The day that the directory names; null where it names none. */
  date: z.iso.date().nullable(),
  /** From when on its event is recorded by itself; null where somebody has to say the day. */
  recordedFrom: instant.nullable(),
});
export type Departure = z.infer<typeof departure>;

/** What is known of the directory of a tenant. */
const directoryState = z.object({
  readAt: instant.nullable(),
  /** Why the last attempt has failed since. */
  code: z.string().nullable(),
  isWaiting: z.boolean(),
  people: z.number().int(),
  /** Values that somebody has, for scopes by attribute. */
  values: z.array(z.object({ attribute: z.enum(directoryAttributes), values: z.array(z.string()) })),
  departures: z.array(departure),
});
export type DirectoryState = z.infer<typeof directoryState>;

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

/** What can be wrong with the terms of a draft. */
const termsFaults = [
  'retention.search-unknown',
  'retention.search-marks',
  'retention.label-unknown',
  'retention.mailbox-unknown',
  'retention.place-unknown',
  'retention.no-archiving-day',
  'retention.other-subject',
  'retention.name-taken',
  'retention.reviewer-unknown',
] as const;

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
    summary: 'Draft a retention policy; it keeps and deletes nothing until it is activated',
    params: tenantParams,
    body: policyDraftBody,
    response: policy,
    status: 201,
    errors: [...termsFaults, 'retention.not-active'],
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
    errors: [...termsFaults, 'retention.not-draft'],
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
    summary: 'Count exactly what a policy keeps and deletes, by mailbox or site and by year, and until when',
    params: policyParams,
    response: policyPreview,
    errors: ['retention.directory-unread', 'retention.search-unknown', 'retention.search-marks'],
  }),
  activate: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/policies/:policyId/activate',
    action: 'deletion.manage',
    summary: 'Ask a second person to put a draft into force, within a day of its preview',
    params: policyParams,
    response: policy,
    errors: ['retention.not-draft', 'retention.preview-needed', 'retention.not-active', 'retention.directory-unread'],
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
  stop: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/policies/:policyId/stop',
    action: 'deletion.manage',
    summary: 'Stop the deletions of a policy with a maximum; only another policy in its place deletes again',
    params: policyParams,
    response: policy,
    errors: ['retention.not-deleting'],
  }),
  events: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/events',
    action: 'deletion.manage',
    summary: 'Events that started retention periods, the newest first',
    params: tenantParams,
    response: z.object({ items: z.array(retentionEvent) }),
  }),
  labels: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/labels',
    action: 'deletion.manage',
    summary: 'Sensitivity labels that mails and files carry, for scopes; those that most items carry come first, at most 500',
    params: tenantParams,
    response: z.object({ items: z.array(policyLabel.extend({ items: z.number().int() })) }),
  }),
  directory: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/directory',
    action: 'deletion.manage',
    summary: 'When the directory was read, the values that scopes can go by, and people who seem to have left',
    params: tenantParams,
    response: directoryState,
  }),
  readDirectory: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/directory/read',
    action: 'deletion.manage',
    summary: 'Have the directory read within a minute; it is read each day by itself while a policy depends on it',
    params: tenantParams,
    response: directoryState,
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
  recordEvents: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/events/list',
    action: 'deletion.manage',
    summary: 'Record a list of events, as of a csv file whose first line has the titles; all of them or none',
    params: tenantParams,
    body: retentionEventsBody,
    response: z.object({ recorded: z.number().int() }),
    status: 201,
    errors: ['retention.event-unknown', 'retention.place-unknown'],
  }),
};
