import type { MailFile } from '../../mail-file.ts';
import { damaged } from '../damaged.ts';
import { wide, type PstReference, type PstShape } from './pst-header.ts';

/** A page of one of the two trees of a data file: its entries in the order of their keys. */
interface Page {
  readonly level: number;
  readonly entries: readonly Buffer[];
}

/** Which tree: that of nodes, or that of blocks. */
export type PstTree = 'nodes' | 'blocks';

/** An entry at the bottom of a tree, or a page of it that cannot be read. */
export type PstLeaf =
  | { readonly kind: 'entry'; readonly key: number; readonly bytes: Buffer }
  | { readonly kind: 'damaged'; readonly key: number; readonly at: number };

const KIND = { blocks: 0x80, nodes: 0x81 } as const;
/** Size of a page, where its counts are, and where its trailer is. */
const LAYOUT = {
  ansi: { bytes: 512, counts: 496, trailer: 500, key: 4 },
  unicode: { bytes: 512, counts: 488, trailer: 496, key: 8 },
  unicode4k: { bytes: 4096, counts: 4056, trailer: 4072, key: 8 },
} as const;
const DEEPEST = 8;
const HELD_PAGES = 128;

function countsOf(bytes: Buffer, shape: PstShape): { readonly entries: number; readonly size: number; readonly level: number } {
  const { counts } = LAYOUT[shape];
  if (shape === 'unicode4k') return { entries: bytes.readUInt16LE(counts), size: bytes[counts + 4] ?? 0, level: bytes[counts + 5] ?? 0 };
  return { entries: bytes[counts] ?? 0, size: bytes[counts + 2] ?? 0, level: bytes[counts + 3] ?? 0 };
}

/** The trees of a data file, read a page at a time. */
export function createPstPages(file: MailFile, shape: PstShape) {
  const layout = LAYOUT[shape];
  const held = new Map<number, Page>();

  async function load(at: number, tree: PstTree): Promise<Page> {
    if (!Number.isSafeInteger(at) || at <= 0) throw damaged('a page is nowhere');
    const bytes = await file.read(at, layout.bytes);
    if (bytes.byteLength < layout.bytes) throw damaged('it ends before a page');
    if (bytes[layout.trailer] !== KIND[tree] || bytes[layout.trailer + 1] !== KIND[tree]) throw damaged('a page is of another kind');
    const { entries, size, level } = countsOf(bytes, shape);
    if (entries * size > layout.counts || (entries > 0 && size < layout.key * 2) || level > DEEPEST)
      throw damaged('a page has wrong counts');
    return { level, entries: Array.from({ length: entries }, (_, index) => bytes.subarray(index * size, (index + 1) * size)) };
  }

  async function page(at: number, tree: PstTree): Promise<Page> {
    const known = held.get(at);
    if (known) {
      held.delete(at);
      held.set(at, known);
      return known;
    }
    const loaded = await load(at, tree);
    held.set(at, loaded);
    for (const oldest of held.keys()) {
      if (held.size <= HELD_PAGES) break;
      held.delete(oldest);
    }
    return loaded;
  }

  const keyOf = (entry: Buffer): number => (shape === 'ansi' ? entry.readUInt32LE(0) : wide(entry, 0));
  const childOf = (entry: Buffer): number => (shape === 'ansi' ? entry.readUInt32LE(8) : wide(entry, 16));

  /** The last entry whose key is not above the wanted one. */
  function lastUpTo({ entries }: Page, key: number): Buffer | undefined {
    let found: Buffer | undefined;
    for (const entry of entries) {
      if (keyOf(entry) > key) break;
      found = entry;
    }
    return found;
  }

  async function find(root: PstReference, tree: PstTree, key: number): Promise<Buffer | undefined> {
    let current = await page(root.at, tree);
    for (;;) {
      const entry = lastUpTo(current, key);
      if (!entry) return undefined;
      if (current.level === 0) return keyOf(entry) === key ? entry : undefined;
      const below = await page(childOf(entry), tree);
      if (below.level >= current.level) throw damaged('a page contains itself');
      current = below;
    }
  }

  async function* walk(
    at: number,
    tree: PstTree,
    after: number,
    above: { level: number; key: number },
  ): AsyncGenerator<PstLeaf, void, undefined> {
    let current: Page;
    try {
      current = await page(at, tree);
      if (current.level >= above.level) throw damaged('a page contains itself');
    } catch {
      yield { kind: 'damaged', key: above.key, at };
      return;
    }
    for (const [index, entry] of current.entries.entries()) {
      const next = current.entries[index + 1];
      if (current.level > 0) {
        if (next && keyOf(next) <= after + 1) continue;
        yield* walk(childOf(entry), tree, after, { level: current.level, key: keyOf(entry) });
      } else if (keyOf(entry) > after) yield { kind: 'entry', key: keyOf(entry), bytes: entry };
    }
  }

  return {
    find,
    /** The entries of a tree after a key, in order. What cannot be read is one entry that says so. */
    walk: (root: PstReference, tree: PstTree, after: number) => walk(root.at, tree, after, { level: DEEPEST + 1, key: 0 }),
  };
}
export type PstPages = ReturnType<typeof createPstPages>;
