import { countedHolds } from '@holdfast/contract/holds';
import type { CountedHolds, Hold } from '@holdfast/contract/holds';
import { useSearchParams } from 'react-router';
import { usePeriodOfLink, type LinkedPeriod } from '../../ui/period-of-link.ts';

/** The holds that a report counts, and the period of the report. */
export interface CountedByReport {
  readonly counted: CountedHolds;
  readonly period: LinkedPeriod;
}

/** The holds that the address asks for: the report of a period links to those that it counts. */
export function useCountedHolds(): CountedByReport | null {
  const [params] = useSearchParams();
  const period = usePeriodOfLink();
  const counted = countedHolds.find((name) => name === params.get('counted'));
  return counted === undefined || period === null ? null : { counted, period };
}

/** Whether a report counts this hold. */
export function isCounted({ placedAt, releasedAt }: Pick<Hold, 'placedAt' | 'releasedAt'>, { counted, period }: CountedByReport): boolean {
  const [from, to] = [Date.parse(period.from), Date.parse(period.to)];
  const placed = Date.parse(placedAt);
  const released = releasedAt === null ? Infinity : Date.parse(releasedAt);
  if (counted === 'active') return placed < to && released >= to;
  const moment = counted === 'placed' ? placed : released;
  return moment >= from && moment < to;
}
