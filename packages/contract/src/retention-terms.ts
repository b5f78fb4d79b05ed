import { z } from 'zod';
import { id, oneLine, said } from './shared/values.ts';

/** What a policy keeps: messages of the archive, or files of sites and drives in each of their versions. */
export const retentionSubjects = ['messages', 'files'] as const;
/**
 * Which time of a message its period counts from, never the date that its sender claims. A version of a file is received
 * when it was changed last, or when it came if that is later; it has no day of archiving. `labelled`: when the sensitivity label in the scope was
 * set, or when the message or version was received if that is later.
 */
export const retentionAnchors = ['received', 'archived', 'event', 'labelled'] as const;
export const retentionUnits = ['days', 'months', 'years'] as const;
/** On the day itself, or when the calendar or fiscal year of that day has ended. */
export const retentionStarts = ['day', 'calendarYear', 'fiscalYear'] as const;
/** What can happen that starts a period. */
export const retentionEventKinds = ['leftCompany', 'contractEnded', 'caseClosed'] as const;

/** What the directory says of somebody that a scope can go by. */
export const directoryAttributes = [
  'department',
  'office',
  'country',
  'company',
  'extensionAttribute1',
  'extensionAttribute2',
  'extensionAttribute3',
  'extensionAttribute4',
  'extensionAttribute5',
  'extensionAttribute6',
  'extensionAttribute7',
  'extensionAttribute8',
  'extensionAttribute9',
  'extensionAttribute10',
  'extensionAttribute11',
  'extensionAttribute12',
  'extensionAttribute13',
  'extensionAttribute14',
  'extensionAttribute15',
] as const;
export type DirectoryAttribute = (typeof directoryAttributes)[number];
export const attributeRulesMax = 5;
export const attributeValuesMax = 50;
export const policyLabelsMax = 50;

/** A century, in each unit. */
const longestPeriod = { days: 36_500, months: 1_200, years: 100 } as const;
export const policyMailboxesMax = 1_000;
export const policyPlacesMax = 1_000;

const name = said(100);
const length = { error: 'validation.retentionLength' };

/** So many days, months or years. */
const span = z
  .object({ amount: z.int(length).min(1, length), unit: z.enum(retentionUnits) })
  .refine(({ amount, unit }) => amount <= longestPeriod[unit], { path: ['amount'], ...length });
export type RetentionSpan = z.infer<typeof span>;

const daysIn = { days: 1, months: 365.2425 / 12, years: 365.2425 } as const;
/** Whether something may be deleted after a maximum that is kept for a minimum, both counted from the same day. */
export function mayFollow(maximum: RetentionSpan | null, minimum: RetentionSpan | null): boolean {
  if (maximum === null || minimum === null) return true;
  return maximum.amount * daysIn[maximum.unit] >= minimum.amount * daysIn[minimum.unit];
}

export const reviewStagesMax = 3;
export const stageReviewersMax = 20;
/** One step of the review before something is deleted: one of these accounts decides about each message. */
const stage = z.object({ reviewers: z.array(id).max(stageReviewersMax, { error: 'validation.retentionReviewers' }) });

/** Whether each stage can have somebody of its own: nobody decides twice about the same message. */
export function canStaff(stages: readonly { readonly reviewers: readonly string[] }[], taken: readonly string[] = []): boolean {
  const [first, ...rest] = stages;
  return first === undefined || first.reviewers.some((one) => !taken.includes(one) && canStaff(rest, [...taken, one]));
}

const attributeFault = { error: 'validation.retentionAttributes' };
/** An attribute of the directory that has one of these values. */
export const attributeRule = z.object({
  attribute: z.enum(directoryAttributes),
  values: z
    .array(oneLine(said(200)))
    .min(1, attributeFault)
    .max(attributeValuesMax, attributeFault),
});
export type AttributeRule = z.infer<typeof attributeRule>;

const terms = z.object({
  name: oneLine(name),
  about: z.enum(retentionSubjects).default('messages'),
  anchor: z.enum(retentionAnchors),
  /** The kind of event that starts the period, for that anchor. */
  eventKind: z.enum(retentionEventKinds).nullable().default(null),
  /** The minimum: kept for at least so long. Null for a policy that deletes alone. */
  length: span.nullable(),
  /** The maximum: archived messages are deleted after so long, unless a hold or a minimum keeps them. */
  maximum: span.nullable().default(null),
  /** Who is asked in turn before what is past the maximum is deleted; nobody when empty. */
  stages: z.array(stage).max(reviewStagesMax, { error: 'validation.retentionReviewers' }).default([]),
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
  /** Archived mailboxes of people of whom the directory says all of this, now or later; instead of `mailboxes`. */
  attributes: z.array(attributeRule).max(attributeRulesMax, attributeFault).default([]),
  /** What a saved search finds of the archive, or of files, now or later; instead of everything else. */
  searchId: id.nullable().default(null),
  /** Sensitivity labels, by GUID or by a name that something kept carries: archived messages or files that carry one of them, now or later; instead of everything else. */
  labels: z
    .array(oneLine(said(200)))
    .max(policyLabelsMax, { error: 'validation.retentionLabels' })
    .default([]),
  /** For a policy on files: sites and drives as a whole, or files and folders of them; a folder includes everything that ever was in it. */
  places: z
    .array(z.object({ resourceId: id, nodeId: z.string().min(1).max(1_000).nullable().default(null) }))
    .max(policyPlacesMax, { error: 'validation.retentionMailboxes' })
    .default([]),
});
type Terms = z.output<typeof terms>;
const eventKindFits = ({ anchor, eventKind }: { readonly anchor: string; readonly eventKind: string | null }): boolean =>
  (anchor === 'event') === (eventKind !== null);
const eventKindFault = { path: ['eventKind'], error: 'validation.retentionEventKind' };
const placesFit = ({
  about,
  places,
  mailboxes,
  searchId,
  labels,
}: Pick<Terms, 'about' | 'places' | 'mailboxes' | 'searchId' | 'labels'>): boolean =>
  about === 'files' && searchId === null && labels.length === 0 ? places.length > 0 && mailboxes === null : places.length === 0;
const placesFault = { path: ['places'], error: 'validation.retentionMailboxes' };

const attributesFit = ({ about, mailboxes, attributes }: Pick<Terms, 'about' | 'mailboxes' | 'attributes'>): boolean =>
  attributes.length === 0 ||
  (about === 'messages' && mailboxes === null && new Set(attributes.map(({ attribute }) => attribute)).size === attributes.length);
const attributesFault = { path: ['attributes'], error: 'validation.retentionAttributes' };

const searchFits = ({ searchId, mailboxes, attributes }: Pick<Terms, 'searchId' | 'mailboxes' | 'attributes'>): boolean =>
  searchId === null || (mailboxes === null && attributes.length === 0);
const searchFault = { path: ['searchId'], error: 'validation.retentionSearch' };
const labelsFit = ({
  labels,
  searchId,
  mailboxes,
  attributes,
  anchor,
}: Pick<Terms, 'labels' | 'searchId' | 'mailboxes' | 'attributes' | 'anchor'>): boolean =>
  labels.length === 0 ? anchor !== 'labelled' : searchId === null && mailboxes === null && attributes.length === 0;
const labelsFault = { path: ['labels'], error: 'validation.retentionLabels' };

const hasSpan = ({ length: minimum, maximum }: Pick<Terms, 'length' | 'maximum'>): boolean => minimum !== null || maximum !== null;
const spanFault = { path: ['length'], error: 'validation.retentionSpan' };
const maximumFits = ({ length: minimum, maximum }: Pick<Terms, 'length' | 'maximum'>): boolean => mayFollow(maximum, minimum);
const maximumFault = { path: ['maximum', 'amount'], error: 'validation.retentionMaximum' };
const isDeletable = ({ about, maximum }: Pick<Terms, 'about' | 'maximum'>): boolean => about === 'messages' || maximum === null;
const deletableFault = { path: ['maximum'], error: 'validation.retentionFilesMaximum' };

const areStaffed = ({ stages, maximum }: Pick<Terms, 'stages' | 'maximum'>): boolean =>
  stages.length === 0 || (maximum !== null && canStaff(stages));
const stagesFault = { path: ['stages'], error: 'validation.retentionReviewers' };

/** How long messages of the archive, or files, are kept at least, and messages at most. */
export const policyBody = terms
  .refine(eventKindFits, eventKindFault)
  .refine(placesFit, placesFault)
  .refine(attributesFit, attributesFault)
  .refine(searchFits, searchFault)
  .refine(labelsFit, labelsFault)
  .refine(hasSpan, spanFault)
  .refine(maximumFits, maximumFault)
  .refine(isDeletable, deletableFault)
  .refine(areStaffed, stagesFault);
export type PolicyBody = z.infer<typeof policyBody>;

/** A draft; with `replaces` it takes the place of a policy in force when it is activated. */
export const policyDraftBody = terms
  .extend({ replaces: id.nullable().default(null) })
  .refine(eventKindFits, eventKindFault)
  .refine(placesFit, placesFault)
  .refine(attributesFit, attributesFault)
  .refine(searchFits, searchFault)
  .refine(labelsFit, labelsFault)
  .refine(hasSpan, spanFault)
  .refine(maximumFits, maximumFault)
  .refine(isDeletable, deletableFault)
  .refine(areStaffed, stagesFault);
export type PolicyDraftBody = z.infer<typeof policyDraftBody>;
