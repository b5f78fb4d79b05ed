import { Button, makeStyles, mergeClasses, Switch, Text, tokens } from '@fluentui/react-components';
import { ArrowSwapRegular, CalendarRegular, HistoryRegular } from '@fluentui/react-icons';
import type { RestorePoint } from '@holdfast/contract/discovery';
import { useMemo } from 'react';
import type { KeyboardEvent, PointerEvent, ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { narrowScreen } from '../../ui/theme.ts';
import { dayKey } from './calendar-days.ts';

/** As many marks as a line of a page has room for; older points are in the calendar. */
const mostDays = 60;

const useStyles = makeStyles({
  card: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalL,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  title: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalXS, fontWeight: tokens.fontWeightSemibold },
  line: {
    position: 'relative',
    flex: '1 1 240px',
    minWidth: 0,
    display: 'flex',
    justifyContent: 'space-between',
    alignItems: 'center',
    height: '32px',
    paddingInline: tokens.spacingHorizontalXS,
    cursor: 'pointer',
    touchAction: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundImage: `linear-gradient(${tokens.colorNeutralStroke2}, ${tokens.colorNeutralStroke2})`,
    backgroundSize: '100% 2px',
    backgroundPosition: 'center',
    backgroundRepeat: 'no-repeat',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
    [narrowScreen]: { flexBasis: '100%' },
  },
  mark: {
    width: '8px',
    height: '8px',
    flexShrink: 1,
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorBrandForeground2,
    pointerEvents: 'none',
  },
  defective: { backgroundColor: tokens.colorPaletteMarigoldBackground3 },
  chosen: {
    width: '14px',
    height: '14px',
    flexShrink: 0,
    backgroundColor: tokens.colorBrandBackground,
    outline: `2px solid ${tokens.colorNeutralBackground1}`,
  },
  state: { display: 'flex', flexDirection: 'column' },
});

interface Day {
  readonly key: string;
  /** The newest point of the day. */
  readonly point: RestorePoint;
  readonly isDefective: boolean;
}

/** The days that have restore points, oldest first, as many as the line has room for. */
function daysOf(points: readonly RestorePoint[]): readonly Day[] {
  const days = new Map<string, Day>();
  for (const point of points) {
    const key = dayKey(new Date(point.at));
    const known = days.get(key);
    const isDefective = point.status === 'defective' || known?.isDefective === true;
    days.set(key, { key, point: known?.point ?? point, isDefective });
    if (days.size > mostDays) break;
  }
  return [...days.values()].slice(0, mostDays).toReversed();
}

export interface TimeLineProps {
  /** Newest first. */
  readonly points: readonly RestorePoint[];
  readonly point: RestorePoint;
  readonly onPoint: (point: RestorePoint) => void;
  readonly showsDeleted: boolean;
  readonly onShowDeleted: (shows: boolean) => void;
  readonly isChoosing: boolean;
  readonly onChoosing: () => void;
  readonly isComparing: boolean;
  readonly onComparing: () => void;
}

/** The restore points as a line: what is shown is the state at the chosen mark. Arrows lead from point to point. */
export function TimeLine(props: TimeLineProps): ReactElement {
  const { points, point, showsDeleted, onShowDeleted, isChoosing, onChoosing, isComparing, onComparing } = props;
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const isNewest = point.sequence === points[0]?.sequence;
  const date = format.dateTime(point.at);
  return (
    <div className={styles.card} role="group" aria-label={text('content.time')}>
      <span className={styles.title}>
        <HistoryRegular fontSize={20} aria-hidden />
        {text('content.time')}
      </span>
      <Line {...props} />
      <span className={styles.state}>
        <Text weight="semibold">{text(isNewest ? 'restore.newestPoint' : 'restore.pointOf', { date })}</Text>
        <Text size={200}>{text('restore.changes', { added: point.added, changed: point.changed, removed: point.removed })}</Text>
      </span>
      <Button icon={<CalendarRegular />} aria-expanded={isChoosing} onClick={onChoosing}>
        {text(isChoosing ? 'restore.hideTime' : 'restore.chooseTime')}
      </Button>
      {points.length > 1 && (
        <Button icon={<ArrowSwapRegular />} appearance="subtle" aria-expanded={isComparing} onClick={onComparing}>
          {text('restore.compare')}
        </Button>
      )}
      <Switch label={text('content.showDeleted')} checked={showsDeleted} onChange={(_event, { checked }) => onShowDeleted(checked)} />
    </div>
  );
}

/** Where a key leads to from a point of the list, newest first; undefined when it leads nowhere. */
function pointAfter(key: string, points: readonly RestorePoint[], current: number): RestorePoint | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: current + 1,
    ArrowDown: current + 1,
    ArrowRight: current - 1,
    ArrowUp: current - 1,
    Home: points.length - 1,
    End: 0,
  };
  const place = places[key];
  return place === undefined ? undefined : points[place];
}

function Line({ points, point, onPoint }: Pick<TimeLineProps, 'points' | 'point' | 'onPoint'>): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const days = useMemo(() => daysOf(points), [points]);
  const chosen = dayKey(new Date(point.at));
  const current = points.findIndex(({ sequence }) => sequence === point.sequence);
  const handleKey = (event: KeyboardEvent): void => {
    const next = pointAfter(event.key, points, current);
    if (next === undefined) return;
    event.preventDefault();
    onPoint(next);
  };
  const handlePointer = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.type === 'pointermove' && event.buttons !== 1) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = width === 0 ? 1 : (event.clientX - left) / width;
    const day = days[Math.max(0, Math.min(days.length - 1, Math.round(share * (days.length - 1))))];
    if (day !== undefined && day.key !== chosen) onPoint(day.point);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.line}
      aria-label={text('content.timeLine')}
      aria-valuemin={1}
      aria-valuemax={points.length}
      aria-valuenow={points.length - current}
      aria-valuetext={`${format.dateTime(point.at)}, ${text('restore.changes', { added: point.added, changed: point.changed, removed: point.removed })}`}
      onKeyDown={handleKey}
      onPointerDown={handlePointer}
      onPointerMove={handlePointer}
    >
      {days.map(({ key, isDefective }) => (
        <span key={key} className={mergeClasses(styles.mark, isDefective && styles.defective, key === chosen && styles.chosen)} />
      ))}
    </div>
  );
}
