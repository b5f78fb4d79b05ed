import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

const references = path.resolve(import.meta.dirname, '../pictures');
const found = path.resolve(import.meta.dirname, '../../artifacts/pictures/compared');

/**
 * A point differs when one of its colours does by more than this of 255. Another processor may round the edge of a letter
 * or of a shadow differently by a step or two; a letter that is another one differs by a hundred and more.
 */
const COLOUR_STEPS = 40;
/** Less than one short word in the smallest letters has (about 60 dark points), more than stray points on edges. */
const POINTS = 40;

/** Runs in a page of its own: counts the points that differ and draws them in red over the paled reference. */
const compareScript = `async ([wanted, seen, steps]) => {
  const load = async (data) => await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob());
  const [one, other] = [await load(wanted), await load(seen)];
  const [width, height] = [Math.max(one.width, other.width), Math.max(one.height, other.height)];
  const pixels = (image) => {
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  };
  const [a, b] = [pixels(one), pixels(other)];
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  const drawn = context.createImageData(width, height);
  let points = 0;
  for (let at = 0; at < a.length; at += 4) {
    const differs = [0, 1, 2, 3].some((colour) => Math.abs(a[at + colour] - b[at + colour]) > steps);
    if (differs) points += 1;
    for (let colour = 0; colour < 3; colour += 1) drawn.data[at + colour] = differs ? [220, 0, 0][colour] : 255 - (255 - a[at + colour]) / 4;
    drawn.data[at + 3] = 255;
  }
  context.putImageData(drawn, 0, 0);
  const sizes = one.width === other.width && one.height === other.height ? '' : one.width + ' x ' + one.height + ' became ' + other.width + ' x ' + other.height;
  return { points, sizes, difference: canvas.toDataURL('image/png').split(',')[1] };
}`;

/** What was found, what was wanted, and where they differ. */
const kinds = ['', '-wanted', '-difference'] as const;
type Kind = (typeof kinds)[number];

interface Compared {
  readonly points: number;
  readonly sizes: string;
  readonly difference: string;
}

/**
 * Holds a picture against the one that is checked in; answers what is wrong, or null. What differs is written to
 * artifacts/pictures/compared: wanted, found and the difference. A wanted change is accepted by copying what was found.
 */
export async function differenceOf(name: string, seen: Buffer, comparing: Page): Promise<string | null> {
  const wanted = await readFile(path.join(references, `${name}.png`)).catch(() => null);
  const fileOf = (kind: Kind): string => path.join(found, `${name}${kind}.png`);
  const write = async (kind: Kind, content: Buffer): Promise<void> => await writeFile(fileOf(kind), content);
  // What an earlier look at the same page had found is over.
  for (const kind of kinds) await rm(fileOf(kind), { force: true });
  if (wanted?.equals(seen) === true) return null;
  await mkdir(found, { recursive: true });
  if (wanted === null) {
    await write('', seen);
    return `${name}: there is no picture to compare with`;
  }
  const { points, sizes, difference } = await comparing.evaluate<Compared>(
    `(${compareScript})(${JSON.stringify([wanted.toString('base64'), seen.toString('base64'), COLOUR_STEPS])})`,
  );
  if (points <= POINTS && sizes === '') return null;
  await write('', seen);
  await write('-wanted', wanted);
  await write('-difference', Buffer.from(difference, 'base64'));
  return `${name}: ${sizes === '' ? `${points} points differ` : sizes}`;
}
