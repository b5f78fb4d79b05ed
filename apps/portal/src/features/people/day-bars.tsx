import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import type { ProtectableDay } from '@holdfast/contract/people';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';

const tall = 56;

const useStyles = makeStyles({
  row: { display: 'flex', alignItems: 'end', columnGap: '3px', height: `${tall}px`, margin: 0, padding: 0, listStyleType: 'none' },
  day: { flexGrow: 1, flexBasis: 0, minWidth: '2px', borderRadius: tokens.borderRadiusSmall },
  none: { backgroundColor: tokens.colorNeutralStroke2 },
  safe: { backgroundColor: tokens.colorPaletteGreenForeground3 },
  errors: { backgroundColor: tokens.colorPaletteMarigoldForeground3 },
  failed: { backgroundColor: tokens.colorPaletteRedForeground3 },
  ends: { display: 'flex', justifyContent: 'space-between', columnGap: tokens.spacingHorizontalM, color: tokens.colorNeutralForeground2 },
});

/** The last days of somebody: each as tall as what changed, in the colour of how it ended. */
export function DayBars({ days }: { readonly days: readonly ProtectableDay[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const changesOf = ({ added, changed, removed }: ProtectableDay): number => added + changed + removed;
  const most = Math.max(1, ...days.map(changesOf));
  // By its logarithm: the first backup of everything would leave nothing to see of the days after it.
  const heightOf = (day: ProtectableDay): number =>
    day.state === 'none' ? 4 : 8 + (Math.log1p(changesOf(day)) / Math.log1p(most)) * (tall - 8);
  const wordsOf = (day: ProtectableDay): string =>
    text('people.dayChanges', {
      date: format.calendarDay(day.date),
      state: text(`people.day.${day.state}`),
      added: format.count(day.added),
      changed: format.count(day.changed),
      removed: format.count(day.removed),
    });
  const told = days.filter((day) => day.state !== 'none').map(wordsOf);
  return (
    <>
      <div className={styles.row} role="img" aria-label={told.length === 0 ? text('people.notKept') : told.join('; ')}>
        {days.map((day) => (
          <span
            key={day.date}
            className={mergeClasses(styles.day, styles[day.state])}
            style={{ height: `${heightOf(day)}px` }}
            title={wordsOf(day)}
          />
        ))}
      </div>
      <Text size={200} className={styles.ends}>
        <span>{format.calendarDay(days[0]?.date ?? '')}</span>
        <span>{text('people.stripNote')}</span>
        <span>{text('people.today')}</span>
      </Text>
    </>
  );
}
