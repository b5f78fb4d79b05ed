import { hash } from 'node:crypto';

/** What a text is compared by: its runs of three words, as sorted numbers, each once. */
export type Shingles = Uint32Array;

const WORDS_IN_A_RUN = 3;
/** Of longer texts the smallest this many are compared, which tells the likeness of two to a hundredth. */
export const MOST_SHINGLES = 10_000;
const HASHES = 64;
/** Four of sixty-four minima to a band: of texts that are alike by 0.8, one pair in five thousand shares none of sixteen bands. */
const ROWS = 4;
const BANDS = HASHES / ROWS;
const WORD = /[\p{L}\p{N}]+/gu;

function numberOf(text: string): number {
  let number = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) number = Math.imul(number ^ text.charCodeAt(at), 0x01000193);
  return mixed(number);
}

/** Spreads a number over all 32 bits. */
function mixed(number: number): number {
  let one = number;
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b);
  one = Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return (one ^ (one >>> 16)) >>> 0;
}

/** The runs of words of a text; one that has fewer words than a run is a run of its own. */
export function shinglesOf(text: string): Shingles {
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  if (words.length === 0) return new Uint32Array();
  const found = new Set<number>();
  const numbers = words.map(numberOf);
  const last = Math.max(0, words.length - WORDS_IN_A_RUN);
  for (let at = 0; at <= last; at++) {
    let run = 0;
    for (let word = at; word < Math.min(at + WORDS_IN_A_RUN, numbers.length); word++)
      run = mixed(Math.imul(run, 31) ^ (numbers[word] ?? 0));
    found.add(run);
  }
  return Uint32Array.from(found).toSorted().slice(0, MOST_SHINGLES);
}

/** How much two texts have in common: the runs of both over the runs of either (Jaccard). */
export function likeness(a: Shingles, b: Shingles): number {
  if (a.length === 0 || b.length === 0) return 0;
  // Of a text that was cut nothing is known beyond its largest number.
  const end = Math.min(limitOf(a), limitOf(b));
  let [same, either, i, j] = [0, 0, 0, 0];
  while (i < a.length || j < b.length) {
    const [x, y] = [a[i] ?? Infinity, b[j] ?? Infinity];
    if (Math.min(x, y) > end) break;
    either += 1;
    if (x === y) same += 1;
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return either === 0 ? 0 : same / either;
}

const limitOf = (one: Shingles): number => (one.length < MOST_SHINGLES ? Infinity : (one.at(-1) ?? 0));

const seeds = Uint32Array.from({ length: HASHES }, (_, at) => hash('sha256', `near copies ${at}`, 'buffer').readUInt32LE());

/** The smallest number of a text under each of sixty-four orders. */
function minimaOf(shingles: Shingles): Uint32Array {
  const minima = new Uint32Array(HASHES).fill(0xffffffff);
  for (const shingle of shingles) {
    for (let at = 0; at < HASHES; at++) {
      const number = mixed(shingle ^ (seeds[at] ?? 0));
      if (number < (minima[at] ?? 0)) minima[at] = number;
    }
  }
  return minima;
}

function* bandsOf(shingles: Shingles): Iterable<string> {
  const minima = minimaOf(shingles);
  for (let band = 0; band < BANDS; band++) yield `${band}:${minima.subarray(band * ROWS, (band + 1) * ROWS).join('.')}`;
}

export interface NearCopy {
  /** The place in the list of the text that this one is compared with; its own where it is the first of its kind. */
  readonly pivot: number;
  /** How much it has in common with the pivot, from 0 to 1. */
  readonly likeness: number;
}

/**
 * Groups texts that are nearly alike. Each belongs to the pivot that it has most in common with, or becomes one itself: a pivot
 * is decided by those before it in the list alone, so more texts change nothing for those that were there.
 */
export function nearCopies(texts: readonly Shingles[], threshold: number): NearCopy[] {
  const pivotsIn = new Map<string, number[]>();
  return texts.map((shingles, at): NearCopy => {
    const own = { pivot: at, likeness: 1 };
    if (shingles.length === 0) return own;
    const bands = [...bandsOf(shingles)];
    const candidates = new Set(bands.flatMap((band) => pivotsIn.get(band) ?? []));
    const near = [...candidates]
      .map((pivot): NearCopy => ({ pivot, likeness: likeness(shingles, texts[pivot] ?? shingles) }))
      .filter((one) => one.likeness >= threshold)
      .toSorted((a, b) => b.likeness - a.likeness || a.pivot - b.pivot)[0];
    if (near) return near;
    for (const band of bands) {
      const known = pivotsIn.get(band);
      if (known) known.push(at);
      else pivotsIn.set(band, [at]);
    }
    return own;
  });
}
