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

const LEGEND = 22;

/** The room that columns have, and how they are written in it. */
export interface Room {
  readonly width: number;
  readonly height: number;
  /** The size of the letters. */
  readonly size: number;
  /** At most as many labels below the columns. */
  readonly labels: number;
  /** A page has a legend of its own, with patterns. */
  readonly hasLegend: boolean;
}

/** A sheet of paper, and the width of a mail. */
const SHEET: Room = { width: 640, height: 190, size: 10, labels: 8, hasLegend: true };

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const round = (value: number): number => Math.round(value * 100) / 100;

interface Letters {
  readonly anchor: 'start' | 'middle' | 'end';
  readonly ink?: Ink;
  readonly size?: number;
}

function text([x, y]: readonly [number, number], words: string, { anchor, ink = 'text', size = SHEET.size }: Letters): Shape {
  return { kind: 'text', x: round(x), y: round(y), text: words, anchor, size, ink };
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
    const shapes: Shape[] = [{ kind: 'rect', x, y: y - 9, width: 10, height: 10, ink }, text([x + 15, y], name, { anchor: 'start' })];
    x = round(x + 35 + name.length * SHEET.size * 0.55);
    return shapes;
  });
}

/** Values on top of each other, each series with its own ink. */
function stack(
  values: readonly number[],
  series: readonly ChartSeries[],
  put: (from: number, value: number, of: ChartSeries) => Shape,
): Shape[] {
  let from = 0;
  return values.flatMap((value, at) => {
    const start = from;
    from += value;
    return value > 0 ? [put(start, value, series[at] ?? { name: '', ink: 'brand' })] : [];
  });
}

/** How an axis is written. */
export interface Axis {
  readonly format: (value: number) => string;
  /** What the numbers at the axis are multiples of: 1,073,741,824 for values that are written in GB. */
  readonly unit?: (most: number) => number;
}

const KILO = 1_024;

/** The bytes of the unit that a size is written in: of 3 GB those of one. */
export function byteUnit(bytes: number): number {
  return bytes < KILO ? 1 : KILO ** Math.min(5, Math.floor(Math.log2(bytes) / 10));
}

/** What of the axis has a number: its end, its middle and zero, but no half of things that are counted. */
function ticksOf(most: number, unit: number): readonly number[] {
  const isCount = unit === 1 && most < 10;
  return [0, 0.5, 1].map((part) => part * most).filter((value) => !isCount || Number.isInteger(value));
}

/** Columns of stacked values, with an axis from zero. */
export function drawColumns(
  columns: readonly ChartColumn[],
  series: readonly ChartSeries[],
  { format, unit = () => 1 }: Axis,
  { width, height, size, labels, hasLegend }: Room = SHEET,
): Drawing {
  const left = size * 6.4;
  const floor = height - (hasLegend ? LEGEND : 0) - size * 2;
  const top = size * 1.2;
  const highest = Math.max(0, ...columns.map(({ values }) => sum(values)));
  const most = roundUp(highest / unit(highest)) * unit(highest);
  const scale = (floor - top) / most;
  // Half of the last label reaches beyond its column.
  const step = (width - size * 1.5 - left) / Math.max(1, columns.length);
  const every = Math.ceil(columns.length / labels);
  const shapes: Shape[] = ticksOf(most, unit(highest)).flatMap((value): Shape[] => {
    const y = round(floor - value * scale);
    return [
      { kind: 'line', fromX: left, fromY: y, toX: width, toY: y, ink: 'grid' },
      text([left - 8, y + 3], format(value), { anchor: 'end', ink: 'quiet', size }),
    ];
  });
  for (const [at, { label, values }] of columns.entries()) {
    const x = left + at * step;
    shapes.push(
      ...stack(values, series, (from, value, { name, ink }) => ({
        kind: 'rect',
        x: round(x + step * 0.15),
        y: round(floor - (from + value) * scale),
        width: round(step * 0.7),
        height: round(value * scale),
        ink,
        hint: `${label}, ${name}: ${format(value)}`,
      })),
    );
    if ((columns.length - 1 - at) % every === 0)
      shapes.push(text([x + step / 2, floor + size * 1.5], label, { anchor: 'middle', ink: 'quiet', size }));
  }
  return { width, height, shapes: hasLegend ? [...shapes, ...legend(series, height - 4)] : shapes };
}

/** Bars below each other, the longest over the whole width. */
export function drawBars(rows: readonly BarRow[], series: readonly ChartSeries[]): Drawing {
  const line = 22;
  const left = 200;
  const right = SHEET.width - 90;
  const most = Math.max(1, ...rows.map(({ values }) => sum(values)));
  const scale = (right - left) / most;
  const shapes = rows.flatMap(({ label, shown, values }, at) => {
    const y = at * line;
    const cut = label.length > 34 ? `${label.slice(0, 33)}…` : label;
    const bars = stack(values, series, (from, value, { ink }): Shape => ({
      kind: 'rect',
      x: round(left + from * scale),
      y: y + 4,
      width: round(value * scale),
      height: 13,
      ink,
    }));
    return [
      text([left - 8, y + 14], cut, { anchor: 'end' }),
      ...bars,
      text([left + sum(values) * scale + 6, y + 14], shown, { anchor: 'start', ink: 'quiet' }),
    ];
  });
  const named = series.length > 1 ? legend(series, rows.length * line + 18) : [];
  return { width: SHEET.width, height: rows.length * line + (named.length > 0 ? LEGEND + 4 : 4), shapes: [...shapes, ...named] };
}
