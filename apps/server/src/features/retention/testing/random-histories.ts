import type { RetentionPeriod } from '@holdfast/engine';
import { dayShownAt, slowLastDay, zonesWithTraps } from '@holdfast/engine/testing/slow-calendar';
import fc from 'fast-check';
import { createEnds, disposedOf, type PolicyTerms } from '../periods.ts';

const kinds = ['leftCompany', 'contractEnded', 'caseClosed'] as const;
const moment = fc.integer({ min: Date.parse('1995-01-01'), max: Date.parse('2035-01-01') });

const terms = fc.record({
  anchor: fc.constantFrom('archived' as const, 'received' as const, 'event' as const, 'labelled' as const),
  start: fc.constantFrom('day' as const, 'calendarYear' as const, 'fiscalYear' as const),
  fiscalYearEnd: fc.integer({ min: 1, max: 12 }),
  length: fc.oneof(
    fc.record({ unit: fc.constant('days' as const), amount: fc.integer({ min: 1, max: 800 }) }),
    fc.record({ unit: fc.constant('months' as const), amount: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ unit: fc.constant('years' as const), amount: fc.integer({ min: 1, max: 12 }) }),
  ),
  kind: fc.constantFrom(...kinds),
});
type Terms = RetentionPeriod & { readonly kind: (typeof kinds)[number] };

/** What happened to one message, and when somebody looks. */
const history = fc.record({
  zone: fc.constantFrom(...zonesWithTraps),
  receivedMs: moment,
  archivedAfterMs: fc.integer({ min: 0, max: 400 * 86_400_000 }),
  /** When the label of all of these policies was set; `undated` without a day, `unknown` while nobody has read it. */
  labelled: fc.oneof({ weight: 6, arbitrary: moment }, fc.constantFrom('undated' as const, 'unknown' as const)),
  events: fc.array(fc.record({ kind: fc.constantFrom(...kinds), atMs: moment }), { maxLength: 4 }),
  maximum: terms,
  minimums: fc.array(terms, { maxLength: 3 }),
  isHeld: fc.boolean(),
  /** Looks anywhere, and in the hours around the end of each period, where clocks are changed. */
  nowMs: moment,
  near: fc.record({ which: fc.nat({ max: 3 }), hours: fc.integer({ min: -30, max: 30 }) }),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

interface Days {
  readonly archived: string;
  readonly received: string;
}

/** The last day of a period by the slow calendar; null while it waits for its event. */
function lastDay(of: Terms, { archived, received }: Days, { events, labelled, zone }: History): string | null {
  if (of.anchor === 'labelled') {
    if (labelled === 'unknown') return null;
    const set = labelled === 'undated' ? received : dayShownAt(labelled, zone);
    return slowLastDay(of, [received, set].sort().at(-1) ?? received);
  }
  if (of.anchor !== 'event') return slowLastDay(of, of.anchor === 'archived' ? archived : received);
  const happened = events.filter(({ kind }) => kind === of.kind).map(({ atMs }) => dayShownAt(atMs, 'UTC'));
  if (happened.length === 0) return null;
  return slowLastDay(of, [received, ...happened].sort().at(-1) ?? received);
}

/** A period is over when no clock of the zone shows its last day, or an earlier one, now or later that day. */
function isOver(last: string | null, nowMs: number, zone: History['zone']): boolean {
  if (last === null) return false;
  for (let ms = nowMs; ms <= nowMs + 3 * 3_600_000; ms += 15 * 60_000) if (dayShownAt(ms, zone) <= last) return false;
  return true;
}

/** What becomes of the message, said by days alone. */
function slowDisposition(of: History, days: Days, nowMs: number): 'due' | 'kept' | null {
  if (!isOver(lastDay(of.maximum, days, of), nowMs, of.zone)) return null;
  const isKept = of.isHeld || of.minimums.some((minimum) => !isOver(lastDay(minimum, days, of), nowMs, of.zone));
  return isKept ? 'kept' : 'due';
}

function policyOf({ kind, ...period }: Terms): PolicyTerms {
  return { policyId: kind, name: '', period, eventKind: period.anchor === 'event' ? kind : null };
}

/** The day on which labels were set, as the index answers it. */
function labelledIn({ labelled, zone }: History): ReadonlyMap<string, string> {
  const day = labelled === 'unknown' ? 'infinity' : labelled === 'undated' ? '-infinity' : dayShownAt(labelled, zone);
  return new Map(kinds.map((kind) => [kind, day]));
}

function disposition(of: History, days: Days, nowMs: number): 'due' | 'kept' | null {
  const events = new Map<string, string>();
  for (const { kind, atMs } of of.events) {
    const day = dayShownAt(atMs, 'UTC');
    if (day > (events.get(kind) ?? '')) events.set(kind, day);
  }
  const concerned = { events, minimums: of.minimums.map(policyOf), isHeld: of.isHeld };
  return disposedOf(policyOf(of.maximum), { ...days, labelled: labelledIn(of) }, concerned, { endOf: createEnds(of.zone), nowMs });
}

/** Looks somewhere, and near the end of a period of the message. */
function looksAt(of: History, days: Days): readonly number[] {
  const { which, hours } = of.near;
  const last = lastDay([of.maximum, ...of.minimums][which] ?? of.maximum, days, of);
  return last === null ? [of.nowMs] : [of.nowMs, Date.parse(`${last}T00:00:00Z`) + (24 + hours) * 3_600_000];
}

/** Holds the disposition against days counted one by one; throws with the history where they differ. */
export function checkHistories(numRuns: number): Readonly<Record<'due' | 'kept' | 'early', number>> {
  const seen = { due: 0, kept: 0, early: 0 };
  fc.assert(
    fc.property(history, (of) => {
      const days = { received: dayShownAt(of.receivedMs, of.zone), archived: dayShownAt(of.receivedMs + of.archivedAfterMs, of.zone) };
      return looksAt(of, days).every((nowMs) => {
        const disposed = disposition(of, days, nowMs);
        seen[disposed ?? 'early'] += 1;
        return disposed === slowDisposition(of, days, nowMs);
      });
    }),
    { numRuns },
  );
  return seen;
}
