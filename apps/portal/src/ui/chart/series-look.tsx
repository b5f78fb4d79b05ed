import { makeStyles, tokens } from '@fluentui/react-components';
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import type { ThemeName } from '../theme.ts';
import type { ChartSeries } from './chart-data.ts';

export type SeriesColour = ChartSeries['colour'];
type Colours = Readonly<Record<SeriesColour, string>>;

const palette: Colours = {
  success: tokens.colorPaletteGreenForeground1,
  warning: tokens.colorPaletteMarigoldForeground1,
  danger: tokens.colorPaletteRedForeground1,
  brand: tokens.colorBrandForeground1,
  neutral: tokens.colorNeutralForeground3,
};

/** In high contrast the palette is white throughout: what tells the series apart there are the colours of its states. */
const highContrastPalette: Colours = {
  success: tokens.colorNeutralForegroundDisabled,
  warning: tokens.colorBrandForegroundLink,
  danger: tokens.colorNeutralForeground1,
  brand: tokens.colorCompoundBrandStroke,
  neutral: tokens.colorCompoundBrandStroke,
};

const side = 6;

/** What is drawn over the colour, so that nobody has to tell colours apart: nothing, stripes, a net, lines. */
const marks: Readonly<Record<SeriesColour, ReactElement | null>> = {
  success: null,
  warning: <path d="M-1 1 1 -1M0 6 6 0M5 7 7 5" strokeWidth={1.5} />,
  danger: <path d="M0 0 6 6M0 6 6 0" />,
  brand: null,
  neutral: <path d="M0 2H6M0 5H6" strokeWidth={1.5} />,
};

/** A system that forces its colours leaves those of drawings alone: on its page only its own can be relied on. */
const forced = '@media (forced-colors: active)';

const useStyles = makeStyles({
  unseen: { position: 'absolute' },
  drawings: {
    '& svg': {
      '--fill-success': 'var(--pattern-success)',
      '--fill-warning': 'var(--pattern-warning)',
      '--fill-danger': 'var(--pattern-danger)',
      '--fill-brand': 'var(--pattern-brand)',
      '--fill-neutral': 'var(--pattern-neutral)',
    },
  },
  mark: { stroke: tokens.colorNeutralBackground1, [forced]: { stroke: 'Canvas' } },
  ground: { fill: 'currentcolor', [forced]: { fill: 'CanvasText' } },
  legend: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`,
    margin: 0,
    padding: 0,
    listStyleType: 'none',
  },
  entry: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, fontSize: tokens.fontSizeBase200 },
});

/** Whether an ink is that of a series; letters and lines have others. */
export function isSeriesColour(ink: string): ink is SeriesColour {
  return ink in palette;
}

/** What fills the columns of a series: its pattern inside `SeriesLook`, its colour elsewhere. */
export function fillOf(colour: SeriesColour, theme: ThemeName): string {
  return `var(--fill-${colour}, ${coloursOf(theme)[colour]})`;
}

function coloursOf(theme: ThemeName): Colours {
  return theme === 'highContrast' ? highContrastPalette : palette;
}

export interface SeriesLookProps {
  /** What the names of the patterns begin with: two charts of a page have their own. */
  readonly id: string;
  readonly theme: ThemeName;
  readonly series: readonly ChartSeries[];
  readonly children: ReactNode;
}

/** Gives each series of the drawings within a pattern beside its colour, and says below them which is which. */
export function SeriesLook({ id, theme, series, children }: SeriesLookProps): ReactElement {
  const styles = useStyles();
  const patterns = Object.fromEntries(series.map(({ colour }) => [`--pattern-${colour}`, `url(#${id}-${colour})`])) as CSSProperties;
  return (
    <div className={styles.drawings} style={patterns}>
      <svg width="0" height="0" className={styles.unseen} aria-hidden>
        <defs>
          {series.map(({ colour }) => (
            <pattern
              key={colour}
              id={`${id}-${colour}`}
              width={side}
              height={side}
              patternUnits="userSpaceOnUse"
              color={coloursOf(theme)[colour]}
            >
              <rect width={side} height={side} className={styles.ground} />
              <g className={styles.mark}>{marks[colour]}</g>
            </pattern>
          ))}
        </defs>
      </svg>
      {children}
      <ul className={styles.legend}>
        {series.map((one) => (
          <li key={one.name} className={styles.entry}>
            <svg width="18" height="12" aria-hidden>
              <rect width="18" height="12" fill={fillOf(one.colour, theme)} />
            </svg>
            {one.name}
          </li>
        ))}
      </ul>
    </div>
  );
}
