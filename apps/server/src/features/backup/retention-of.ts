import type { RetentionRule } from '@holdfast/contract/jobs';
import type { PointRetention } from '@holdfast/engine';

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

/**
 * A job's rule as the engine has it. Days, weeks and months are told apart in the zone. Whatever the rule
 * gives up, the location keeps for its own number of days.
 */
export function retentionOf(rule: RetentionRule, timeZone: string, atLeastDays: number): PointRetention {
  const parts = partsOf(rule);
  if (rule.mode === 'all' || atLeastDays === 0) return { timeZone, ...parts };
  return { timeZone, ...parts, keepDays: Math.max(parts.keepDays ?? 0, atLeastDays) };
}

/** The zone of a job: that of its schedule, UTC when it has none. */
export function timeZoneOf(schedule: object): string {
  return 'timeZone' in schedule && typeof schedule.timeZone === 'string' ? schedule.timeZone : 'UTC';
}
