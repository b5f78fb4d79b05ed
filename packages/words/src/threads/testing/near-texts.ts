import { likeness, nearCopies, shinglesOf } from '../near-copies.ts';

/** Numbers from a seed: the same texts in every run. */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Letters and copies of them in which a few words were changed, left out or added: some just alike enough, some just not. */
function* nearTexts(count: number): Iterable<string> {
  const next = createNumbers(7);
  const word = (): string => `w${Math.floor(next() ** 2 * 4000)}`;
  const letters: string[][] = [];
  for (let at = 0; at < count; at++) {
    const before = letters[Math.floor(next() * letters.length)];
    const isCopy = before !== undefined && next() < 0.6;
    const changes = next() * 0.12;
    const letter = isCopy
      ? before.flatMap((one) => (next() < changes ? (next() < 0.5 ? [word()] : []) : [one]))
      : Array.from({ length: 40 + Math.floor(next() * 160) }, word);
    if (!isCopy) letters.push(letter);
    yield letter.join(' ');
  }
}

/** Judges which text goes with which pivot by comparing each with every pivot before it. */
export function judgeNearCopies(count: number, threshold: number): { recall: number; precision: number; pairs: number } {
  const texts = [...nearTexts(count)].map(shinglesOf);
  const found = nearCopies(texts, threshold);
  const pivots: number[] = [];
  let [right, wrong, missed] = [0, 0, 0];
  for (const [at, { pivot }] of found.entries()) {
    const mine = texts[at];
    if (!mine) continue;
    const hasNear = pivots.some((one) => likeness(mine, texts[one] ?? mine) >= threshold);
    if (pivot === at) {
      if (hasNear) missed += 1;
      pivots.push(at);
    } else if (likeness(mine, texts[pivot] ?? mine) >= threshold) right += 1;
    else wrong += 1;
  }
  return { recall: right / (right + missed), precision: right / (right + wrong), pairs: right };
}
