import { Card, Subtitle2 } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { RankedBars } from '../../ui/ranked-bars.tsx';
import type { RankedBar } from '../../ui/ranked-bars.tsx';

/** How many rows a report compares with each other above its list. */
export const topRows = 5;

interface ReportTopProps {
  readonly title: string;
  /** The largest first; undefined before they are known. */
  readonly bars: readonly RankedBar[] | undefined;
}

/** The largest of a report beside each other, so that the reader sees at once how far they are apart; nothing with less than two. */
export function ReportTop({ title, bars = [] }: ReportTopProps): ReactElement | null {
  const shown = bars.filter(({ value }) => value > 0).slice(0, topRows);
  if (shown.length < 2) return null;
  return (
    <Card>
      <Subtitle2 as="h2">{title}</Subtitle2>
      <RankedBars label={title} bars={shown} />
    </Card>
  );
}
