import { createHash } from 'node:crypto';
import { createSeededRandom, type Random } from '@holdfast/foundation/random';

/** 32 bits of any text (FNV-1a with a final mix): where to start a generator, never for secrets. */
export function hashText(text: string, start = 0x811c9dc5): number {
  let hash = start;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Where an item is in the tenant: the same four always give the same content. */
export interface Place {
  readonly seed: number;
  readonly kind: string;
  readonly owner: string;
  readonly index: number;
}

/** The generator of one item: a pure function of its place. */
export function randomOf(place: Place): Random {
  const start = hashText(place.owner, hashText(place.kind, (place.seed ^ 0x9e3779b9) >>> 0));
  return createSeededRandom(Math.imul(start ^ Math.imul(place.index + 1, 0x9e3779b1), 0x85ebca6b) >>> 0);
}

/** A GUID that is the same for the same seed and words. */
export function guidOf(seed: number, ...words: readonly (string | number)[]): string {
  const hash = createHash('sha256')
    .update(`${seed}/${words.join('/')}`)
    .digest();
  hash[6] = 0x40 | ((hash[6] ?? 0) & 0x0f);
  hash[8] = 0x80 | ((hash[8] ?? 0) & 0x3f);
  const hex = hash.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** One of `values`. */
export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[random.below(values.length)];
  if (value === undefined) throw new RangeError('There is nothing to pick from.');
  return value;
}

/** True with probability `p`. */
export function chance(random: Random, p: number): boolean {
  return random.next() < p;
}

/** A whole number from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + random.below(high - low + 1);
}

/** A size from a log-normal distribution, as sizes of mails and files are. */
export function logNormal(random: Random, median: number, sigma: number): number {
  const u = Math.max(random.next(), 1e-9);
  const normal = Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * random.next());
  return median * Math.exp(sigma * normal);
}
