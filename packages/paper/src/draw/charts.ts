import type { Drawing, Ink, Shape } from '@holdfast/contract/paper';

/** What the values of a chart are called and how they are coloured. */
export interface ChartSeries {
  readonly name: string;
  readonly ink: Ink;
}

/** One column of stacked values, one for each series. */
export interface ChartColumn {
  readonly label: string;
  readonly values: readonly number[];
}

/** One bar of stacked values with its name and what is written behind it. */
export interface BarRow {
  readonly label: string;
  readonly shown: string;
  readonly values: readonly number[];
}

const WIDTH = 640;
const SIZE = 10;
const LEGEND = 22;
const LABELS = 8;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const round = (value: number): number => Math.round(value * 100) / 100;

function text([x, y]: readonly [number, number], words: string, anchor: 'start' | 'middle' | 'end', ink: Ink = 'text'): Shape {
  return { kind: 'text', x: round(x), y: round(y), text: words, anchor, size: SIZE, ink };
}

/** The next round number at or above: 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

function legend(series: readonly ChartSeries[], y: number): Shape[] {
  let x = 0;
  return series.flatMap(({ name, ink }) => {
    const shapes: Shape[] = [{ kind: 'rect', x, y: y - 9, width: 10, height: 10, ink }, text([x + 15, y], name, 'start')];
    x = round(x + 35 + name.length * SIZE * 0.55);
    return shapes;
  });
}

/** Values on top of each other, each series with its own ink. */
function stack(values: readonly number[], series: readonly ChartSeries[], put: (from: number, value: number, ink: Ink) => Shape): Shape[] {
  let from = 0;
  return values.flatMap((value, at) => {
    const start = from;
    from += value;
    return value > 0 ? [put(start, value, series[at]?.ink ?? 'brand')] : [];
  });
}

/** How an axis is written. */
export interface Axis {
  readonly format: (value: number) => string;
  /** What the numbers at the axis are multiples of: 1,073,741,824 for values that are written in GB. */
  readonly unit?: (most: number) => number;
}

/** Columns over a time line, with an axis from zero. */
export function drawColumns(columns: readonly ChartColumn[], series: readonly ChartSeries[], { format, unit = () => 1 }: Axis): Drawing {
  const left = 64;
  const height = 190;
  const floor = height - LEGEND - 20;
  const top = 12;
  const highest = Math.max(0, ...columns.map(({ values }) => sum(values)));
  const most = roundUp(highest / unit(highest)) * unit(highest);
  const scale = (floor - top) / most;
  const step = (WIDTH - left) / Math.max(1, columns.length);
  const every = Math.ceil(columns.length / LABELS);
  const shapes: Shape[] = [0, 0.5, 1].flatMap((part): Shape[] => {
    const y = round(floor - part * most * scale);
    return [
      { kind: 'line', fromX: left, fromY: y, toX: WIDTH, toY: y, ink: 'grid' },
      text([left - 8, y + 3], format(part * most), 'end', 'quiet'),
    ];
  });
  for (const [at, { label, values }] of columns.entries()) {
    const x = left + at * step;
    shapes.push(
      ...stack(values, series, (from, value, ink) => ({
        kind: 'rect',
        x: round(x + step * 0.15),
        y: round(floor - (from + value) * scale),
        width: round(step * 0.7),
        height: round(value * scale),
        ink,
      })),
    );
    if ((columns.length - 1 - at) % every === 0) shapes.push(text([x + step / 2, floor + 15], label, 'middle', 'quiet'));
  }
  return { width: WIDTH, height, shapes: [...shapes, ...legend(series, height - 4)] };
}

/** Bars below each other, the longest over the whole width. */
export function drawBars(rows: readonly BarRow[], series: readonly ChartSeries[]): Drawing {
  const line = 22;
  const left = 200;
  const right = WIDTH - 90;
  const most = Math.max(1, ...rows.map(({ values }) => sum(values)));
  const scale = (right - left) / most;
  const shapes = rows.flatMap(({ label, shown, values }, at) => {
    const y = at * line;
    const cut = label.length > 34 ? `${label.slice(0, 33)}…` : label;
    const bars = stack(values, series, (from, value, ink): Shape => ({
      kind: 'rect',
      x: round(left + from * scale),
      y: y + 4,
      width: round(value * scale),
      height: 13,
      ink,
    }));
    return [text([left - 8, y + 14], cut, 'end'), ...bars, text([left + sum(values) * scale + 6, y + 14], shown, 'start', 'quiet')];
  });
  const named = series.length > 1 ? legend(series, rows.length * line + 18) : [];
  return { width: WIDTH, height: rows.length * line + (named.length > 0 ? LEGEND + 4 : 4), shapes: [...shapes, ...named] };
}
