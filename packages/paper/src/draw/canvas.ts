export type Point = readonly [x: number, y: number];
/** Closed outlines that are filled together: where two of opposite direction overlap, there is a hole. */
export type Outlines = readonly (readonly Point[])[];

/** A picture of pixels, white at first. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly pixels: Uint8Array;
  /** Fills outlines with a colour (`#rrggbb`); their edges are smooth. */
  fill(outlines: Outlines, colour: string): void;
}

/** Lines of samples within each row of pixels. */
const SAMPLES = 4;

interface Crossing {
  readonly x: number;
  readonly turn: 1 | -1;
}

/** Where the outlines cross a horizontal line, from left to right. */
function crossingsAt(outlines: Outlines, y: number): Crossing[] {
  const found: Crossing[] = [];
  for (const outline of outlines)
    for (const [at, [x, top]] of outline.entries()) {
      const [toX, toY] = outline[(at + 1) % outline.length] ?? [x, top];
      if (top <= y === toY <= y) continue;
      found.push({ x: x + ((y - top) / (toY - top)) * (toX - x), turn: toY > top ? 1 : -1 });
    }
  return found.sort((a, b) => a.x - b.x);
}

/** Adds how much of each pixel of a row lies between two points of it. */
function cover(row: Float64Array, from: number, to: number): void {
  const first = Math.max(0, from);
  const last = Math.min(row.length, to);
  for (let x = Math.floor(first); x < last; x += 1) row[x] = (row[x] ?? 0) + (Math.min(last, x + 1) - Math.max(first, x)) / SAMPLES;
}

function coverRow(row: Float64Array, outlines: Outlines, y: number): void {
  row.fill(0);
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    let winding = 0;
    let from = 0;
    for (const { x, turn } of crossingsAt(outlines, y + (sample + 0.5) / SAMPLES)) {
      if (winding !== 0) cover(row, from, x);
      winding += turn;
      from = x;
    }
  }
}

export function createCanvas(width: number, height: number): Canvas {
  const pixels = new Uint8Array(width * height * 3).fill(255);
  const row = new Float64Array(width);

  function paint(y: number, colour: readonly number[]): void {
    for (const [x, part] of row.entries()) {
      if (part === 0) continue;
      for (const [at, value] of colour.entries()) {
        const place = (y * width + x) * 3 + at;
        const before = pixels[place] ?? 255;
        pixels[place] = Math.round(before + (value - before) * Math.min(1, part));
      }
    }
  }

  return Object.freeze<Canvas>({
    width,
    height,
    pixels,
    fill(outlines, colour) {
      const heights = outlines.flat().map(([, y]) => y);
      const top = Math.max(0, Math.floor(Math.min(...heights)));
      const bottom = Math.min(height, Math.ceil(Math.max(...heights)));
      const shades = [...Buffer.from(colour.slice(1), 'hex')];
      for (let y = top; y < bottom; y += 1) {
        coverRow(row, outlines, y);
        paint(y, shades);
      }
    },
  });
}
