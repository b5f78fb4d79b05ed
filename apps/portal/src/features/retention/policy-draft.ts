import {
  policyBody,
  policyMailbox,
  policyMailboxesMax,
  policyPlace,
  policyPlacesMax,
  retentionAnchors,
  retentionEventKinds,
  retentionStarts,
  retentionUnits,
} from '@holdfast/contract/retention';
import type { Policy, PolicyBody, PolicyPlace } from '@holdfast/contract/retention';
import { z } from 'zod';

const fault = { error: 'validation.retentionLength' };
export type ChosenMailbox = z.infer<typeof policyMailbox>;

/** What the form asks for; the body of a policy is made of it. */
export const policyDraft = z
  .object({
    name: policyBody.shape.name,
    amount: z.int(fault).min(1, fault),
    unit: z.enum(retentionUnits),
    anchor: z.enum(retentionAnchors),
    eventKind: z.enum(retentionEventKinds),
    start: z.enum(retentionStarts),
    fiscalYearEnd: z.string(),
    scope: z.enum(['everything', 'mailboxes', 'files']),
    mailboxes: z.array(policyMailbox).max(policyMailboxesMax, { error: 'validation.retentionMailboxes' }),
    places: z.array(policyPlace).max(policyPlacesMax, { error: 'validation.retentionMailboxes' }),
  })
  .refine(({ scope, mailboxes }) => scope !== 'mailboxes' || mailboxes.length > 0, {
    path: ['mailboxes'],
    error: 'validation.retentionMailboxes',
  })
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
  ...policyTemplates.letters,
  anchor: 'received',
  eventKind: 'leftCompany',
  fiscalYearEnd: '12',
  scope: 'everything',
  mailboxes: [],
  places: [],
};

/** What tells a place from others. */
export const keyOfPlace = ({ resourceId, nodeId }: PolicyPlace): string => `${resourceId} ${nodeId ?? ''}`;

/** Places with more of them, each once. */
function joined(places: readonly PolicyPlace[], more: readonly PolicyPlace[]): PolicyPlace[] {
  return [...new Map([...places, ...more].map((one) => [keyOfPlace(one), one])).values()];
}

/** The form as it begins: empty, or as a policy has it; with places that are to come under it. */
export function draftOf(policy: Policy | null, more: readonly PolicyPlace[] = []): PolicyDraft {
  if (policy === null) return more.length === 0 ? empty : { ...empty, scope: 'files', eventKind: 'caseClosed', places: [...more] };
  const { name, about, length, anchor, eventKind, start, fiscalYearEnd, mailboxes, places } = policy;
  return {
    name,
    ...length,
    anchor,
    eventKind: eventKind ?? empty.eventKind,
    start,
    fiscalYearEnd: String(fiscalYearEnd),
    scope: about === 'files' ? 'files' : mailboxes === null ? 'everything' : 'mailboxes',
    mailboxes: mailboxes ?? [],
    places: joined(places, more),
  };
}

export function bodyOf({ name, amount, unit, anchor, eventKind, start, fiscalYearEnd, scope, mailboxes, places }: PolicyDraft): PolicyBody {
  return {
    name,
    about: scope === 'files' ? 'files' : 'messages',
    anchor,
    eventKind: anchor === 'event' ? eventKind : null,
    length: { amount, unit },
    start,
    fiscalYearEnd: Number(fiscalYearEnd),
    mailboxes: scope === 'mailboxes' ? mailboxes.map(({ mailboxId }) => mailboxId) : null,
    places: scope === 'files' ? places.map(({ resourceId, nodeId }) => ({ resourceId, nodeId })) : [],
  };
}

/** The names of the server's fields in the form. */
export function formFaults(fields: Readonly<Record<string, readonly string[]>>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(fields).map(([name, faults]) => [name === 'length.amount' ? 'amount' : name, faults]));
}
