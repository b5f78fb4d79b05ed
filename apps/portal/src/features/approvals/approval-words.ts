import { isOpenApproval, type Approval } from '@holdfast/contract/approvals';
import { useFormat, useText } from '../../i18n/use-text.ts';

/** A request in words. */
export interface ApprovalWords {
  readonly kind: (approval: Approval) => string;
  readonly sentence: (approval: Approval) => string;
  readonly waitsFor: (approval: Approval) => string;
  /** What keeps the reader from approving. */
  readonly obstacle: (approval: Approval) => readonly (readonly [string, string])[];
  /** What of a deletion job was asked for: its workload, sources and rule. */
  readonly details: (approval: Approval) => readonly (readonly [string, string])[];
}

const kinds = {
  deletionJob: 'approvals.kindDeletionJob',
  shorterRetention: 'approvals.kindShorterRetention',
  holdRelease: 'approvals.kindHoldRelease',
  strictAccess: 'approvals.kindStrictAccess',
  openAccess: 'approvals.kindOpenAccess',
  exemptionEnd: 'approvals.kindExemptionEnd',
  retentionPolicy: 'approvals.kindRetentionPolicy',
  retentionEnd: 'approvals.kindRetentionEnd',
  messageDeletion: 'approvals.kindMessageDeletion',
  privateAccess: 'approvals.kindPrivateAccess',
} as const;

export function useApprovalWords(): ApprovalWords {
  const text = useText();
  const format = useFormat();

  function rule({ details }: Approval): string {
    const count = (name: string): string => format.count(Number(details[name] ?? 0));
    const named = details['rule'];
    if (named === 'days') return text('approvals.ruleDays', { days: count('days') });
    if (named === 'count') return text('approvals.ruleCount', { count: count('count') });
    if (named !== 'gfs') return text('approvals.ruleAll');
    return text('approvals.ruleGfs', {
      daily: count('daily'),
      weekly: count('weekly'),
      monthly: count('monthly'),
      yearly: count('yearly'),
    });
  }

  function sources({ details }: Approval): string {
    return details['sources'] === 'everyone' ? text('jobs.everyone') : text('jobs.sourceCount', { count: Number(details['sources'] ?? 0) });
  }

  return {
    kind: (approval) => text(kinds[approval.kind]),
    sentence: (approval) => text(`approvals.${approval.kind}`, { ...approval.details, name: approval.subjectName }),
    waitsFor: (approval) => (isOpenApproval(approval) ? approval.waitsFor.join(', ') || text('approvals.none') : '–'),
    obstacle({ obstacle }) {
      if (obstacle === null) return [];
      return [[text('approvals.obstacle'), text(`approvals.${obstacle.reason}`, { at: format.dateTime(obstacle.until) })]];
    },
    details(approval) {
      if (approval.kind !== 'deletionJob') return [];
      const workload = (['exchange', 'onedrive', 'sharepoint', 'teams'] as const).find((one) => one === approval.details['workload']);
      return [
        [text('common.workload'), workload === undefined ? '–' : text(`common.${workload}`)],
        [text('jobs.sources'), sources(approval)],
        [text('approvals.rule'), rule(approval)],
      ];
    },
  };
}
