import { makeStyles, tokens } from '@fluentui/react-components';
import type { Drawing, Ink, Shape } from '@holdfast/contract/paper';
import type { ReactElement } from 'react';

const INKS: Readonly<Record<Ink, string>> = {
  brand: tokens.colorBrandForeground1,
  success: tokens.colorPaletteGreenForeground1,
  warning: tokens.colorPaletteMarigoldForeground1,
  danger: tokens.colorPaletteRedForeground1,
  neutral: tokens.colorNeutralForeground3,
  text: tokens.colorNeutralForeground1,
  quiet: tokens.colorNeutralForeground2,
  grid: tokens.colorNeutralStroke2,
};

// A system that forces its colours leaves drawings alone: on its page only its own can be relied on.
const useStyles = makeStyles({
  frame: { overflowX: 'auto' },
  drawing: { minWidth: '520px', maxWidth: '800px', width: '100%', height: 'auto', fontFamily: tokens.fontFamilyBase },
  shape: { '@media (forced-colors: active)': { fill: 'CanvasText', stroke: 'CanvasText' } },
});

/** A drawing of the server, in the colours of the theme. Its figures are in the table beside it. */
export function DrawingView({ title, drawing }: { readonly title: string; readonly drawing: Drawing }): ReactElement {
  const styles = useStyles();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reached by keyboard
    <section className={styles.frame} tabIndex={0} aria-label={title}>
      <svg role="img" aria-label={title} className={styles.drawing} viewBox={`0 0 ${drawing.width} ${drawing.height}`}>
        {drawing.shapes.map((shape, at) => (
          // Shapes never move: a report does not change.
          <ShapeView key={at} shape={shape} className={styles.shape} />
        ))}
      </svg>
    </section>
  );
}

function ShapeView({ shape, className }: { readonly shape: Shape; readonly className: string }): ReactElement {
  const ink = INKS[shape.ink];
  if (shape.kind === 'line')
    return <line className={className} x1={shape.fromX} y1={shape.fromY} x2={shape.toX} y2={shape.toY} stroke={ink} />;
  if (shape.kind === 'rect')
    return <rect className={className} x={shape.x} y={shape.y} width={shape.width} height={shape.height} fill={ink} />;
  return (
    <text className={className} x={shape.x} y={shape.y} fontSize={shape.size} textAnchor={shape.anchor} fill={ink} strokeWidth={0}>
      {shape.text}
    </text>
  );
}
