import { localPeriods } from './local-period.ts';

/** How long restore points are kept. Whatever one part keeps is kept; with no part at all everything is. */
export interface PointRetention {
  /** Points younger than so many days. */
  readonly keepDays?: number;
  /** The newest so many points. */
  readonly keepLast?: number;
  /** Grandfather, father, son: the last point of each of the newest so many days, weeks, months, years that have one. */
  readonly daily?: number;
  readonly weekly?: number;
  readonly monthly?: number;
  readonly yearly?: number;
  readonly timeZone: string;
}

/** A legal hold on points of a resource; without bounds on all of them. */
export interface PointHold {
  readonly name: string;
  readonly fromMs?: number;
  readonly toMs?: number;
  /** The points that have what is on hold, where single items of the resource are; without it every point has. */
  readonly sequences?: ReadonlySet<number>;
}

/** Points that keep what an archive job has yet to take in: from one to another, both included. */
export interface AwaitedPoints {
  /** Who waits for them. */
  readonly name: string;
  readonly fromSequence: number;
  readonly toSequence: number;
}

/** A minimum of a retention policy: it keeps the points that have certain messages or versions of files, from the first of them on. */
export interface PointMinimum {
  /** What the policy is called. */
  readonly name: string;
  readonly fromSequence: number;
  /** The points that have them, where only some of the later ones do; without it every later one has. */
  readonly sequences?: ReadonlySet<number>;
  /** When their period ends; null while it waits for an event. */
  readonly untilMs: number | null;
}

/** What keeps points whatever a rule says. */
export interface PointKeepers {
  readonly holds: readonly PointHold[];
  readonly awaited: readonly AwaitedPoints[];
  readonly minimums: readonly PointMinimum[];
}

export interface DatedPoint {
  readonly sequence: number;
  readonly atMs: number;
}

export type KeepReason =
  | 'hold'
  | 'newest'
  | 'days'
  | 'last'
  | 'daily'
  | 'weekly'
  | 'monthly'
  | 'yearly'
  | 'noRule'
  | 'future'
  | 'awaited'
  | 'minimum';

export interface PointDisposition extends DatedPoint {
  readonly keep: boolean;
  /** Why it is kept; empty when it may go. */
  readonly reasons: readonly KeepReason[];
  readonly holds: readonly string[];
  /** Who has yet to take in what it keeps. */
  readonly awaitedBy: readonly string[];
  /** The policies that keep it, each with the end of its last period. */
  readonly minimums: readonly PointMinimum[];
}

const DAY_MS = 86_400_000;
const PARTS = [
  ['daily', 'day'],
  ['weekly', 'week'],
  ['monthly', 'month'],
  ['yearly', 'year'],
] as const;

function hasRule(rule: PointRetention): boolean {
  const { keepDays, keepLast, daily, weekly, monthly, yearly } = rule;
  return [keepDays, keepLast, daily, weekly, monthly, yearly].some((value) => value !== undefined);
}

function keptByPeriod(sorted: readonly DatedPoint[], rule: PointRetention): Map<number, KeepReason[]> {
  const kept = new Map<number, KeepReason[]>();
  for (const [name, unit] of PARTS) {
    const count = rule[name] ?? 0;
    const seen = new Set<string>();
    for (const point of sorted.toReversed()) {
      const period = localPeriods(point.atMs, rule.timeZone)[unit];
      if (seen.has(period)) continue;
      if (seen.size >= count) break;
      seen.add(period);
      kept.set(point.sequence, [...(kept.get(point.sequence) ?? []), name]);
    }
  }
  return kept;
}

/**
 * The points that a hold is on, by sequence. A period is more than the points made in it: the one before it says
 * what was there when it began, and the one after it has what came before it ended.
 */
export function heldBy(sorted: readonly DatedPoint[], { fromMs, toMs, sequences }: PointHold): ReadonlySet<number> {
  const before = fromMs === undefined ? -1 : sorted.findLastIndex((point) => point.atMs < fromMs);
  const after = toMs === undefined ? -1 : sorted.findIndex((point) => point.atMs > toMs);
  const held = sorted.slice(Math.max(before, 0), after === -1 ? undefined : after + 1);
  return new Set(held.map((point) => point.sequence).filter((sequence) => sequences?.has(sequence) ?? true));
}

function awaitedAt(sequence: number, awaited: readonly AwaitedPoints[]): string[] {
  return awaited.filter((one) => one.fromSequence <= sequence && sequence <= one.toSequence).map(({ name }) => name);
}

const laterOf = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : Math.max(a, b));

/** Of both together: one that has every later point has what the other names. */
function pointsOf(one: PointMinimum, other: PointMinimum): { readonly sequences?: ReadonlySet<number> } {
  return one.sequences === undefined || other.sequences === undefined ? {} : { sequences: one.sequences.union(other.sequences) };
}

/** The minimums whose periods still run, one for each policy: from the first point that any of them keeps, until the last of them ends. */
export function runningMinimums(minimums: readonly PointMinimum[], nowMs: number): readonly PointMinimum[] {
  const byName = new Map<string, PointMinimum>();
  for (const minimum of minimums) {
    if (minimum.untilMs !== null && minimum.untilMs <= nowMs) continue;
    const known = byName.get(minimum.name) ?? minimum;
    const fromSequence = Math.min(known.fromSequence, minimum.fromSequence);
    const untilMs = laterOf(known.untilMs, minimum.untilMs);
    byName.set(known.name, { name: known.name, fromSequence, ...pointsOf(known, minimum), untilMs });
  }
  return [...byName.values()];
}

/** Whether a minimum whose period runs needs a point. */
export function isKeptBy({ fromSequence, sequences }: PointMinimum, sequence: number): boolean {
  return fromSequence <= sequence && (sequences?.has(sequence) ?? true);
}

/**
 * What becomes of each restore point of a resource. Pure. A hold always wins, and so do the minimum of a policy and an
 * archive that has yet to take in what a point keeps; the newest point is always kept; a point of the future (a clock that was wrong) is never
 * judged by its age, and stands for no day, week, month or year of another one.
 */
export function pointDispositions(
  points: readonly DatedPoint[],
  rule: PointRetention,
  { holds, awaited, minimums }: PointKeepers,
  nowMs: number,
): readonly PointDisposition[] {
  const sorted = [...points].sort((a, b) => a.sequence - b.sequence);
  const byPeriod = keptByPeriod(
    sorted.filter((point) => point.atMs <= nowMs),
    rule,
  );
  const isUnlimited = !hasRule(rule);
  const running = runningMinimums(minimums, nowMs);
  const byHold = holds.map((hold) => ({ name: hold.name, held: heldBy(sorted, hold) }));
  return sorted.map((point, index) => {
    const reasons: KeepReason[] = [...(byPeriod.get(point.sequence) ?? [])];
    const fromEnd = sorted.length - index;
    const held = byHold.filter((hold) => hold.held.has(point.sequence)).map((hold) => hold.name);
    const awaitedBy = awaitedAt(point.sequence, awaited);
    if (held.length > 0) reasons.push('hold');
    if (awaitedBy.length > 0) reasons.push('awaited');
    const keeping = running.filter((minimum) => isKeptBy(minimum, point.sequence));
    if (keeping.length > 0) reasons.push('minimum');
    if (fromEnd === 1) reasons.push('newest');
    if (isUnlimited) reasons.push('noRule');
    if (point.atMs > nowMs) reasons.push('future');
    if (rule.keepDays !== undefined && nowMs - point.atMs < rule.keepDays * DAY_MS) reasons.push('days');
    if (rule.keepLast !== undefined && fromEnd <= rule.keepLast) reasons.push('last');
    return { ...point, keep: reasons.length > 0, reasons, holds: held, awaitedBy, minimums: keeping };
  });
}
