import type { RetentionRule } from '@holdfast/contract/jobs';
import type { Translate } from '../../i18n/phrase-key.ts';

/** Says how long a deletion job keeps restore points. */
export function retentionText(rule: RetentionRule, text: Translate): string {
  switch (rule.mode) {
    case 'all':
      return text('jobs.retentionAll');
    case 'days':
      return text('jobs.keptDays', { count: rule.days });
    case 'count':
      return text('jobs.keptCount', { count: rule.count });
    case 'gfs': {
      const { daily, weekly, monthly, yearly } = rule;
      return text('jobs.keptParts', { daily, weekly, monthly, yearly });
    }
  }
}
