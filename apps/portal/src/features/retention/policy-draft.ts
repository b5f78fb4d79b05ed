import { policyMailbox, policyPlace } from '@holdfast/contract/retention';
import type { Policy, PolicyPlace } from '@holdfast/contract/retention';
import {
  attributeRulesMax,
  canStaff,
  directoryAttributes,
  mayFollow,
  policyBody,
  policyLabelsMax,
  policyMailboxesMax,
  policyPlacesMax,
  retentionAnchors,
  retentionEventKinds,
  retentionStarts,
  retentionSubjects,
  retentionUnits,
} from '@holdfast/contract/retention-terms';
import type { PolicyBody, RetentionSpan } from '@holdfast/contract/retention-terms';
import { z } from 'zod';

const fault = { error: 'validation.retentionLength' };
export type ChosenMailbox = z.infer<typeof policyMailbox>;

/** Whether a policy keeps, deletes, or both. */
export const policyRules = ['keep', 'both', 'delete'] as const;

/** What a policy on the archive can be on; one by search or label may be on files too. */
export const policyScopes = ['everything', 'mailboxes', 'attributes', 'search', 'labels'] as const;

interface Spans {
  readonly rule: (typeof policyRules)[number];
  readonly scope: (typeof policyScopes)[number] | 'files';
  readonly searched: PolicyBody['about'];
  readonly amount: number;
  readonly unit: RetentionSpan['unit'];
  readonly maximumAmount: number;
  readonly maximumUnit: RetentionSpan['unit'];
}

/** Whether a draft is on files: on those that were chosen, or on those that a search finds or that carry labels. */
export const isOnFiles = ({ scope, searched }: Pick<Spans, 'scope' | 'searched'>): boolean =>
  scope === 'files' || ((scope === 'search' || scope === 'labels') && searched === 'files');

// Files are only kept: a draft on files is one that keeps, whatever was chosen before.
const deletes = (draft: Spans): boolean => draft.rule !== 'keep' && !isOnFiles(draft);
const minimumIn = (draft: Spans): RetentionSpan | null =>
  deletes(draft) && draft.rule === 'delete' ? null : { amount: draft.amount, unit: draft.unit };
const maximumIn = (draft: Spans): RetentionSpan | null =>
  deletes(draft) ? { amount: draft.maximumAmount, unit: draft.maximumUnit } : null;

/** How many stages ask reviewers before something is deleted. */
export const reviewCounts = ['none', 'one', 'two', 'three'] as const;
export const stageFields = ['firstReviewers', 'secondReviewers', 'thirdReviewers'] as const;
const reviewers = z.array(z.string());
const reviewersOfStages = { firstReviewers: reviewers, secondReviewers: reviewers, thirdReviewers: reviewers };

interface Reviews extends Spans, Readonly<Record<(typeof stageFields)[number], readonly string[]>> {
  readonly reviews: (typeof reviewCounts)[number];
}

/** The stages that a draft has: a policy that deletes nothing asks nobody. */
const stagesIn = (draft: Reviews): { reviewers: string[] }[] =>
  deletes(draft) ? stageFields.slice(0, reviewCounts.indexOf(draft.reviews)).map((field) => ({ reviewers: [...draft[field]] })) : [];

const labelsFault = { error: 'validation.retentionLabels' };
const attributeFault = { error: 'validation.retentionAttributes' };
const attributeDraft = z.object({ attribute: z.enum(directoryAttributes), values: z.string() });

/** The values of a condition, one a line. */
const valuesIn = (values: string): string[] =>
  values
    .split('\n')
    .map((value) => value.trim())
    .filter((value) => value !== '');

/** What the form asks for; the body of a policy is made of it. */
export const policyDraft = z
  .object({
    name: policyBody.shape.name,
    rule: z.enum(policyRules),
    amount: z.int(fault).min(1, fault),
    unit: z.enum(retentionUnits),
    maximumAmount: z.int(fault).min(1, fault),
    maximumUnit: z.enum(retentionUnits),
    anchor: z.enum(retentionAnchors),
    eventKind: z.enum(retentionEventKinds),
    reviews: z.enum(reviewCounts),
    ...reviewersOfStages,
    start: z.enum(retentionStarts),
    fiscalYearEnd: z.string(),
    scope: z.enum([...policyScopes, 'files']),
    searched: z.enum(retentionSubjects),
    searchId: z.string(),
    labels: z.array(z.string()).max(policyLabelsMax, labelsFault),
    attributes: z.array(attributeDraft).max(attributeRulesMax, attributeFault),
    mailboxes: z.array(policyMailbox).max(policyMailboxesMax, { error: 'validation.retentionMailboxes' }),
    places: z.array(policyPlace).max(policyPlacesMax, { error: 'validation.retentionMailboxes' }),
  })
  .refine(({ scope, mailboxes }) => scope !== 'mailboxes' || mailboxes.length > 0, {
    path: ['mailboxes'],
    error: 'validation.retentionMailboxes',
  })
  .refine(({ scope, attributes }) => scope !== 'attributes' || attributes.every(({ values }) => valuesIn(values).length > 0), {
    path: ['attributes', 0, 'values'],
    ...attributeFault,
  })
  .refine(({ scope, searchId }) => scope !== 'search' || searchId !== '', { path: ['searchId'], error: 'validation.retentionSearch' })
  .refine(({ scope, labels }) => scope !== 'labels' || labels.length > 0, { path: ['labels'], ...labelsFault })
  .refine(({ scope, anchor }) => scope === 'labels' || anchor !== 'labelled', { path: ['anchor'], ...labelsFault })
  .refine((draft) => mayFollow(maximumIn(draft), minimumIn(draft)), { path: ['maximumAmount'], error: 'validation.retentionMaximum' })
  .refine((draft) => canStaff(stagesIn(draft)), { path: ['firstReviewers'], error: 'validation.retentionReviewers' })
  .refine(({ scope, places }) => scope !== 'files' || places.length > 0, { path: ['places'], error: 'validation.retentionMailboxes' });
export type PolicyDraft = z.output<typeof policyDraft>;

/** Periods that are common in Germany: a start for the form, no more. */
export const policyTemplates = {
  letters: { amount: 6, unit: 'years', start: 'calendarYear' },
  invoices: { amount: 8, unit: 'years', start: 'calendarYear' },
  books: { amount: 10, unit: 'years', start: 'calendarYear' },
  applications: { amount: 6, unit: 'months', start: 'day' },
} as const;
export type PolicyTemplate = keyof typeof policyTemplates;
export const templateNames = Object.keys(policyTemplates) as PolicyTemplate[];

const empty: PolicyDraft = {
  name: '',
  rule: 'keep',
  ...policyTemplates.letters,
  maximumAmount: 10,
  maximumUnit: 'years',
  anchor: 'received',
  eventKind: 'leftCompany',
  reviews: 'none',
  firstReviewers: [],
  secondReviewers: [],
  thirdReviewers: [],
  fiscalYearEnd: '12',
  scope: 'everything',
  searched: 'messages',
  searchId: '',
  labels: [],
  mailboxes: [],
  attributes: [{ attribute: 'department', values: '' }],
  places: [],
};

/** What tells a place from others. */
export const keyOfPlace = ({ resourceId, nodeId }: PolicyPlace): string => `${resourceId} ${nodeId ?? ''}`;

/** Places with more of them, each once. */
function joined(places: readonly PolicyPlace[], more: readonly PolicyPlace[]): PolicyPlace[] {
  return [...new Map([...places, ...more].map((one) => [keyOfPlace(one), one])).values()];
}

/** What a policy keeps and deletes, in the fields of the form; one that is not asked for is as in an empty form. */
function spansOf({ length, maximum }: Policy): Pick<PolicyDraft, 'rule' | 'amount' | 'unit' | 'maximumAmount' | 'maximumUnit'> {
  const rule = length === null ? 'delete' : maximum === null ? 'keep' : 'both';
  const { amount, unit } = length ?? empty;
  const { amount: maximumAmount, unit: maximumUnit } = maximum ?? { amount: empty.maximumAmount, unit: empty.maximumUnit };
  return { rule, amount, unit, maximumAmount, maximumUnit };
}

/** Whom a policy asks, in the fields of the form. */
function reviewsOf({ stages }: Policy): Pick<PolicyDraft, 'reviews' | (typeof stageFields)[number]> {
  const [firstReviewers = [], secondReviewers = [], thirdReviewers = []] = stages.map((stage) =>
    stage.reviewers.map(({ userId }) => userId),
  );
  return { reviews: reviewCounts[stages.length] ?? 'none', firstReviewers, secondReviewers, thirdReviewers };
}

function scopeOf({ about, mailboxes, attributes, search, labels }: Policy): PolicyDraft['scope'] {
  if (search !== null) return 'search';
  if (labels.length > 0) return 'labels';
  if (about === 'files') return 'files';
  if (attributes.length > 0) return 'attributes';
  return mailboxes === null ? 'everything' : 'mailboxes';
}

/** The form as it begins: empty, or as a policy has it; with places that are to come under it. */
export function draftOf(policy: Policy | null, more: readonly PolicyPlace[] = []): PolicyDraft {
  if (policy === null) return more.length === 0 ? empty : { ...empty, scope: 'files', eventKind: 'caseClosed', places: [...more] };
  const { name, anchor, eventKind, start, fiscalYearEnd, mailboxes, attributes, search, labels, places } = policy;
  return {
    name,
    ...spansOf(policy),
    ...reviewsOf(policy),
    anchor,
    eventKind: eventKind ?? empty.eventKind,
    start,
    fiscalYearEnd: String(fiscalYearEnd),
    scope: scopeOf(policy),
    searched: policy.about,
    searchId: search?.searchId ?? '',
    labels: labels.map(({ labelId }) => labelId),
    attributes:
      attributes.length === 0 ? empty.attributes : attributes.map(({ attribute, values }) => ({ attribute, values: values.join('\n') })),
    mailboxes: mailboxes ?? [],
    places: joined(places, more),
  };
}

export function bodyOf(draft: PolicyDraft): PolicyBody {
  const { name, anchor, eventKind, start, fiscalYearEnd, scope, searchId, labels, mailboxes, attributes, places } = draft;
  return {
    name,
    about: isOnFiles(draft) ? 'files' : 'messages',
    anchor,
    eventKind: anchor === 'event' ? eventKind : null,
    length: minimumIn(draft),
    maximum: maximumIn(draft),
    stages: stagesIn(draft),
    start,
    fiscalYearEnd: Number(fiscalYearEnd),
    mailboxes: scope === 'mailboxes' ? mailboxes.map(({ mailboxId }) => mailboxId) : null,
    attributes: scope === 'attributes' ? attributes.map(({ attribute, values }) => ({ attribute, values: valuesIn(values) })) : [],
    searchId: scope === 'search' ? searchId : null,
    labels: scope === 'labels' ? labels : [],
    places: scope === 'files' ? places.map(({ resourceId, nodeId }) => ({ resourceId, nodeId })) : [],
  };
}

const fieldNames: Readonly<Record<string, string>> = {
  length: 'amount',
  'length.amount': 'amount',
  maximum: 'maximumAmount',
  stages: 'firstReviewers',
  'maximum.amount': 'maximumAmount',
};

/** The names of the server's fields in the form. */
export function formFaults(fields: Readonly<Record<string, readonly string[]>>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(fields).map(([name, faults]) => [fieldNames[name] ?? name, faults]));
}
