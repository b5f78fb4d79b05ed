import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { ReactElement, ReactNode } from 'react';

const forced = '@media (forced-colors: active)';

const useStyles = makeStyles({
  // As many columns as there is room for, read from top to bottom: ten bars need not push what follows out of sight.
  list: { columnWidth: '360px', columnGap: tokens.spacingHorizontalXXL, margin: 0, padding: 0, listStyleType: 'none' },
  entry: { breakInside: 'avoid', paddingBottom: tokens.spacingVerticalM },
  words: { display: 'flex', justifyContent: 'space-between', columnGap: tokens.spacingHorizontalM },
  name: { minWidth: 0, overflowWrap: 'anywhere' },
  value: { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' },
  track: {
    height: '6px',
    marginTop: tokens.spacingVerticalXXS,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground4,
    overflow: 'hidden',
  },
  bar: {
    height: '100%',
    minWidth: '2px',
    backgroundColor: tokens.colorCompoundBrandBackground,
    [forced]: { backgroundColor: 'CanvasText' },
  },
  hint: { color: tokens.colorNeutralForeground2 },
});

/** One of several things that are compared by a number. */
export interface RankedBar {
  readonly id: string;
  readonly name: ReactNode;
  readonly value: number;
  /** The value as it is read. */
  readonly words: string;
  /** What else is known of it. */
  readonly hint?: string;
}

/** The largest of several things, each with a bar as long as its part of the first. */
export function RankedBars({ label, bars }: { readonly label: string; readonly bars: readonly RankedBar[] }): ReactElement {
  const styles = useStyles();
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ol className={styles.list} aria-label={label}>
      {bars.map(({ id, name, value, words, hint }) => (
        <li key={id} className={styles.entry}>
          <div className={styles.words}>
            <span className={styles.name}>{name}</span>
            <span className={styles.value}>{words}</span>
          </div>
          <div className={styles.track} aria-hidden>
            <div className={styles.bar} style={{ width: `${(value / most) * 100}%` }} />
          </div>
          {hint !== undefined && (
            <Text size={200} className={styles.hint}>
              {hint}
            </Text>
          )}
        </li>
      ))}
    </ol>
  );
}
