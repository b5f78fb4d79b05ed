import { largestPowerBelow, nodeHash, subtreeHash, type Place } from './merkle-tree.ts';

/** The path of RFC 6962, section 2.1.2, that proves a tree of `from` leaves to be the beginning of one of `to` leaves. */
export async function consistencyPath(from: number, to: number, read: (place: Place) => Promise<Buffer>): Promise<Buffer[]> {
  async function path(first: number, part: { readonly start: number; readonly size: number }, isWhole: boolean): Promise<Buffer[]> {
    const { start, size } = part;
    if (first === size) return isWhole ? [] : [await subtreeHash(start, size, read)];
    const split = largestPowerBelow(size);
    const right = { start: start + split, size: size - split };
    if (first <= split) return [...(await path(first, { start, size: split }, isWhole)), await subtreeHash(right.start, right.size, read)];
    return [...(await path(first - split, right, false)), await subtreeHash(start, split, read)];
  }
  return path(from, { start: 0, size: to }, true);
}

/** A tree by its size and root, as a checkpoint says it. */
interface KnownTree {
  readonly size: number;
  readonly root: Buffer;
}

/** The two roots that a path leads to, from the place where the trees part; as RFC 9162, section 2.1.4.2, goes. */
class Climb {
  readonly #from: { at: number; root: Buffer };
  readonly #to: { at: number; root: Buffer };

  constructor(earlier: number, later: number, start: Buffer) {
    this.#from = { at: earlier - 1, root: start };
    this.#to = { at: later - 1, root: start };
    while (this.#from.at % 2 === 1) this.#up();
  }

  #up(): void {
    this.#from.at = Math.floor(this.#from.at / 2);
    this.#to.at = Math.floor(this.#to.at / 2);
  }

  /** False where the path goes on beyond the root. */
  step(hash: Buffer): boolean {
    if (this.#to.at === 0) return false;
    if (this.#from.at % 2 === 1 || this.#from.at === this.#to.at) {
      this.#from.root = nodeHash(hash, this.#from.root);
      this.#to.root = nodeHash(hash, this.#to.root);
      while (this.#from.at !== 0 && this.#from.at % 2 === 0) this.#up();
    } else this.#to.root = nodeHash(this.#to.root, hash);
    this.#up();
    return true;
  }

  leadsTo(earlier: Buffer, later: Buffer): boolean {
    return this.#to.at === 0 && this.#from.root.equals(earlier) && this.#to.root.equals(later);
  }
}

/** Whether a path proves that an earlier tree is the beginning of a later one. */
export function isConsistent(earlier: KnownTree, later: KnownTree, path: readonly Buffer[]): boolean {
  if (earlier.size === later.size) return path.length === 0 && earlier.root.equals(later.root);
  if (earlier.size < 1 || earlier.size > later.size) return false;
  // A whole tree is a node of the later one, and its root is known.
  const [start, ...rest] = Number.isInteger(Math.log2(earlier.size)) ? [earlier.root, ...path] : path;
  if (!start) return false;
  const climb = new Climb(earlier.size, later.size, start);
  return rest.every((hash) => climb.step(hash)) && climb.leadsTo(earlier.root, later.root);
}
