import { Card, makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { people } from '@holdfast/contract/people';
import type { ProtectionDays } from '@holdfast/contract/people';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DayLegend, DayMarks } from '../../ui/day-marks.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { Row } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { narrowScreen } from '../../ui/theme.ts';

const kinds = ['person', 'site', 'team'] as const;
const words = { person: 'people.persons', site: 'people.sites', team: 'people.teams' } as const;

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'flex', flexDirection: 'column', rowGap: '3px', minHeight: '260px' },
  row: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalM },
  name: {
    width: '168px',
    flexShrink: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    [narrowScreen]: { width: '96px' },
  },
  ends: {
    display: 'flex',
    justifyContent: 'space-between',
    marginInlineStart: `calc(168px + ${tokens.spacingHorizontalM})`,
    color: tokens.colorNeutralForeground2,
  },
});

/** Who was safe when: a row for each, a mark for each of the last thirty days, those in trouble first. */
export function HeatMapCard({ tenantId, isLive }: { readonly tenantId: string; readonly isLive: boolean }): ReactElement {
  const text = useText();
  const [of, setOf] = useState<(typeof kinds)[number]>('person');
  const days = useQuery({
    ...read(people.days, { params: { tenantId }, query: { of, limit: 16 }, quiet: true, background: true }),
    refetchInterval: isLive ? 5_000 : 60_000,
  });
  return (
    <Card>
      <Row spread>
        <Subtitle2 as="h2">{text('dashboard.heatMap')}</Subtitle2>
        <Tabs names={kinds} selected={of} word={(kind) => text(words[kind])} onSelect={setOf} isSmall />
      </Row>
      {days.isPending && <LoadingShape rows={8} />}
      {days.isError && <FailedState error={days.error} onRetry={() => void days.refetch()} />}
      {days.data !== undefined && <Rows days={days.data} of={of} />}
      <DayLegend />
    </Card>
  );
}

function Rows({ days, of }: { readonly days: ProtectionDays; readonly of: (typeof kinds)[number] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const { dates, rows, total } = days;
  const rest = total - rows.length;
  if (rows.length === 0) return <Text>{text('people.none')}</Text>;
  return (
    <>
      <ul className={styles.list} aria-label={text('dashboard.heatMap')}>
        {rows.map((row) => (
          <li key={row.resourceId} className={styles.row}>
            <span className={styles.name} title={row.name}>
              <RouterLink to={`/people/${row.resourceId}`}>{row.name}</RouterLink>
            </span>
            <DayMarks dates={dates} days={row.days} />
          </li>
        ))}
      </ul>
      <Text size={200} className={styles.ends}>
        <span>{format.calendarDay(dates[0] ?? '')}</span>
        <span>{text('people.today')}</span>
      </Text>
      {rest > 0 && <RouterLink to={`/people?kind=${of}`}>{text('dashboard.moreOfThem', { count: format.count(rest) })}</RouterLink>}
    </>
  );
}
