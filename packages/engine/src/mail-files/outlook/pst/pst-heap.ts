import { damaged } from '../damaged.ts';

const HEAP_MARK = 0xec;
const TREE_MARK = 0xb5;
const DEEPEST = 8;
const MOST_RECORDS = 2_000_000;

/** Small pieces of a node, by their numbers; what a node holds begins with one of them. */
export interface PstHeap {
  readonly root: number;
  piece(id: number): Buffer;
  /** The records of a tree, each as key and value. */
  records(id: number): Generator<readonly [Buffer, Buffer], void, undefined>;
}

function allocations(block: Buffer): readonly number[] {
  const map = block.readUInt16LE(0);
  if (map + 4 > block.byteLength) throw damaged('a heap has no list of its pieces');
  const count = block.readUInt16LE(map);
  if (map + 4 + (count + 1) * 2 > block.byteLength) throw damaged('a heap has a broken list of its pieces');
  return Array.from({ length: count + 1 }, (_, at) => block.readUInt16LE(map + 4 + at * 2));
}

/** Reads the heap that some blocks are. `isLarge` in files with large pages, which number their pieces otherwise. */
export function openPstHeap(blocks: readonly Buffer[], isLarge: boolean): PstHeap {
  const [first] = blocks;
  if (!first || first.byteLength < 12 || first[2] !== HEAP_MARK) throw damaged('a node is no heap');
  const maps = new Map<number, readonly number[]>();
  const indexBits = isLarge ? 14 : 11;

  function piece(id: number): Buffer {
    const index = Math.floor(id / 32) % 2 ** indexBits;
    const number = Math.floor(id / 2 ** (5 + indexBits));
    const block = blocks[number];
    if (id % 32 !== 0 || index === 0 || !block) throw damaged('a piece of a heap is missing');
    const map = maps.get(number) ?? allocations(block);
    maps.set(number, map);
    const [start, end] = [map[index - 1], map[index]];
    if (start === undefined || end === undefined || start > end || end > block.byteLength) throw damaged('a piece of a heap is nowhere');
    return block.subarray(start, end);
  }

  function* recordsOf(
    id: number,
    sizes: { key: number; value: number },
    level: number,
  ): Generator<readonly [Buffer, Buffer], void, undefined> {
    if (id === 0) return;
    const bytes = piece(id);
    const size = sizes.key + (level > 0 ? 4 : sizes.value);
    for (let at = 0; at + size <= bytes.byteLength; at += size) {
      const key = bytes.subarray(at, at + sizes.key);
      const value = bytes.subarray(at + sizes.key, at + size);
      if (level > 0) yield* recordsOf(value.readUInt32LE(0), sizes, level - 1);
      else yield [key, value];
    }
  }

  return {
    root: first.readUInt32LE(4),
    piece,
    *records(id) {
      const head = piece(id);
      const [mark = 0, key = 0, value = 0, level = 0] = head;
      if (head.byteLength < 8 || mark !== TREE_MARK || key === 0 || level > DEEPEST) throw damaged('a tree of a heap is broken');
      let count = 0;
      for (const record of recordsOf(head.readUInt32LE(4), { key, value }, level)) {
        count += 1;
        if (count > MOST_RECORDS) throw damaged('a tree of a heap has no end');
        yield record;
      }
    },
  };
}
