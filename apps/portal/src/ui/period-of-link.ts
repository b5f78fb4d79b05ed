import { instant } from '@holdfast/contract/values';
import { useSearchParams } from 'react-router';
import { z } from 'zod';
import { useFormat } from '../i18n/use-text.ts';

const span = z.object({ from: instant, to: instant });

/** From a moment on, and before another one. */
export type LinkedPeriod = z.output<typeof span>;

/** The period in the address: the report of a month links to the lists of what it counts. */
export function usePeriodOfLink(): LinkedPeriod | null {
  const [params] = useSearchParams();
  const given = span.safeParse({ from: params.get('from'), to: params.get('to') });
  return given.success ? given.data : null;
}

/** The first and the last day of a period, as the reader writes them. */
export function usePeriodWords(): (period: LinkedPeriod) => { readonly from: string; readonly to: string } {
  const format = useFormat();
  // The period ends before its last moment.
  return ({ from, to }) => ({ from: format.date(from), to: format.date(new Date(Date.parse(to) - 1).toISOString()) });
}
