import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { DayState } from '@holdfast/contract/people';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../i18n/use-text.ts';

const forced = '@media (forced-colors: active)';

const useStyles = makeStyles({
  row: { display: 'flex', columnGap: '3px', flexGrow: 1, minWidth: 0 },
  mark: {
    flexGrow: 1,
    flexBasis: 0,
    minWidth: '2px',
    height: '18px',
    borderRadius: tokens.borderRadiusSmall,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    overflow: 'hidden',
    fontSize: '10px',
    lineHeight: '10px',
    fontWeight: tokens.fontWeightBold,
    color: tokens.colorNeutralBackground1,
    [forced]: { border: '1px solid CanvasText', color: 'CanvasText' },
  },
  none: { backgroundColor: tokens.colorNeutralStroke2 },
  safe: { backgroundColor: tokens.colorPaletteGreenForeground3 },
  errors: { backgroundColor: tokens.colorPaletteMarigoldForeground3 },
  failed: { backgroundColor: tokens.colorPaletteRedForeground3 },
  legend: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: tokens.spacingHorizontalL,
    rowGap: tokens.spacingVerticalXS,
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    fontSize: tokens.fontSizeBase200,
  },
  entry: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalXS },
  sample: { flexGrow: 0, flexBasis: '14px', height: '14px', minWidth: '14px' },
});

const states = ['safe', 'errors', 'failed', 'none'] as const satisfies readonly DayState[];
/** A day is known by its shape also without its colour. */
const signs: Readonly<Record<DayState, string>> = { none: '', safe: '', errors: '!', failed: '×' };

export interface DayMarksProps {
  readonly dates: readonly string[];
  readonly days: readonly DayState[];
}

/** Days beside each other, each in the colour of how it ended; in words it says how many of each there were. */
export function DayMarks({ dates, days }: DayMarksProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const counts = states
    .map((state) => ({ state, count: days.filter((day) => day === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => text('people.daysOf', { state: text(`people.day.${state}`), count: format.count(count) }));
  return (
    <span className={styles.row} role="img" aria-label={counts.join(', ')}>
      {days.map((day, at) => (
        <span
          key={dates[at] ?? at}
          className={mergeClasses(styles.mark, styles[day])}
          title={`${format.calendarDay(dates[at] ?? '')}: ${text(`people.day.${day}`)}`}
        >
          {signs[day]}
        </span>
      ))}
    </span>
  );
}

/** What the colours and signs of days mean. */
export function DayLegend(): ReactElement {
  const text = useText();
  const styles = useStyles();
  return (
    <ul className={styles.legend}>
      {states.map((state) => (
        <li key={state} className={styles.entry}>
          <span className={mergeClasses(styles.mark, styles.sample, styles[state])} aria-hidden>
            {signs[state]}
          </span>
          {text(`people.day.${state}`)}
        </li>
      ))}
    </ul>
  );
}
