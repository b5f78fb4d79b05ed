/** What a chart shows, whatever draws it. */
export interface ChartSeries {
  readonly name: string;
  readonly colour: 'success' | 'warning' | 'danger' | 'brand' | 'neutral';
}

export interface ChartPoint {
  readonly label: string;
  /** One value for each series. */
  readonly values: readonly number[];
}

export interface ChartProps {
  /** The one message of the chart. */
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly points: readonly ChartPoint[];
  /** What the points are, over their names in the table; days unless given. */
  readonly pointTitle?: string;
  readonly format: (value: number) => string;
  /** What the numbers at the axis are multiples of; ones unless given. */
  readonly unit?: (most: number) => number;
}
