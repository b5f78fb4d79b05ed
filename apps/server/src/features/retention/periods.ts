import type { PolicySummary, PreviewMailbox, PreviewYear } from '@holdfast/contract/retention';
import { endOfDay, lastKeptDay, type PointMinimum, type RetentionPeriod } from '@holdfast/engine';
import type { ArchivedDays, EventDays } from './archived-days.views.ts';
import type { FilePoint } from './file-days.views.ts';

/** What a policy says, whatever it is on. */
export interface PolicyTerms {
  readonly policyId: string;
  readonly name: string;
  readonly period: RetentionPeriod;
  /** The kind of event that starts its period. */
  readonly eventKind: string | null;
}

/** When messages or versions came, and when their labels were set. */
export type Days = Pick<ArchivedDays, 'archived' | 'received' | 'labelled'>;

/** When the period of messages ends; `Infinity` while it waits for an event, or for labels to be read. */
export type EndOf = (policy: PolicyTerms, days: Days, events: EventDays) => number;

/** What a mail or a file carries was set before it came: a later day counts, an earlier one or none does not. */
function labelledDay({ received, labelled }: Days, policyId: string): string | null {
  const day = labelled.get(policyId);
  if (day === 'infinity') return null;
  return day === undefined || day === '-infinity' || day < received ? received : day;
}

/** Ends of periods in one zone. Days that were looked up once are remembered. */
export function createEnds(timeZone: string): EndOf {
  const known = new Map<string, number>();
  return ({ policyId, period, eventKind }, days, events) => {
    const { archived, received } = days;
    const event = eventKind === null ? null : (events.get(eventKind) ?? null);
    const last = lastKeptDay(period, { archived, received, event, labelled: labelledDay(days, policyId) });
    if (last === null) return Infinity;
    const end = known.get(last) ?? endOfDay(last, timeZone);
    known.set(last, end);
    return end;
  };
}

const momentOf = (endMs: number): string | null => (Number.isFinite(endMs) ? new Date(endMs).toISOString() : null);

/** What policies keep of files: of each policy, the points whose periods end together. */
export function minimumsOnFiles(policies: ReadonlyMap<string, PolicyTerms>, points: readonly FilePoint[], endOf: EndOf): PointMinimum[] {
  const together = new Map<string, { name: string; untilMs: number | null; fromSequence: number; sequences: Set<number> }>();
  for (const { policies: covering, sequence, received, labelled, events } of points) {
    for (const policyId of covering) {
      const policy = policies.get(policyId);
      if (policy === undefined) continue;
      const end = endOf(policy, { archived: received, received, labelled }, events);
      const key = `${policyId} ${end}`;
      const untilMs = Number.isFinite(end) ? end : null;
      const known = together.get(key) ?? { name: policy.name, untilMs, fromSequence: sequence, sequences: new Set<number>() };
      together.set(key, known);
      known.sequences.add(sequence);
      known.fromSequence = Math.min(known.fromSequence, sequence);
    }
  }
  return [...together.values()];
}

/**
 * What a policy keeps of an archive, point by point. A point has all messages of the ones before it, so that of those
 * whose periods end later the first point says it all.
 */
export function minimumsOf(policy: PolicyTerms, days: readonly ArchivedDays[], events: EventDays, endOf: EndOf): PointMinimum[] {
  const { name } = policy;
  const latestFirst = days.map((day) => ({ day, end: endOf(policy, day, events) })).sort((a, b) => b.end - a.end);
  const minimums: PointMinimum[] = [];
  let first = Infinity;
  for (const { day, end } of latestFirst) {
    if (day.firstPoint >= first) continue;
    first = day.firstPoint;
    minimums.push({ name, fromSequence: first, untilMs: Number.isFinite(end) ? end : null });
  }
  return minimums;
}

interface Amount {
  messages: number;
  bytes: number;
}

interface Sums {
  readonly kept: Amount;
  readonly over: Amount;
  readonly due: Amount;
  lastEnd: number;
}

const noAmount = (): Amount => ({ messages: 0, bytes: 0 });
const noSums = (): Sums => ({ kept: noAmount(), over: noAmount(), due: noAmount(), lastEnd: 0 });

function add(to: Amount, { messages, bytes }: Readonly<Amount>): void {
  to.messages += messages;
  to.bytes += bytes;
}

function addTo(sums: Sums, day: Readonly<Amount>, end: number, nowMs: number): void {
  add(end > nowMs ? sums.kept : sums.over, day);
  if (end > nowMs) sums.lastEnd = Math.max(sums.lastEnd, end);
}

const viewOf = ({ kept, over, due, lastEnd }: Sums) => ({ kept, over, due, keptUntil: lastEnd === 0 ? null : momentOf(lastEnd) });

/** What concerns messages that came on the same days, or versions of files. */
export interface Concerned {
  readonly events: EventDays;
  /** The minimums of policies in force. */
  readonly minimums: readonly PolicyTerms[];
  readonly isHeld: boolean;
}

/**
 * What a maximum does with messages: it deletes them when it is over, unless a minimum or a hold keeps them; null before that.
 * Of several minimums the longest wins, for each of them keeps.
 */
export function disposedOf(
  maximum: PolicyTerms,
  days: Days,
  { events, minimums, isHeld }: Concerned,
  { endOf, nowMs }: { readonly endOf: EndOf; readonly nowMs: number },
): 'due' | 'kept' | null {
  if (endOf(maximum, days, events) > nowMs) return null;
  return isHeld || minimums.some((minimum) => endOf(minimum, days, events) > nowMs) ? 'kept' : 'due';
}

/** A policy beside those that matter for it. */
interface PreviewedPolicy {
  readonly minimum: PolicyTerms | null;
  readonly maximum: PolicyTerms | null;
  /** The minimum of the one whose place it takes. */
  readonly replaced: PolicyTerms | null;
}

/** The messages of one mailbox, or the files of one site or drive. */
interface PreviewedMailbox {
  readonly mailbox: Pick<PreviewMailbox, 'mailboxId' | 'name' | 'email'>;
  readonly days: readonly PreviewedDays[];
  /** Whether the policy is on something of it. */
  readonly isCovered: boolean;
}

/** What came on the same days, with what concerns it. */
export interface PreviewedDays extends Days, Pick<ArchivedDays, 'messages' | 'bytes'> {
  readonly events: EventDays;
  readonly others: readonly PolicyTerms[];
  /** Whether the policy that is replaced is on it. */
  readonly isReplaced: boolean;
  /** Whether the policy itself is: one that replaces another may leave out something of it. */
  readonly isCovered: boolean;
  /** Whether its maximum is on it. */
  readonly isDeleted: boolean;
  readonly isHeld: boolean;
}

export interface PreviewSums {
  add(mailbox: PreviewedMailbox): void;
  result(): Omit<PolicySummary, 'at' | 'validUntil'> & { readonly years: PreviewYear[]; readonly mailboxes: PreviewMailbox[] };
}

/** Counts what a policy would keep and delete at a moment, mailbox by mailbox. */
export function createPreviewSums({ minimum, maximum, replaced }: PreviewedPolicy, endOf: EndOf, nowMs: number): PreviewSums {
  const total = noSums();
  const [waiting, longer, shortened, dueKept] = [noAmount(), noAmount(), noAmount(), noAmount()];
  const years = new Map<number, Sums>();
  const mailboxes: PreviewMailbox[] = [];

  function addKept(day: PreviewedDays, end: number, all: readonly Sums[]): void {
    for (const sums of all) addTo(sums, day, end, nowMs);
    if (end === Infinity) add(waiting, day);
    if (end > nowMs && day.others.some((other) => endOf(other, day, day.events) > end)) add(longer, day);
  }

  function addDisposed(day: PreviewedDays, all: readonly Sums[]): void {
    if (maximum === null || !day.isDeleted) return;
    const minimums = minimum === null ? day.others : [minimum, ...day.others];
    const disposed = disposedOf(maximum, day, { ...day, minimums }, { endOf, nowMs });
    if (disposed === 'kept') add(dueKept, day);
    if (disposed === 'due') for (const { due } of all) add(due, day);
  }

  function addCovered(day: PreviewedDays, end: number, ofMailbox: Sums): void {
    const year = Number(day.received.slice(0, 4));
    const ofYear = years.get(year) ?? noSums();
    years.set(year, ofYear);
    const all = [total, ofYear, ofMailbox];
    if (minimum !== null) addKept(day, end, all);
    addDisposed(day, all);
  }

  return {
    add(mailbox) {
      const ofMailbox = noSums();
      for (const day of mailbox.days) {
        const end = day.isCovered && minimum !== null ? endOf(minimum, day, day.events) : 0;
        if (day.isCovered) addCovered(day, end, ofMailbox);
        const before = replaced !== null && day.isReplaced ? endOf(replaced, day, day.events) : 0;
        if (before > nowMs && before > end) add(shortened, day);
      }
      if (mailbox.isCovered) mailboxes.push({ ...mailbox.mailbox, ...viewOf(ofMailbox) });
    },
    result: () => ({
      ...viewOf(total),
      waiting,
      longer,
      shortened,
      dueKept,
      years: [...years].sort(([a], [b]) => a - b).map(([year, sums]) => ({ year, ...viewOf(sums) })),
      mailboxes,
    }),
  };
}
