import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactElement } from 'react';

const forced = '@media (forced-colors: active)';

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    columnGap: '2px',
    height: '16px',
    borderRadius: tokens.borderRadiusMedium,
    overflow: 'hidden',
    backgroundColor: tokens.colorNeutralBackground4,
  },
  legend: { display: 'grid', rowGap: tokens.spacingVerticalXS, margin: 0, padding: 0, listStyleType: 'none' },
  entry: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalS },
  name: { flexGrow: 1 },
  value: { fontVariantNumeric: 'tabular-nums' },
  mark: { width: '12px', height: '12px', borderRadius: tokens.borderRadiusSmall, flexShrink: 0 },
  // Forced colours keep no palette: a border tells the parts apart, and the words beside them say which is which.
  success: { backgroundColor: tokens.colorPaletteGreenForeground1, [forced]: { backgroundColor: 'CanvasText' } },
  warning: { backgroundColor: tokens.colorPaletteMarigoldForeground1, [forced]: { backgroundColor: 'GrayText' } },
  danger: { backgroundColor: tokens.colorPaletteRedForeground1, [forced]: { backgroundColor: 'Highlight' } },
});

export interface Share {
  readonly name: string;
  readonly value: number;
  readonly words: string;
  readonly colour: 'success' | 'warning' | 'danger';
}

/** A bar that shows the parts of a whole, with each part in words and figures below it. */
export function ShareBar({ shares }: { readonly shares: readonly Share[] }): ReactElement {
  const styles = useStyles();
  return (
    <>
      <div className={styles.bar} aria-hidden>
        {shares
          .filter(({ value }) => value > 0)
          .map(({ name, value, colour }) => (
            <div key={name} className={styles[colour]} style={{ flexGrow: value }} />
          ))}
      </div>
      <ul className={styles.legend}>
        {shares.map(({ name, words, colour }) => (
          <li key={name} className={styles.entry}>
            <span className={mergeClasses(styles.mark, styles[colour])} aria-hidden />
            <span className={styles.name}>{name}</span>
            <span className={styles.value}>{words}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
