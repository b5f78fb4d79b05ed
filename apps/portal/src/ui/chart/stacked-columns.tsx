import { drawColumns } from '@holdfast/paper/charts';
import { useId, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTheme } from '../theme-provider.tsx';
import { useWidth } from '../use-width.ts';
import type { ChartProps } from './chart-data.ts';
import { DrawingView } from './drawing-view.tsx';
import { SeriesLook } from './series-look.tsx';

/** As many labels as a narrow card has room for. */
const labels = 7;

/** Columns of stacked values: the drawing that reports and mails have, as wide as its card. */
export function StackedColumns({ title, series, points, format, unit }: ChartProps): ReactElement {
  const id = useId();
  const theme = useTheme().name;
  const room = useRef<HTMLDivElement>(null);
  const width = useWidth(room);
  const inks = series.map(({ name, colour }) => ({ name, ink: colour }));
  const axis = unit === undefined ? { format } : { format, unit };
  return (
    <div ref={room}>
      {width > 0 && (
        <SeriesLook id={id} theme={theme} series={series}>
          <DrawingView
            title={title}
            drawing={drawColumns(points, inks, axis, { width, height: 260, size: 12, labels, hasLegend: false })}
          />
        </SeriesLook>
      )}
    </div>
  );
}
