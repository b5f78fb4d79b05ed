import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactElement, ReactNode } from 'react';

const radius = 42;
const round = 2 * Math.PI * radius;

const useStyles = makeStyles({
  root: { position: 'relative', width: '148px', height: '148px', flexShrink: 0 },
  drawing: { width: '100%', height: '100%', transform: 'rotate(-90deg)' },
  ground: { stroke: tokens.colorNeutralStroke2 },
  middle: {
    position: 'absolute',
    inset: 0,
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    textAlign: 'center',
  },
});

export interface RingPart {
  readonly name: string;
  readonly value: number;
  readonly colour: string;
}

/** A ring that shows the parts of a whole. The same figures are given in words beside it and in its middle. */
export function Ring({ parts, children }: { readonly parts: readonly RingPart[]; readonly children: ReactNode }): ReactElement {
  const styles = useStyles();
  const shown = parts.filter(({ value }) => value > 0);
  const whole = shown.reduce((sum, { value }) => sum + value, 0);
  const before = (at: number): number => shown.slice(0, at).reduce((sum, { value }) => sum + value, 0);
  // A gap of this size tells neighbours apart also where colours are few.
  const gap = shown.length > 1 ? 1.5 : 0;
  return (
    <div className={styles.root}>
      <svg viewBox="0 0 100 100" className={styles.drawing} aria-hidden>
        <circle cx="50" cy="50" r={radius} fill="none" strokeWidth="12" className={styles.ground} />
        {shown.map(({ name, value, colour }, at) => {
          const length = (value / whole) * round;
          return (
            <circle
              key={name}
              cx="50"
              cy="50"
              r={radius}
              fill="none"
              strokeWidth="12"
              strokeDasharray={`${Math.max(length - gap, 0.5)} ${round}`}
              strokeDashoffset={-(before(at) / whole) * round}
              style={{ stroke: colour }}
            />
          );
        })}
      </svg>
      <div className={styles.middle}>{children}</div>
    </div>
  );
}
