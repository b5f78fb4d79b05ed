import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { Drawing, Ink, Shape } from '@holdfast/contract/paper';
import type { ReactElement } from 'react';
import { useTheme } from '../theme-provider.tsx';
import { fillOf, isSeriesColour } from './series-look.tsx';

const LETTERS: Readonly<Partial<Record<Ink, string>>> = {
  text: tokens.colorNeutralForeground1,
  quiet: tokens.colorNeutralForeground2,
  grid: tokens.colorNeutralStroke2,
};

// A system that forces its colours leaves drawings alone: on its page only its own can be relied on.
const forced = '@media (forced-colors: active)';
const useStyles = makeStyles({
  drawing: { display: 'block', height: 'auto', fontFamily: tokens.fontFamilyBase },
  letters: { [forced]: { fill: 'CanvasText', stroke: 'none' } },
  line: { [forced]: { stroke: 'CanvasText' } },
});

export interface DrawingViewProps {
  readonly title: string;
  readonly drawing: Drawing;
  readonly className?: string;
}

/** A drawing in the colours of the theme, whoever drew it. Its figures are in the table beside it. */
export function DrawingView({ title, drawing: { width, height, shapes }, className }: DrawingViewProps): ReactElement {
  const styles = useStyles();
  return (
    <svg role="img" aria-label={title} className={mergeClasses(styles.drawing, className)} viewBox={`0 0 ${width} ${height}`}>
      {shapes.map((shape, at) => (
        // A shape is known by nothing but its place.
        <ShapeView key={at} shape={shape} />
      ))}
    </svg>
  );
}

function ShapeView({ shape }: { readonly shape: Shape }): ReactElement {
  const styles = useStyles();
  const theme = useTheme().name;
  const { ink } = shape;
  const colour = LETTERS[ink];
  if (shape.kind === 'line')
    return <line className={styles.line} x1={shape.fromX} y1={shape.fromY} x2={shape.toX} y2={shape.toY} stroke={colour} />;
  if (shape.kind === 'rect') {
    const { x, y, width, height, hint } = shape;
    return (
      <rect x={x} y={y} width={width} height={height} fill={isSeriesColour(ink) ? fillOf(ink, theme) : colour}>
        {hint !== undefined && <title>{hint}</title>}
      </rect>
    );
  }
  return (
    <text className={styles.letters} x={shape.x} y={shape.y} fontSize={shape.size} textAnchor={shape.anchor} fill={colour}>
      {shape.text}
    </text>
  );
}
