import { jobBody, sourceOptions, traitsOf } from '@holdfast/contract/jobs';
import type { Job, JobBody, JobSource, RetentionRule, SourceReference } from '@holdfast/contract/jobs';
import { scheduleModes } from '@holdfast/contract/jobs/schedule';
import type { FieldErrors, FieldPath, Resolver } from 'react-hook-form';
import { z } from 'zod';
import type { ChosenSources } from '../chosen-words.ts';
import { nobodyChosen, sourceKindsOf } from '../picker-kind.ts';
import type { PickerKind, SourceKind } from '../picker-kind.ts';

/** What is created step by step; other kinds have forms of their own, or are made by the product. */
const draftedTypes = ['backup', 'archive', 'deletion', 'verify', 'drill', 'scan'] as const;

const reference = z.object({ id: z.string(), name: z.string(), address: z.string() });

/** The entries of the stepper, flat, so that going back and reloading lose nothing. */
export const draftSchema = z.object({
  name: z.string(),
  type: z.enum(draftedTypes),
  workload: z.enum(['exchange', 'onedrive', 'sharepoint', 'teams']),
  coverage: z.enum(['everyone', 'chosen']),
  users: z.array(reference),
  groups: z.array(reference),
  sites: z.array(reference),
  teams: z.array(reference),
  channels: z.array(reference.extend({ teamId: z.string(), teamName: z.string() })),
  /** The team whose channels are in sight. */
  channelTeam: z.array(reference),
  members: z.array(reference),
  teamExpression: z.string(),
  /** Who is left out, by what a workload consists of: another workload knows nobody of them. */
  excluded: z.object({ people: z.array(reference), sites: z.array(reference), teams: z.array(reference) }),
  /** Mailboxes that an archive never takes. */
  exempt: z.array(reference),
  includeFolders: z.array(z.string()),
  excludeFolders: z.array(z.string()),
  options: sourceOptions,
  locationId: z.string(),
  retentionMode: z.enum(['all', 'days', 'count', 'gfs']),
  retentionDays: z.number(),
  retentionCount: z.number(),
  daily: z.number(),
  weekly: z.number(),
  monthly: z.number(),
  yearly: z.number(),
  budgetPercent: z.number(),
  samples: z.number(),
  mode: z.enum(scheduleModes),
  time: z.string(),
  timeZone: z.string(),
  weekdays: z.array(z.number()),
  date: z.string(),
  /** When the saved job runs, where that is once: it may stay although it has passed. */
  savedMoment: z.string(),
  everyMinutes: z.number().nullish(),
});
export type Draft = z.infer<typeof draftSchema>;

/** Where a workload keeps whom it leaves out. */
export const excludedOf = {
  exchange: 'people',
  onedrive: 'people',
  sharepoint: 'sites',
  teams: 'teams',
} as const satisfies Readonly<Record<Draft['workload'], keyof Draft['excluded']>>;

const nobody: Draft['excluded'] = { people: [], sites: [], teams: [] };

/** What of a mailbox or a team can be left out; of files it is their versions that are counted. */
type Part = Exclude<keyof Draft['options'], 'fileVersions'>;
const partsOf = {
  exchange: ['deletedItems', 'junk', 'recoverableItems', 'calendars', 'contacts', 'tasks'],
  onedrive: [],
  sharepoint: [],
  teams: ['chats'],
} as const satisfies Readonly<Record<Draft['workload'], readonly Part[]>>;

/** Whether the job reads files, of which earlier versions can be kept. */
export const readsFiles = (workload: Draft['workload']): boolean => workload !== 'exchange';

/** Folders say what of a mailbox is backed up; a deletion takes whole restore points, a drill samples of all. */
export function takesFolders({ type, workload }: Pick<Draft, 'type' | 'workload'>): boolean {
  return workload === 'exchange' && traitsOf(type).stores !== undefined;
}

/** Only an archive knows mailboxes that nothing may choose. */
export const takesExempt = (type: Draft['type']): boolean => traitsOf(type).stores === 'archive';

/** The parts that a job can leave out; an archive knows messages alone. */
export function partsOfJob({ type, workload }: Pick<Draft, 'type' | 'workload'>): readonly Part[] {
  return takesExempt(type) ? ['deletedItems', 'junk'] : partsOf[workload];
}

/** A draft that says what most administrators want: everyone, every night. */
export function emptyDraft(given: Partial<Draft>): Draft {
  return {
    name: '',
    type: 'backup',
    workload: 'exchange',
    coverage: 'everyone',
    users: [],
    groups: [],
    sites: [],
    teams: [],
    channels: [],
    channelTeam: [],
    members: [],
    teamExpression: '',
    excluded: nobody,
    exempt: [],
    includeFolders: [],
    excludeFolders: [],
    options: sourceOptions.parse({}),
    locationId: '',
    retentionMode: 'gfs',
    retentionDays: 365,
    retentionCount: 100,
    daily: 30,
    weekly: 12,
    monthly: 24,
    yearly: 7,
    budgetPercent: 10,
    samples: 20,
    mode: 'daily',
    time: '22:00',
    timeZone: 'UTC',
    weekdays: [],
    date: '',
    savedMoment: '',
    everyMinutes: 60,
    ...given,
  };
}

function draftRetention(rule: RetentionRule): Partial<Draft> {
  switch (rule.mode) {
    case 'all':
      return { retentionMode: 'all' };
    case 'days':
      return { retentionMode: 'days', retentionDays: rule.days };
    case 'count':
      return { retentionMode: 'count', retentionCount: rule.count };
    case 'gfs': {
      const { mode, ...kept } = rule;
      return { retentionMode: mode, ...kept };
    }
  }
}

/** The draft of a job that exists. A schedule without a zone of its own would get one in that of the organisation. */
export function draftOf(job: Job, timeZone: string): Draft {
  const { type, schedule } = job;
  return emptyDraft({
    name: job.name,
    type: isDrafted(type) ? type : 'backup',
    ...('workload' in job ? { workload: job.workload, locationId: job.locationId } : {}),
    timeZone,
    ...('budgetPercent' in job ? { budgetPercent: job.budgetPercent } : {}),
    ...('samples' in job ? { samples: job.samples } : {}),
    ...('exempt' in job ? { exempt: job.exempt } : {}),
    ...('source' in job ? draftSource(job.workload, job.source) : {}),
    ...schedule,
    ...(schedule.mode === 'date' ? { savedMoment: momentOf(schedule) } : {}),
    ...('retention' in job ? draftRetention(job.retention) : {}),
  });
}

function draftSource(workload: Draft['workload'], source: JobSource): Partial<Draft> {
  const excluded = { ...nobody, [excludedOf[workload]]: source.excluded };
  return { ...source, excluded, coverage: source.everyone ? 'everyone' : 'chosen' };
}

const kindsOfDraft = ({ workload, type, options }: Draft) => sourceKindsOf(workload, { type, withChats: options.chats });

/** What is chosen of that which the job can choose: another workload has left its own behind. */
export function chosenOf(draft: Draft): ChosenSources {
  const kinds: readonly SourceKind[] = draft.coverage === 'chosen' ? kindsOfDraft(draft) : [];
  const chosen = (kind: PickerKind): SourceReference[] => (kinds.includes(kind) ? draft[kind] : []);
  return {
    users: chosen('users'),
    groups: chosen('groups'),
    sites: chosen('sites'),
    teams: chosen('teams'),
    members: chosen('members'),
    channels: kinds.includes('channels') ? draft.channels : [],
    teamExpression: kinds.includes('teamExpression') ? draft.teamExpression.trim() : '',
  };
}

function sourceOf(draft: Draft): unknown {
  return {
    everyone: draft.coverage === 'everyone',
    ...chosenOf(draft),
    excluded: draft.excluded[excludedOf[draft.workload]],
    includeFolders: takesFolders(draft) ? draft.includeFolders : [],
    excludeFolders: takesFolders(draft) ? draft.excludeFolders : [],
    options: draft.options,
  };
}

/** The rule that the draft says, sound or not. */
export function retentionOf(draft: Draft): RetentionRule {
  switch (draft.retentionMode) {
    case 'all':
      return { mode: 'all' };
    case 'days':
      return { mode: 'days', days: draft.retentionDays };
    case 'count':
      return { mode: 'count', count: draft.retentionCount };
    case 'gfs':
      return { mode: 'gfs', daily: draft.daily, weekly: draft.weekly, monthly: draft.monthly, yearly: draft.yearly };
  }
}

/** A fault of the draft: the field it belongs to and its text, mostly by key. */
export interface DraftFault {
  readonly field: FieldPath<Draft>;
  readonly message: string;
}

export type Checked =
  | { readonly body: JobBody; readonly faults: readonly [] }
  | { readonly body: null; readonly faults: readonly DraftFault[] };

/** Checks the whole draft by the contract's schema; missing texts get the words of scheduled jobs. */
export function checkDraft(draft: Draft, now: number): Checked {
  const { name, type, workload, locationId, mode, time, timeZone, weekdays, date, everyMinutes, budgetPercent, samples } = draft;
  const parsed = jobBody.safeParse({
    name,
    type,
    workload,
    locationId,
    schedule: { mode, time, timeZone, weekdays, date, everyMinutes },
    source: sourceOf(draft),
    exempt: draft.exempt,
    retention: retentionOf(draft),
    budgetPercent,
    samples,
  });
  if (!parsed.success)
    return { body: null, faults: parsed.error.issues.flatMap((issue) => faultsOf(issue.path.map(String), issue.message, draft)) };
  if (mode === 'date' && momentOf(draft) !== draft.savedMoment && !isAhead(draft, now))
    return { body: null, faults: [{ field: 'date', message: 'validation.futureDate' }] };
  return { body: parsed.data, faults: [] };
}

const momentOf = ({ date, time, timeZone }: Pick<Draft, 'date' | 'time' | 'timeZone'>): string => `${date} ${time} ${timeZone}`;

/** Whether the moment of a job that runs once is still to come, by the clock of its zone. */
function isAhead({ date, time, timeZone }: Draft, now: number): boolean {
  const parts = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(now);
  return `${date} ${time}` > parts;
}

/** Parts of the body whose field in the draft has another name. */
const fieldNames: Readonly<Record<string, FieldPath<Draft>>> = {
  'source.options.fileVersions': 'options.fileVersions',
  'retention.days': 'retentionDays',
  'retention.count': 'retentionCount',
};
const known = new Set(Object.keys(draftSchema.shape));

/** The field of the draft that a part of the body comes from. */
export function fieldOf(path: readonly string[]): FieldPath<Draft> {
  const named = fieldNames[path.join('.')];
  if (named !== undefined) return named;
  return ([...path].toReversed().find((part) => known.has(part)) ?? 'name') as keyof Draft;
}

function faultsOf(path: readonly string[], message: string, draft: Draft): readonly DraftFault[] {
  if (message !== 'validation.usersRequired') return [faultOf(fieldOf(path), message, draft)];
  return kindsOfDraft(draft).map((kind) => ({ field: kind, message: nobodyChosen[kind] }));
}

function faultOf(field: FieldPath<Draft>, message: string, draft: Draft): DraftFault {
  if (field === 'name' && draft.name.trim() === '') return { field: 'name', message: 'validation.nameRequired' };
  if (field === 'time' && draft.time.trim() === '') return { field: 'time', message: 'validation.timeRequired' };
  if (field === 'locationId') return { field: 'locationId', message: 'validation.required' };
  if (field === 'everyMinutes') return { field, message: 'validation.everyMinutes' };
  return { field, message };
}

/** The draft as a form checks it: each field when it is left, those in sight at Next. */
export function draftResolver(now: () => number): Resolver<Draft> {
  return (draft) => {
    const { body, faults } = checkDraft(draft, now());
    if (body !== null) return { values: draft, errors: {} };
    const errors: Record<string, unknown> = {};
    for (const { field, message } of faults) {
      const fault = { type: 'contract', message };
      const [first = field, second] = field.split('.');
      errors[first] ??= second === undefined ? fault : { [second]: fault };
    }
    return { values: {}, errors: errors as FieldErrors<Draft> };
  };
}

/** The fields of each step, so that Next checks what is in sight. */
export const stepFields = {
  job: ['name', 'type', 'workload'],
  sources: [
    'users',
    'groups',
    'sites',
    'teams',
    'channels',
    'members',
    'teamExpression',
    'excluded',
    'exempt',
    'includeFolders',
    'excludeFolders',
    'options.fileVersions',
    'coverage',
  ],
  target: [
    'locationId',
    'retentionMode',
    'retentionDays',
    'retentionCount',
    'daily',
    'weekly',
    'monthly',
    'yearly',
    'budgetPercent',
    'samples',
  ],
  schedule: ['mode', 'time', 'timeZone', 'weekdays', 'date', 'everyMinutes'],
  summary: [],
} as const satisfies Readonly<Record<string, readonly FieldPath<Draft>[]>>;
export type StepName = keyof typeof stepFields;

const isDrafted = (type: Job['type']): type is Draft['type'] => draftedTypes.some((drafted) => drafted === type);

/** A scan reads everything that is kept: it has neither a workload nor a location. */
export const hasWorkload = (type: Draft['type']): boolean => type !== 'scan';

/** The steps of a kind of job: verification has no sources, it covers the location. */
export function stepsOf(type: Draft['type']): readonly StepName[] {
  if (!hasWorkload(type)) return ['job', 'schedule', 'summary'];
  return type === 'verify' ? ['job', 'target', 'schedule', 'summary'] : ['job', 'sources', 'target', 'schedule', 'summary'];
}
