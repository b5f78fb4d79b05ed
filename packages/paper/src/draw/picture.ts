import type { Drawing, Shape } from '@holdfast/contract/paper';
import { create, type Font, type PathCommand } from 'fontkit';
import { loadFonts, type PaperFonts } from './fonts.ts';
import { createCanvas, type Outlines, type Point } from './canvas.ts';
import { pngOf } from './png.ts';
import { SHADES } from './shades.ts';

/** Pixels for each unit of a drawing: sharp on screens of twice the usual density. */
const SCALE = 2;
/** Straight pieces of a curve. */
const PIECES = 6;

const between = (a: number, b: number, part: number): number => a + (b - a) * part;

/** A curve with one control point, as TrueType has them, in straight pieces. */
function curve([x, y]: Point, [byX = 0, byY = 0, toX = 0, toY = 0]: readonly number[]): Point[] {
  return Array.from({ length: PIECES }, (_, at): Point => {
    const part = (at + 1) / PIECES;
    return [between(between(x, byX, part), between(byX, toX, part), part), between(between(y, byY, part), between(byY, toY, part), part)];
  });
}

function outlinesOf(commands: readonly PathCommand[]): Point[][] {
  const outlines: Point[][] = [];
  for (const { command, args } of commands) {
    const [x = 0, y = 0] = args;
    const outline = outlines.at(-1) ?? [];
    if (command === 'moveTo') outlines.push([[x, y]]);
    else if (command === 'lineTo') outline.push([x, y]);
    else if (command === 'quadraticCurveTo') outline.push(...curve(outline.at(-1) ?? [0, 0], args));
  }
  return outlines;
}

/** The outlines of a text, from its first letter on at the origin, growing downwards. */
function lettersOf(font: Font, text: string, size: number): { readonly outlines: Outlines; readonly width: number } {
  const { glyphs, positions } = font.layout(text);
  const scale = size / font.unitsPerEm;
  let x = 0;
  const outlines = glyphs.flatMap((glyph, at) => {
    const start = x;
    x += positions[at]?.xAdvance ?? 0;
    return outlinesOf(glyph.path.commands).map((outline) => outline.map(([atX, atY]): Point => [(start + atX) * scale, -atY * scale]));
  });
  return { outlines, width: x * scale };
}

function shapeOutlines(shape: Shape, font: Font, fonts: PaperFonts): Outlines {
  if (shape.kind === 'rect') {
    const { x, y, width, height } = shape;
    return [
      [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
      ],
    ];
  }
  if (shape.kind === 'line') {
    const { fromX, fromY, toX, toY } = shape;
    // Every line of a chart is horizontal; as thick as in the PDF file.
    return [
      [
        [fromX, fromY - 0.35],
        [toX, toY - 0.35],
        [toX, toY + 0.35],
        [fromX, fromY + 0.35],
      ],
    ];
  }
  const { outlines, width } = lettersOf(font, fonts.printable(shape.text), shape.size);
  const left = shape.x - { start: 0, middle: width / 2, end: width }[shape.anchor];
  return outlines.map((outline) => outline.map(([x, y]): Point => [left + x, shape.y + y]));
}

/** A drawing as a PNG picture, for mail: the same shapes as on the page and in the PDF file. */
export function drawPicture({ width, height, shapes }: Drawing): Buffer {
  const fonts = loadFonts();
  const font = create(fonts.files.regular) as Font;
  const canvas = createCanvas(Math.ceil(width * SCALE), Math.ceil(height * SCALE));
  for (const shape of shapes) {
    const outlines = shapeOutlines(shape, font, fonts).map((outline) => outline.map(([x, y]): Point => [x * SCALE, y * SCALE]));
    if (outlines.length > 0) canvas.fill(outlines, SHADES[shape.ink]);
  }
  return pngOf(canvas);
}
