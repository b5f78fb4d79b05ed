import type { CaseSummary } from '@holdfast/contract/case-values';
import { useFormat, useText } from '../../i18n/use-text.ts';

export const caseBase = '/ediscovery/portal';

export const statusKey = { open: 'cases.statusOpen', closed: 'cases.statusClosed' } as const;

/** The period of a case in words. */
export function usePeriodWords(): (of: Pick<CaseSummary, 'from' | 'to'>) => string {
  const text = useText();
  const format = useFormat();
  return ({ from, to }) => {
    if (from !== null && to !== null) return text('cases.between', { from: format.date(from), to: format.date(to) });
    if (from !== null) return text('cases.since', { from: format.date(from) });
    return to === null ? text('cases.always') : text('cases.until', { to: format.date(to) });
  };
}

/** Why somebody who works on a case looks at content, as the log has it. */
export function caseReasonOf({ reference, matter }: Pick<CaseSummary, 'reference' | 'matter'>): string {
  return `${reference === '' ? '' : `${reference} · `}${matter}`;
}
