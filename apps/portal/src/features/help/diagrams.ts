import type { Drawing, Ink, Shape } from '@holdfast/contract/paper';
import type { DiagramName } from '@holdfast/phrases/manual';

type Words = readonly string[];
type Point = readonly [x: number, y: number];

const WIDTH = 720;
const LINE = 22;

interface TextLook {
  readonly size?: number;
  readonly ink?: Ink;
  readonly anchor?: 'start' | 'middle' | 'end';
}

const words = (text: string | undefined, [x, y]: Point, { size = 13, ink = 'text', anchor = 'start' }: TextLook = {}): Shape => ({
  kind: 'text',
  x,
  y,
  text: text ?? '',
  anchor,
  size,
  ink,
});
const area = ([x, y]: Point, width: number, height: number, ink: Ink): Shape => ({ kind: 'rect', x, y, width, height, ink });
const stroke = ([fromX, fromY]: Point, [toX, toY]: Point, ink: Ink = 'text'): Shape => ({ kind: 'line', fromX, fromY, toX, toY, ink });

/** A frame of lines. */
function frame([x, y]: Point, width: number, height: number): readonly Shape[] {
  const corners: readonly Point[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  return corners.map((corner, at) => stroke(corner, corners[(at + 1) % corners.length] ?? corner, 'quiet'));
}

/** An arrow along a line of points. */
function arrow(points: readonly Point[], [backX, backY]: Point): readonly Shape[] {
  const [endX, endY] = points.at(-1) ?? [0, 0];
  const along = points.slice(1).map((to, at) => stroke(points[at] ?? to, to));
  // Two short lines make the head; `back` points from its tip along the arrow.
  const wings: readonly Point[] = [
    [endX + backX - backY / 2, endY + backY - backX / 2],
    [endX + backX + backY / 2, endY + backY + backX / 2],
  ];
  return [...along, ...wings.map((wing) => stroke([endX, endY], wing))];
}

const BOX = { width: 186, height: 96, top: 24 } as const;

/** A box with a title and lines below it. */
function box(x: number, [title, ...lines]: Words): readonly Shape[] {
  return [
    ...frame([x, BOX.top], BOX.width, BOX.height),
    area([x, BOX.top], BOX.width, 5, 'brand'),
    words(title, [x + 12, BOX.top + 32], { size: 16 }),
    ...lines.map((line, at) => words(line, [x + 12, BOX.top + 56 + at * LINE], { ink: 'quiet' })),
  ];
}

/** The way of the script and of the two IDs that give Holdfast access. */
function appRegistration(given: Words): Drawing {
  const [left, middle, right] = [1, (WIDTH - BOX.width) / 2, WIDTH - BOX.width - 1];
  const row = BOX.top + BOX.height / 2;
  const below = BOX.top + BOX.height;
  const gap = middle - left - BOX.width;
  const labelled = (text: string | undefined, x: number): Shape => words(text, [x, 14], { anchor: 'middle' });
  return {
    width: WIDTH,
    height: below + 62,
    shapes: [
      ...box(left, given.slice(0, 3)),
      ...box(middle, given.slice(3, 6)),
      ...box(right, given.slice(6, 9)),
      ...arrow(
        [
          [left + BOX.width + 8, row],
          [middle - 8, row],
        ],
        [-9, 0],
      ),
      ...arrow(
        [
          [middle + BOX.width + 8, row],
          [right - 8, row],
        ],
        [-9, 0],
      ),
      labelled(given[9], left + BOX.width + gap / 2),
      labelled(given[10], middle + BOX.width + gap / 2),
      ...arrow(
        [
          [right + BOX.width / 2, below + 4],
          [right + BOX.width / 2, below + 32],
          [left + BOX.width / 2, below + 32],
          [left + BOX.width / 2, below + 8],
        ],
        [0, 9],
      ),
      words(given[11], [WIDTH / 2, below + 54], { anchor: 'middle' }),
    ],
  };
}

const MENU = 204;

/** A window with the menu of an app, in which one entry is open. */
function appWindow(height: number, [title, ...entries]: Words, open: number): readonly Shape[] {
  const rowOf = (at: number): number => 64 + at * 30;
  return [
    ...frame([1, 1], WIDTH - 2, height - 2),
    words(title, [14, 24], { size: 14 }),
    stroke([1, 38], [WIDTH - 1, 38], 'quiet'),
    stroke([MENU, 38], [MENU, height - 1], 'quiet'),
    area([1, rowOf(open) - 17], 5, 24, 'brand'),
    ...entries.map((entry, at) => words(entry, [16, rowOf(at)], { ink: at === open ? 'text' : 'quiet' })),
  ];
}

/** The overview of an app, with the identifiers that Holdfast needs marked. */
function entraIds(given: Words): Drawing {
  const height = 190;
  const values = ['Holdfast', '1c9d0e52-…', '83a6f7b1-…', '6f2b48d0-…'];
  const needed: ReadonlySet<number> = new Set([1, 3]);
  const rows = values.flatMap((value, at): readonly Shape[] => {
    const y = 68 + at * 34;
    const ink = needed.has(at) ? 'text' : 'quiet';
    return [
      words(given[4 + at], [MENU + 18, y], { ink }),
      words(value, [MENU + 210, y], { ink }),
      ...(needed.has(at)
        ? [
            area([MENU + 8, y - 15], 4, 22, 'brand'),
            ...arrow(
              [
                [MENU + 300, y - 4],
                [MENU + 340, y - 4],
              ],
              [-8, 0],
            ),
            words(given[8], [MENU + 352, y]),
          ]
        : []),
    ];
  });
  return { width: WIDTH, height, shapes: [...appWindow(height, given.slice(0, 4), 0), ...rows] };
}

/** The permissions of an app after consent, with the button that grants it marked. */
function entraConsent(given: Words): Drawing {
  const height = 190;
  const [, , , , add, grant, kind, granted] = given;
  const rows = ['Mail.Read', 'Files.Read.All', 'Sites.Read.All'].flatMap((permission, at): readonly Shape[] => {
    const y = 112 + at * 30;
    return [
      words(permission, [MENU + 18, y]),
      words(kind, [MENU + 190, y], { ink: 'quiet' }),
      area([MENU + 330, y - 11], 12, 12, 'success'),
      words(granted, [MENU + 350, y]),
    ];
  });
  return {
    width: WIDTH,
    height,
    shapes: [
      ...appWindow(height, given.slice(0, 4), 2),
      words(`+ ${add ?? ''}`, [MENU + 18, 68], { ink: 'quiet' }),
      ...frame([MENU + 230, 50], 270, 28),
      area([MENU + 230, 50], 5, 28, 'brand'),
      words(grant, [MENU + 246, 68]),
      stroke([MENU + 8, 90], [WIDTH - 10, 90], 'grid'),
      ...rows,
    ],
  };
}

/** Each diagram of the manual, drawn with the words of a language. */
export const diagrams: Readonly<Record<DiagramName, (given: Words) => Drawing>> = { appRegistration, entraIds, entraConsent };
