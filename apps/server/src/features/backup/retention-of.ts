import type { RetentionRule } from '@holdfast/contract/jobs';
import type { Schedule } from '@holdfast/contract/jobs/schedule';
import type { PointRetention } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { isGraphError, type GraphClient } from '@holdfast/m365';

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

/**
 * The time by which the age of a point is told: of three clocks the one that is furthest behind, for one that is ahead
 * deletes too much. Process and database may share a machine whose clock is wrong; Microsoft 365 is never on it.
 */
export function judgedAt(clock: Pick<Clock, 'nowMs'>, { nowMs }: RetentionTerms, attestedMs: number): number {
  return Math.min(clock.nowMs(), nowMs, attestedMs);
}

/** What Microsoft 365 says that the time is. Without it nothing is deleted: `runs.time-unattested`. */
export async function attestedTime(graph: Pick<GraphClient, 'serviceTime'>): Promise<number> {
  try {
    return await graph.serviceTime();
  } catch (error) {
    if (!isGraphError(error)) throw error;
    throw new AppError('runs.time-unattested', { cause: error, details: { code: error.code } });
  }
}
