import { Button, makeStyles, mergeClasses, Subtitle2, tokens, typographyStyles } from '@fluentui/react-components';
import { ArrowRepeatAllRegular, ChevronLeftRegular, ChevronRightRegular } from '@fluentui/react-icons';
import type { Node } from '@holdfast/contract/discovery';
import { useEffect, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay, usePortal } from '../../api/portal-context.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { dayKey, weeksOf } from './calendar-days.ts';
import type { CalendarDay } from './calendar-days.ts';

const shownPerDay = 4;
/** As many as a month can show; what lies further in the past is found in the list. */
const mostEvents = 2_000;

const useStyles = makeStyles({
  table: { borderCollapse: 'collapse', width: '100%', tableLayout: 'fixed', backgroundColor: tokens.colorNeutralBackground1 },
  cell: {
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    height: '84px',
    padding: tokens.spacingHorizontalXXS,
    verticalAlign: 'top',
    overflow: 'hidden',
  },
  number: { ...typographyStyles.caption1, color: tokens.colorNeutralForeground2 },
  today: { ...typographyStyles.caption1Strong, color: tokens.colorBrandForeground1 },
  event: {
    display: 'flex',
    gap: tokens.spacingHorizontalXXS,
    alignItems: 'center',
    width: '100%',
    minWidth: 0,
    maxWidth: 'none',
    justifyContent: 'start',
    padding: `0 ${tokens.spacingHorizontalXXS}`,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorNeutralForeground1,
    marginBottom: tokens.spacingVerticalXXS,
  },
  name: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  gone: { textDecorationLine: 'line-through' },
  read: { outline: `2px solid ${tokens.colorStrokeFocus2}` },
});

/** The day an event is on: an all-day one begins at midnight UTC wherever it is read. */
function dayOf({ facts }: Node): string | null {
  if (facts?.startsAt == null) return null;
  return facts.isAllDay ? facts.startsAt.slice(0, 10) : dayKey(new Date(facts.startsAt));
}

export interface MonthViewProps {
  readonly rows: readonly Node[];
  readonly read: Node | null;
  readonly onRead: (node: Node) => void;
  readonly hasMore: boolean;
  readonly onNearEnd: () => void;
}

/** Events in their month, in the reader's own time. A series is on the day it began. */
export function MonthView({ rows, read, onRead, hasMore, onNearEnd }: MonthViewProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { clock } = usePortal();
  const days = useMemo(() => Map.groupBy(rows.toSorted(byStart), (row) => dayOf(row) ?? ''), [rows]);
  useEffect(() => {
    if (hasMore && rows.length < mostEvents) onNearEnd();
  }, [hasMore, onNearEnd, rows.length]);
  const [month, setMonth] = useState(() => startMonth(rows, clock.now()));
  const title = new Intl.DateTimeFormat(format.locale, { month: 'long', year: 'numeric' }).format(month);
  const step = (by: number): void => setMonth(new Date(month.getFullYear(), month.getMonth() + by, 1));
  return (
    <Stack>
      <Row>
        <Button appearance="subtle" icon={<ChevronLeftRegular />} aria-label={text('kit.previousMonth')} onClick={() => step(-1)} />
        <Subtitle2 as="h3" aria-live="polite">
          {title}
        </Subtitle2>
        <Button appearance="subtle" icon={<ChevronRightRegular />} aria-label={text('kit.nextMonth')} onClick={() => step(1)} />
      </Row>
      <MonthTable
        month={month}
        title={title}
        render={({ key }) => <DayEvents events={days.get(key) ?? []} read={read} onRead={onRead} />}
      />
    </Stack>
  );
}

/** This month, or that of the newest event where all are in the past. */
function startMonth(rows: readonly Node[], now: number): Date {
  const newest = rows.toSorted(byStart).at(-1)?.facts?.startsAt;
  return new Date(newest == null ? now : Math.min(now, Date.parse(newest)));
}

interface MonthTableProps {
  readonly month: Date;
  readonly title: string;
  readonly render: (day: CalendarDay) => ReactElement;
}

function MonthTable({ month, title, render }: MonthTableProps): ReactElement {
  const format = useFormat();
  const styles = useStyles();
  const { clock } = usePortal();
  const { i18n } = useTranslation();
  const firstDay = i18n.language === 'de' ? 1 : 0;
  const weekday = new Intl.DateTimeFormat(format.locale, { weekday: 'short' });
  // 4 January 1970 was a Sunday: only the names of the days are taken from it.
  const names = Array.from({ length: 7 }, (_empty, at) => weekday.format(new Date(1970, 0, 4 + at + firstDay)));
  const today = dayKey(new Date(clock.now()));
  return (
    <table className={styles.table} aria-label={title}>
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
        {weeksOf(month, firstDay, new Map()).map((week) => (
          <tr key={week.find((day) => day !== null)?.key ?? title}>
            {week.map((day, at) => (
              <td key={day?.key ?? `${names[at] ?? ''}-empty`} className={styles.cell}>
                {day !== null && (
                  <>
                    <span className={day.key === today ? styles.today : styles.number}>{day.date.getDate()}</span>
                    {render(day)}
                  </>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The events of a day, earliest first; those that have no room are one press away. */
function DayEvents({ events, read, onRead }: { readonly events: readonly Node[] } & Pick<MonthViewProps, 'read' | 'onRead'>): ReactElement {
  const text = useText();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? events : events.slice(0, shownPerDay);
  const left = events.length - shown.length;
  return (
    <>
      {shown.map((event) => (
        <EventButton key={event.nodeId} event={event} isRead={event.nodeId === read?.nodeId} onRead={() => onRead(event)} />
      ))}
      {left > 0 && (
        <Button size="small" appearance="transparent" onClick={() => setShowsAll(true)}>
          {text('content.moreEvents', { count: left })}
        </Button>
      )}
    </>
  );
}

interface EventButtonProps {
  readonly event: Node;
  readonly isRead: boolean;
  readonly onRead: () => void;
}

function EventButton({ event, isRead, onRead }: EventButtonProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const mayRead = useMay('content.read');
  const { facts, lastSeenAt } = event;
  const name = event.name.trim() || text('content.noSubject');
  const time = facts?.isAllDay === true ? text('content.allDay') : format.timeOfDay(facts?.startsAt);
  const gone = lastSeenAt === null ? '' : `, ${text('restore.lastSeen', { date: format.date(lastSeenAt) })}`;
  return (
    <Button
      size="small"
      appearance="subtle"
      className={mergeClasses(styles.event, lastSeenAt !== null && styles.gone, isRead && styles.read)}
      disabledFocusable={!mayRead}
      title={`${time} ${name}${gone}`}
      aria-label={`${text('restore.previewOf', { name })}, ${time}${gone}`}
      onClick={onRead}
    >
      {facts?.isRecurring === true && <ArrowRepeatAllRegular aria-label={text('content.recurring')} />}
      <span className={styles.name}>
        {time} {name}
      </span>
    </Button>
  );
}

function byStart(one: Node, other: Node): number {
  return (one.facts?.startsAt ?? '').localeCompare(other.facts?.startsAt ?? '');
}
