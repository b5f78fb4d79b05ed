import { createHash } from 'node:crypto';
import { createSeededRandom, type Random } from '@holdfast/foundation/random';

/** Where a hash of a text begins. */
export const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** A hash that goes on after `text` (FNV-1a): begun once for what many texts begin with. Ends with `hashEnd`. */
export function hashOn(hash: number, text: string): number {
  let next = hash;
  for (let index = 0; index < text.length; index += 1) next = Math.imul(next ^ text.charCodeAt(index), HASH_PRIME);
  return next;
}

/** `hashOn` with the digits of a whole number below 2 ** 32, without its text. */
export function hashNumber(hash: number, value: number): number {
  let scale = 1;
  while (scale * 10 <= value) scale *= 10;
  let next = hash;
  let rest = value;
  for (; scale >= 1; scale = (scale / 10) | 0) {
    const digit = (rest / scale) | 0;
    rest -= digit * scale;
    next = Math.imul(next ^ (0x30 + digit), HASH_PRIME);
  }
  return next;
}

/** The 32 bits of a hash, mixed. */
export function hashEnd(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** 32 bits of any text: where to start a generator, never for secrets. */
export function hashText(text: string, start = HASH_START): number {
  return hashEnd(hashOn(start, text));
}

/** Where an item is in the tenant: the same four always give the same content. */
export interface Place {
  readonly seed: number;
  readonly kind: string;
  readonly owner: string;
  readonly index: number;
}

/** What the seeds of all items of one kind and owner come from. */
export function ownerSeed({ seed, kind, owner }: Omit<Place, 'index'>): number {
  return hashText(owner, hashText(kind, (seed ^ 0x9e3779b9) >>> 0));
}

/** Where the generator of one item starts, of those that `ownerSeed` stands for. */
export function itemSeed(ofOwner: number, index: number): number {
  return Math.imul(ofOwner ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
}

/** The generator of one item: a pure function of its place. */
export function randomOf(place: Place): Random {
  return createSeededRandom(itemSeed(ownerSeed(place), place.index));
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
