import type { Drawing, Shape } from '@holdfast/contract/paper';

/** One area of a map: as large as its value. */
export interface MapArea {
  readonly label: string;
  /** The value in words. */
  readonly shown: string;
  readonly value: number;
  /** The part of the value that a strip at the foot marks, from 0 to 1. */
  readonly marked: number;
}

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface MapRoom {
  readonly width: number;
  readonly height: number;
  /** The size of the letters. */
  readonly size: number;
}

const GAP = 2;
const STRIP = 5;
const round = (value: number): number => Math.round(value * 100) / 100;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** How far the longest area of a row is from a square. */
function worst(row: readonly number[], side: number): number {
  const total = sum(row);
  const depth = total / side;
  return Math.max(...row.map((area) => Math.max(depth / (area / depth), area / depth / depth)));
}

/** Lays a row along the shorter side; answers its frames and what is left. */
function layRow(row: readonly number[], rest: Frame): { frames: Frame[]; left: Frame } {
  const isUpright = rest.width >= rest.height;
  const side = isUpright ? rest.height : rest.width;
  const depth = sum(row) / side;
  let at = 0;
  const frames = row.map((area): Frame => {
    const length = area / depth;
    const frame = isUpright
      ? { x: rest.x, y: rest.y + at, width: depth, height: length }
      : { x: rest.x + at, y: rest.y, width: length, height: depth };
    at += length;
    return frame;
  });
  const left = isUpright
    ? { ...rest, x: rest.x + depth, width: rest.width - depth }
    : { ...rest, y: rest.y + depth, height: rest.height - depth };
  return { frames, left };
}

/** Divides a frame among areas, the largest first, each as near to a square as it can be. */
export function divide(values: readonly number[], frame: Frame): Frame[] {
  const scale = (frame.width * frame.height) / sum(values);
  const areas = values.map((value) => value * scale);
  const found: Frame[] = [];
  let rest = frame;
  let row: number[] = [];
  for (const area of areas) {
    const side = Math.min(rest.width, rest.height);
    if (row.length > 0 && worst([...row, area], side) > worst(row, side)) {
      const { frames, left } = layRow(row, rest);
      found.push(...frames);
      rest = left;
      row = [];
    }
    row.push(area);
  }
  return row.length === 0 ? found : [...found, ...layRow(row, rest).frames];
}

/** The words in an area, as far as they fit. */
function words({ label, shown }: MapArea, { x, y, width, height }: Frame, size: number): Shape[] {
  const room = Math.floor((width - 12) / (size * 0.58));
  const line = (text: string, at: number, ink: 'text' | 'quiet'): Shape => {
    const cut = text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text;
    return { kind: 'text', x: round(x + 6), y: round(y + size * at), text: cut, anchor: 'start', size, ink };
  };
  if (room < 4 || height < size * 1.9 + STRIP) return [];
  return [line(label, 1.4, 'text'), ...(height < size * 3.2 + STRIP || room < shown.length ? [] : [line(shown, 2.7, 'quiet')])];
}

/** A map of areas, the largest first: the size of each is its value, and the strip at its foot the part that is marked. */
export function drawTreemap(areas: readonly MapArea[], { width, height, size }: MapRoom): Drawing {
  const seen = areas.filter(({ value }) => value > 0).toSorted((left, right) => right.value - left.value);
  const frames = divide(
    seen.map(({ value }) => value),
    { x: 0, y: 0, width, height },
  );
  const shapes = seen.flatMap((area, place): Shape[] => {
    const frame = frames[place] ?? { x: 0, y: 0, width: 0, height: 0 };
    const x = round(frame.x);
    const inner = { x, y: round(frame.y), width: round(Math.max(0, frame.width - GAP)), height: round(Math.max(0, frame.height - GAP)) };
    const hint = `${area.label}: ${area.shown}`;
    const strip = Math.min(STRIP, inner.height);
    return [
      { kind: 'rect', ...inner, ink: 'grid', hint },
      ...(area.marked > 0
        ? [
            {
              kind: 'rect',
              x,
              y: round(inner.y + inner.height - strip),
              width: round(inner.width * area.marked),
              height: strip,
              ink: 'brand',
              hint,
            } as const,
          ]
        : []),
      ...words(area, frame, size),
    ];
  });
  return { width, height, shapes };
}
