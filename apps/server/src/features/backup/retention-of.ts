import type { RetentionRule } from '@holdfast/contract/jobs';
import type { Schedule } from '@holdfast/contract/jobs/schedule';
import type { PointRetention } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';

function partsOf(rule: RetentionRule): Omit<PointRetention, 'timeZone'> {
  switch (rule.mode) {
    case 'all':
      return {};
    case 'days':
      return { keepDays: rule.days };
    case 'count':
      return { keepLast: rule.count };
    case 'gfs':
      return { daily: rule.daily, weekly: rule.weekly, monthly: rule.monthly, yearly: rule.yearly };
  }
}

/** What a deletion goes by beside its own rule. */
export interface RetentionTerms {
  /** How many days the location keeps what it holds, whatever jobs say. */
  readonly retainDays: number;
  /** The zone of the organisation. */
  readonly timeZone: string;
  /** The clock of the database. */
  readonly nowMs: number;
}

/**
 * A job's rule as the engine has it. Days, weeks and months are told apart in the zone of its schedule, or in that
 * of the organisation. Whatever the rule gives up, the location keeps for its own number of days.
 */
export function retentionOf(
  { retention, schedule }: { readonly retention: RetentionRule; readonly schedule: Schedule },
  { retainDays, timeZone }: RetentionTerms,
): PointRetention {
  const parts = { timeZone: 'timeZone' in schedule ? schedule.timeZone : timeZone, ...partsOf(retention) };
  if (retention.mode === 'all' || retainDays === 0) return parts;
  return { ...parts, keepDays: Math.max(parts.keepDays ?? 0, retainDays) };
}

/** The time by which the age of a point is told: of two clocks the one that is behind, for a clock that is ahead deletes too much. */
export function judgedAt(clock: Pick<Clock, 'nowMs'>, { nowMs }: RetentionTerms): number {
  return Math.min(clock.nowMs(), nowMs);
}
