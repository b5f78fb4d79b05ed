import type { DataRequest } from '@holdfast/contract/data-requests';
import { useFormat, useText } from '../../i18n/use-text.ts';

/** Words about a request that the list and its details share. */
export function useRequestWords() {
  const text = useText();
  const format = useFormat();
  return {
    /** A day has no zone: noon belongs to it everywhere in Europe and America. */
    day: (day: string): string => format.date(`${day}T12:00:00.000Z`),
    left({ daysLeft, answer }: DataRequest): string {
      if (answer !== null) return text(`dataRequests.outcomes.${answer.outcome}`);
      if (daysLeft === null || daysLeft === 0) return text('dataRequests.lastDay');
      return daysLeft < 0 ? text('dataRequests.overdue', { count: -daysLeft }) : text('dataRequests.days', { count: daysLeft });
    },
  };
}
