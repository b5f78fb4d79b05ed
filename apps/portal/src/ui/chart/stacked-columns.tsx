import { VerticalStackedBarChart } from '@fluentui/react-charts';
import { tokens } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { useTheme } from '../theme-provider.tsx';
import type { ChartProps, ChartSeries } from './chart-data.ts';

type Colours = Readonly<Record<ChartSeries['colour'], string>>;

const colours: Colours = {
  success: tokens.colorPaletteGreenForeground1,
  warning: tokens.colorPaletteMarigoldForeground1,
  danger: tokens.colorPaletteRedForeground1,
  brand: tokens.colorBrandForeground1,
  neutral: tokens.colorNeutralForeground3,
};

/** In high contrast the palette is white throughout: what tells the series apart there are the colours of its states. */
const highContrastColours: Colours = {
  success: tokens.colorNeutralForegroundDisabled,
  warning: tokens.colorBrandForegroundLink,
  danger: tokens.colorNeutralForeground1,
  brand: tokens.colorCompoundBrandStroke,
  neutral: tokens.colorCompoundBrandStroke,
};

/** Room for the widest label of the axis: “999.9 MB” is cut off by the library's own margin. */
const margins = { left: 72, right: 16, top: 16, bottom: 36 };

/** Columns of stacked values, axes from zero. Only this file knows the chart library. */
export function StackedColumns({ title, series, points, format }: ChartProps): ReactElement {
  const text = useText();
  const shown = useTheme().name === 'highContrast' ? highContrastColours : colours;
  const data = points.map((point) => ({
    xAxisPoint: point.label,
    chartData: series.map((one, at) => ({
      legend: one.name,
      data: point.values[at] ?? 0,
      color: shown[one.colour],
      yAxisCalloutData: format(point.values[at] ?? 0),
    })),
  }));
  return (
    <VerticalStackedBarChart
      chartTitle={title}
      data={data}
      height={260}
      margins={margins}
      hideTickOverlap
      yAxisTickCount={4}
      yAxisTickFormat={(value: number) => format(value)}
      rotateXAxisLables={false}
      noOfCharsToTruncate={6}
      showXAxisLablesTooltip
      legendProps={{ allowFocusOnLegends: true, overflowText: text('kit.moreSeries') }}
    />
  );
}
