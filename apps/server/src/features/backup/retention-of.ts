import type { JobSource, RetentionRule } from '@holdfast/contract/jobs';
import type { PointRetention } from '@holdfast/engine';

/** A job's rule as the engine has it. Days, weeks and months are told apart in the zone. */
export function retentionOf(rule: RetentionRule, timeZone: string): PointRetention {
  switch (rule.mode) {
    case 'all':
      return { timeZone };
    case 'days':
      return { timeZone, keepDays: rule.days };
    case 'count':
      return { timeZone, keepLast: rule.count };
    case 'gfs':
      return { timeZone, daily: rule.daily, weekly: rule.weekly, monthly: rule.monthly, yearly: rule.yearly };
  }
}

/** The zone of a job: that of its schedule, UTC when it has none. */
export function timeZoneOf(schedule: object): string {
  return 'timeZone' in schedule && typeof schedule.timeZone === 'string' ? schedule.timeZone : 'UTC';
}

/** A deletion that excludes nobody takes all that is held, also of those whom the directory has no more. */
export function isEverything(source: JobSource): boolean {
  return source.everyone && source.excluded.length === 0;
}
