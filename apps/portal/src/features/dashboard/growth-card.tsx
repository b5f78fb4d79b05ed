import { Card, makeStyles, mergeClasses, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { dashboard } from '@holdfast/contract/dashboard';
import type { Growth } from '@holdfast/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';

const width = 600;
const height = 120;

const useStyles = makeStyles({
  drawing: { width: '100%', height: '120px', display: 'block' },
  source: { fill: tokens.colorBrandBackground2, stroke: tokens.colorBrandStroke1 },
  stored: { fill: tokens.colorPaletteGreenBackground2, stroke: tokens.colorPaletteGreenForeground1 },
  line: { strokeWidth: '2px', vectorEffect: 'non-scaling-stroke', fillOpacity: 0.6 },
  ends: { display: 'flex', justifyContent: 'space-between', color: tokens.colorNeutralForeground2 },
});

/** A line over days with all that lies below it. */
function area(values: readonly number[], most: number): string {
  const step = width / Math.max(values.length - 1, 1);
  const points = values.map((value, at) => `${at * step},${height - (value / most) * (height - 8)}`);
  return `M-4,${height + 4} L${points.join(' L')} L${width + 4},${height + 4} Z`;
}

/** What there is, what is stored of it, and how long the room will do. */
export function GrowthCard({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const growth = useQuery(read(dashboard.growth, { params: { tenantId }, quiet: true, background: true }));
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.growth')}</Subtitle2>
      {growth.isPending && <LoadingShape rows={1} height={128} />}
      {growth.isError && <FailedState error={growth.error} onRetry={() => void growth.refetch()} />}
      {growth.data !== undefined && <Drawing growth={growth.data} />}
    </Card>
  );
}

function Drawing({ growth: { days, locations } }: { readonly growth: Growth }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const [first, last] = [days[0], days.at(-1)];
  const most = Math.max(1, ...days.flatMap(({ sourceBytes, storedBytes }) => [sourceBytes, storedBytes]));
  const said = (day: Growth['days'][number] | undefined): string =>
    text('dashboard.growthOf', { source: format.bytes(day?.sourceBytes), stored: format.bytes(day?.storedBytes) });
  const outlook = ({ fullInDays, freeBytes }: Growth['locations'][number]): string => {
    if (fullInDays !== null) return text('dashboard.fullIn', { count: fullInDays, free: format.bytes(freeBytes) });
    return freeBytes === null ? text('dashboard.noLimit') : text('dashboard.freeNow', { free: format.bytes(freeBytes) });
  };
  return (
    <>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className={styles.drawing}
        role="img"
        aria-label={`${format.calendarDay(first?.date ?? '')}: ${said(first)} ${text('people.today')}: ${said(last)}`}
      >
        <path
          className={mergeClasses(styles.line, styles.source)}
          d={area(
            days.map((day) => day.sourceBytes),
            most,
          )}
        />
        <path
          className={mergeClasses(styles.line, styles.stored)}
          d={area(
            days.map((day) => day.storedBytes),
            most,
          )}
        />
      </svg>
      <Text size={200} className={styles.ends}>
        <span>{format.calendarDay(first?.date ?? '')}</span>
        <span>{text('people.today')}</span>
      </Text>
      <Text weight="semibold">{said(last)}</Text>
      <Facts items={locations.map((place) => [place.locationName, outlook(place)] as const)} />
      <Text size={200}>{text('dashboard.growthNote')}</Text>
    </>
  );
}
