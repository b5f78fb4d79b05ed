import { VerticalStackedBarChart } from '@fluentui/react-charts';
import { useId, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTheme } from '../theme-provider.tsx';
import { useWidth } from '../use-width.ts';
import type { ChartProps } from './chart-data.ts';
import { fillOf, SeriesLook } from './series-look.tsx';

/** As many as a narrow card has room for. */
const labels = 7;

/** Room for the widest label of the axis: “999.9 MB” is cut off by the library's own margin. */
const margins = { left: 72, right: 16, top: 16, bottom: 36 };

/** Between two columns, as a share of a day: the library's own leaves a pattern no room. */
const columnGap = 0.3;

/** Labels at even steps that end with the last one; the library's own leave out what happens to have no room. */
function ticksOf(points: ChartProps['points']): string[] {
  const step = Math.ceil(points.length / labels);
  return points.filter((_point, at) => (points.length - 1 - at) % step === 0).map((point) => point.label);
}

/** Columns of stacked values, axes from zero. Only this file knows the chart library. */
export function StackedColumns({ title, series, points, format }: ChartProps): ReactElement {
  const id = useId();
  const theme = useTheme().name;
  const room = useRef<HTMLDivElement>(null);
  const width = useWidth(room);
  const data = points.map((point) => ({
    xAxisPoint: point.label,
    chartData: series.map((one, at) => ({
      legend: one.name,
      data: point.values[at] ?? 0,
      color: fillOf(one, theme),
      yAxisCalloutData: format(point.values[at] ?? 0),
    })),
  }));
  return (
    <div ref={room}>
      {width > 0 && (
        <SeriesLook id={id} theme={theme} series={series}>
          {/* The library's own legend knows colours only; it and the sums over the columns have names in English. */}
          <VerticalStackedBarChart
            chartTitle={title}
            data={data}
            width={width}
            height={260}
            margins={margins}
            tickValues={ticksOf(points)}
            hideTickOverlap
            yAxisTickCount={4}
            yAxisTickFormat={(value: number) => format(value)}
            rotateXAxisLables={false}
            noOfCharsToTruncate={8}
            showXAxisLablesTooltip
            xAxisInnerPadding={columnGap}
            barGapMax={2}
            hideLegend
            hideLabels
          />
        </SeriesLook>
      )}
    </div>
  );
}
