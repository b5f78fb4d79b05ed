import {
  Button,
  Card,
  Field,
  Input,
  makeStyles,
  mergeClasses,
  Subtitle2,
  tokens,
  useArrowNavigationGroup,
} from '@fluentui/react-components';
import { ChevronLeftRegular, ChevronRightRegular } from '@fluentui/react-icons';
import type { RestorePoint } from '@holdfast/contract/discovery';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Row, Split, Stack } from '../../ui/layout.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { spokenOnly } from '../../ui/theme.ts';
import { dayKey, lastBefore, pointsByDay, weeksOf } from './calendar-days.ts';
import type { CalendarDay } from './calendar-days.ts';
import { PointTable } from './point-table.tsx';

const useStyles = makeStyles({
  table: {
    borderCollapse: 'separate',
    borderSpacing: tokens.spacingHorizontalXXS,
    alignSelf: 'start',
    '& th': { width: '44px', padding: 0, textAlign: 'center' },
    '& td': { padding: 0 },
  },
  day: {
    minWidth: '44px',
    width: '44px',
    height: '32px',
    padding: 0,
    display: 'flex',
    flexDirection: 'column',
    lineHeight: tokens.lineHeightBase100,
  },
  marked: { fontWeight: tokens.fontWeightBold },
  count: { fontSize: tokens.fontSizeBase100 },
  spoken: spokenOnly,
});

export interface PointChooserProps {
  readonly points: readonly RestorePoint[];
  readonly current: RestorePoint;
  readonly onChoose: (point: RestorePoint) => void;
}

/** Restore points as a calendar or, the same ones, as a table. */
export function PointChooser(props: PointChooserProps): ReactElement {
  const text = useText();
  const [asTable, setAsTable] = useState(false);
  return (
    <Card>
      <Row spread>
        <Subtitle2 as="h3">{text(asTable ? 'restore.points' : 'restore.calendar')}</Subtitle2>
        <Button size="small" appearance="subtle" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {text(asTable ? 'restore.showAsCalendar' : 'kit.showAsTable')}
        </Button>
      </Row>
      {asTable ? <PointTable points={props.points} onChoose={props.onChoose} /> : <PointCalendar {...props} />}
    </Card>
  );
}

/** A calendar of restore points, then the times of a day, or the last point before a moment. */
function PointCalendar({ points, current, onChoose }: PointChooserProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const days = useMemo(() => pointsByDay(points), [points]);
  const [month, setMonth] = useState(() => new Date(current.at));
  const [day, setDay] = useState(() => dayKey(new Date(current.at)));
  const [moment, setMoment] = useState('');
  const chosen = days.get(day) ?? [];
  const jump = (): void => {
    const found = moment === '' ? null : lastBefore(points, new Date(moment));
    if (found !== null) onChoose(found);
  };
  return (
    <Split>
      <Month month={month} days={days} chosen={day} onMonth={setMonth} onDay={(next) => setDay(next.key)} />
      <Stack>
        <Subtitle2 as="h3">{text('restore.times', { date: format.date(chosen[0]?.at ?? current.at) })}</Subtitle2>
        {chosen.map((point) => (
          <Row key={point.sequence}>
            <Button appearance={point.sequence === current.sequence ? 'primary' : 'secondary'} onClick={() => onChoose(point)}>
              {format.timeOfDay(point.at)}
            </Button>
            <StatusBadge status={point.status} />
            <small>{text('restore.changes', { added: point.added, changed: point.changed, removed: point.removed })}</small>
          </Row>
        ))}
        <Row>
          <Field label={text('restore.before')}>
            <Input type="datetime-local" value={moment} onChange={(_event, { value }) => setMoment(value)} />
          </Field>
          <Button onClick={jump}>{text('restore.jump')}</Button>
        </Row>
      </Stack>
    </Split>
  );
}

interface MonthProps {
  readonly month: Date;
  readonly days: ReadonlyMap<string, readonly RestorePoint[]>;
  readonly chosen: string;
  readonly onMonth: (month: Date) => void;
  readonly onDay: (day: CalendarDay) => void;
}

function Month({ month, days, chosen, onMonth, onDay }: MonthProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const { i18n } = useTranslation();
  const arrows = useArrowNavigationGroup({ axis: 'grid' });
  const firstDay = i18n.language === 'de' ? 1 : 0;
  const title = new Intl.DateTimeFormat(format.locale, { month: 'long', year: 'numeric' }).format(month);
  const weekdayName = new Intl.DateTimeFormat(format.locale, { weekday: 'short' });
  const step = (by: number): void => onMonth(new Date(month.getFullYear(), month.getMonth() + by, 1));
  // 4 January 1970 was a Sunday: only the names of the days are taken from it.
  const names = Array.from({ length: 7 }, (_empty, at) => weekdayName.format(new Date(1970, 0, 4 + at + firstDay)));
  return (
    <Stack>
      <Row>
        <Button appearance="subtle" icon={<ChevronLeftRegular />} aria-label={text('kit.previousMonth')} onClick={() => step(-1)} />
        <Subtitle2 as="h3">{title}</Subtitle2>
        <Button appearance="subtle" icon={<ChevronRightRegular />} aria-label={text('kit.nextMonth')} onClick={() => step(1)} />
      </Row>
      <table className={styles.table} aria-label={text('restore.calendar')} {...arrows}>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month, firstDay, days).map((week) => (
            <tr key={week.find((day) => day !== null)?.key ?? title}>
              {week.map((day, at) => (
                <td key={day?.key ?? `${names[at] ?? ''}-empty`}>
                  {day !== null && <DayButton day={day} isChosen={day.key === chosen} onChoose={() => onDay(day)} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Stack>
  );
}

function DayButton({
  day,
  isChosen,
  onChoose,
}: {
  readonly day: CalendarDay;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const date = format.date(day.date.toISOString());
  const count = day.points.length;
  const words = count === 0 ? text('restore.dayNone', { date }) : text('restore.dayPoints', { date, count });
  const label = day.isDefective ? `${words}, ${text('restore.defectiveDay')}` : words;
  return (
    <Button
      size="small"
      appearance={isChosen ? 'primary' : count === 0 ? 'transparent' : 'secondary'}
      className={mergeClasses(styles.day, count > 0 && styles.marked)}
      disabled={count === 0}
      aria-pressed={isChosen}
      onClick={onChoose}
    >
      <span aria-hidden>{day.date.getDate()}</span>
      {count > 0 && (
        <span aria-hidden className={styles.count}>
          {day.isDefective ? `${count} !` : count}
        </span>
      )}
      <span className={styles.spoken}>{label}</span>
    </Button>
  );
}
