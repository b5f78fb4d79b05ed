import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { consistencyPath, isConsistent } from './consistency.ts';
import {
  emptyRoot,
  frontierOf,
  growTree,
  inclusionPath,
  leafHash,
  nodeHash,
  rootFromPath,
  treeOver,
  type TreeNode,
} from './merkle-tree.ts';

/** The definition of RFC 6962, word for word: slow, and written apart from the tree that grows. */
function definedRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest();
  if (leaves.length === 1) return leaves[0] as Buffer;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(definedRoot(leaves.slice(0, split)), definedRoot(leaves.slice(split)));
}

function grown(count: number) {
  const leaves = Array.from({ length: count }, (_, index) => leafHash(Buffer.from(`leaf ${index}`)));
  const tree = growTree(0, []);
  const nodes = new Map<string, Buffer>();
  for (const leaf of leaves) for (const node of tree.append(leaf)) nodes.set(`${node.level}/${node.position}`, node.hash);
  const read = async (place: Pick<TreeNode, 'level' | 'position'>): Promise<Buffer> => {
    const hash = nodes.get(`${place.level}/${place.position}`);
    if (!hash) throw new Error(`no node ${place.level}/${place.position}`);
    return hash;
  };
  return { leaves, tree, read };
}

test('the empty tree has the root of nothing', () => {
  expect(growTree(0, []).root()).toEqual(emptyRoot);
});

test('a growing tree has the root that the definition gives, at every size', () => {
  for (let size = 1; size <= 70; size += 1) {
    const { leaves, tree } = grown(size);
    expect(tree.root()).toEqual(definedRoot(leaves));
  }
});

test('every leaf is proved in every tree, and no other leaf by the same path', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 200 }), fc.nat(), async (size, pick) => {
      const { leaves, tree, read } = grown(size);
      const leaf = pick % size;
      const path = await inclusionPath(leaf, size, read);
      expect(rootFromPath(leaf, size, leaves[leaf] as Buffer, path)).toEqual(tree.root());
      expect(rootFromPath(leaf, size, leafHash(Buffer.from('another')), path)).not.toEqual(tree.root());
    }),
    { numRuns: 100 },
  );
});

test('every tree is proved to begin as every smaller one, and nothing else is', async () => {
  const { leaves, read } = grown(40);
  for (let to = 1; to <= 40; to += 1) {
    const later = { size: to, root: definedRoot(leaves.slice(0, to)) };
    for (let from = 1; from <= to; from += 1) {
      const earlier = { size: from, root: definedRoot(leaves.slice(0, from)) };
      const path = await consistencyPath(from, to, read);
      expect([from, to, isConsistent(earlier, later, path)]).toEqual([from, to, true]);
      expect(isConsistent({ ...earlier, root: leafHash(Buffer.from('other')) }, later, path)).toBe(false);
      expect(isConsistent(earlier, { ...later, root: leafHash(Buffer.from('other')) }, path)).toBe(false);
      expect(path.length > 0 && isConsistent(earlier, later, path.slice(1))).toBe(false);
    }
  }
});

test('a small tree has the root of the definition and proves each of its leaves', async () => {
  for (const size of [1, 2, 3, 7, 8, 33]) {
    const { leaves } = grown(size);
    const tree = treeOver(leaves);
    expect(tree.root).toEqual(definedRoot(leaves));
    for (const [at, leaf] of leaves.entries()) expect(rootFromPath(at, size, leaf, await tree.path(at))).toEqual(tree.root);
  }
});

test('a tree goes on from its frontier as if it had never stopped', async () => {
  const { tree, leaves, read } = grown(100);
  for (const stop of [1, 2, 3, 31, 64, 99]) {
    const frontier = await Promise.all(frontierOf(stop).map(read));
    const continued = growTree(stop, frontier);
    for (const leaf of leaves.slice(stop)) continued.append(leaf);
    expect(continued.root()).toEqual(tree.root());
  }
});
