import { createHash } from 'node:crypto';

/** RFC 6962, section 2.1: leaves and inner nodes are hashed with different first bytes. */
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** Hash of a leaf: SHA-256(0x00 ‖ data). */
export function leafHash(...data: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(LEAF);
  for (const part of data) hash.update(part);
  return hash.digest();
}

/** Hash of an inner node: SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

/** The root of the empty tree: the hash of nothing. */
export const emptyRoot = createHash('sha256').digest();

/** A complete subtree: 2^level leaves, the `position`-th of its level. */
export interface TreeNode {
  readonly level: number;
  readonly position: number;
  readonly hash: Buffer;
}

/** Where the complete subtrees lie that make up a tree of `size` leaves, largest first. */
export function frontierOf(size: number): { readonly level: number; readonly position: number }[] {
  const places: { level: number; position: number }[] = [];
  for (let level = Math.floor(Math.log2(Math.max(size, 1))); level >= 0; level -= 1) {
    const width = 2 ** level;
    if (Math.floor(size / width) % 2 === 1) places.push({ level, position: Math.floor(size / width) - 1 });
  }
  return places;
}

/** The root of a tree from its complete subtrees, largest first. */
export function rootOf(subtrees: readonly Uint8Array[]): Buffer {
  let root: Uint8Array | undefined;
  for (const subtree of [...subtrees].reverse()) root = root ? nodeHash(subtree, root) : subtree;
  return root ? Buffer.from(root) : emptyRoot;
}

/** A tree that grows: keeps its frontier only. `append` gives the nodes that became complete, the leaf first. */
export interface GrowingTree {
  readonly size: number;
  append(leaf: Buffer): TreeNode[];
  root(): Buffer;
}

/** Continues a tree of `size` leaves whose frontier is given, largest subtree first. */
export function growTree(size: number, frontier: readonly Buffer[]): GrowingTree {
  const open = [...frontier];
  let grown = size;
  return {
    get size() {
      return grown;
    },
    append(leaf) {
      const made: TreeNode[] = [{ level: 0, position: grown, hash: leaf }];
      let position = grown;
      let hash = leaf;
      for (let level = 1; position % 2 === 1; level += 1) {
        hash = nodeHash(open.pop() as Buffer, hash);
        position = (position - 1) / 2;
        made.push({ level, position, hash });
      }
      open.push(hash);
      grown += 1;
      return made;
    },
    root: () => rootOf(open),
  };
}

export type Place = { readonly level: number; readonly position: number };

export function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** The hash of leaves [start, start + size), read from complete subtrees. */
export async function subtreeHash(start: number, size: number, read: (place: Place) => Promise<Buffer>): Promise<Buffer> {
  const level = Math.log2(size);
  if (Number.isInteger(level) && start % size === 0) return read({ level, position: start / size });
  const split = largestPowerBelow(size);
  return nodeHash(await subtreeHash(start, split, read), await subtreeHash(start + split, size - split, read));
}

/** The path that proves a leaf (from 0) in a tree of `size` leaves: siblings from the bottom up. */
export async function inclusionPath(leaf: number, size: number, read: (place: Place) => Promise<Buffer>): Promise<Buffer[]> {
  const path: Buffer[] = [];
  let start = 0;
  let span = size;
  const steps: { start: number; size: number }[] = [];
  while (span > 1) {
    const split = largestPowerBelow(span);
    if (leaf < start + split) {
      steps.push({ start: start + split, size: span - split });
      span = split;
    } else {
      steps.push({ start, size: split });
      start += split;
      span -= split;
    }
  }
  for (const step of steps.reverse()) path.push(await subtreeHash(step.start, step.size, read));
  return path;
}

/** The root that a leaf and its path lead to. */
export function rootFromPath(leaf: number, size: number, hash: Buffer, path: readonly Buffer[]): Buffer {
  if (path.length === 0) return hash;
  const split = largestPowerBelow(size);
  const sibling = path.at(-1) as Buffer;
  const rest = path.slice(0, -1);
  return leaf < split
    ? nodeHash(rootFromPath(leaf, split, hash, rest), sibling)
    : nodeHash(sibling, rootFromPath(leaf - split, size - split, hash, rest));
}

/** A tree that is small enough to be held: its root, and the path of each leaf. */
export function treeOver(leaves: readonly Buffer[]): { readonly root: Buffer; path(leaf: number): Promise<Buffer[]> } {
  const tree = growTree(0, []);
  const nodes = new Map<string, Buffer>();
  const nameOf = ({ level, position }: Place): string => `${level}/${position}`;
  for (const leaf of leaves) for (const node of tree.append(leaf)) nodes.set(nameOf(node), node.hash);
  const read = (place: Place): Promise<Buffer> => Promise.resolve(nodes.get(nameOf(place)) ?? emptyRoot);
  return { root: tree.root(), path: (leaf) => inclusionPath(leaf, leaves.length, read) };
}
