import { damaged } from '../damaged.ts';
import { MAPI, TYPE, type MapiAttachment, type MapiItem, type MapiProperties, type MapiProperty } from '../mapi-item.ts';
import type { PstBlocks, Subnode } from './pst-blocks.ts';
import { openPstHeap, type PstHeap } from './pst-heap.ts';

const RECIPIENTS = 0x692;
const ATTACHMENT = 0x05;
const TABLE_MARK = 0x7c;
/** Values up to this size are held; a text of a message may be large, what is attached is streamed. */
const LARGEST_VALUE = 32 * 1024 * 1024;
const LARGEST_HEAP = 64 * 1024 * 1024;
/** What one item and everything attached to it may hold at a time, files left out: they are streamed. */
const LARGEST_ITEM = 96 * 1024 * 1024;
/** What opening a node costs at least, so that no item has nodes without end. */
const NODE_COST = 4 * 1024;
const ENTRY_COST = 64;
const MOST_ROWS = 100_000;
/** Items that are attached to items. */
const DEEPEST = 8;

const kindOf = (nid: number): number => nid % 32;
const isHeld = (type: number): boolean => [0x0002, 0x0003, 0x0004, 0x000a, 0x000b].includes(type);

interface Opened {
  readonly heap: PstHeap;
  readonly subnodes: ReadonlyMap<number, Subnode>;
}

/** Counts what an item takes: a file can name the same node as often as it likes. */
interface Budget {
  take(bytes: number): void;
}

function createBudget(limit: number): Budget {
  let left = limit;
  return {
    take(bytes) {
      left -= bytes;
      if (left < 0) throw damaged('an item has no end');
    },
  };
}

/** Reads nodes as properties. */
function createPropertyReader(blocks: PstBlocks, isLarge: boolean, budget: Budget) {
  async function collect(bid: number, limit: number): Promise<Buffer[]> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of blocks.dataOf(bid)) {
      size += part.byteLength;
      budget.take(part.byteLength);
      if (size > limit) throw damaged('a node is too large');
      parts.push(part);
    }
    return parts;
  }

  async function open({ data, sub }: Subnode): Promise<Opened> {
    budget.take(NODE_COST);
    const subnodes = await blocks.subnodesOf(sub);
    budget.take(subnodes.size * ENTRY_COST);
    return { heap: openPstHeap(await collect(data, LARGEST_HEAP), isLarge), subnodes };
  }

  /** A value that is in the heap, or in a node below. */
  async function valueOf({ heap, subnodes }: Opened, id: number, type: number, reference: number): Promise<MapiProperty> {
    if (reference === 0) return { id, type, bytes: Buffer.alloc(0) };
    if (kindOf(reference) === 0) return { id, type, bytes: heap.piece(reference) };
    const node = subnodes.get(reference);
    if (!node) throw damaged('a value is missing');
    const size = await blocks.sizeOf(node.data);
    if (size > LARGEST_VALUE || id === MAPI.attachmentData) return { id, type, bytes: Buffer.alloc(0), unreadBytes: size };
    return { id, type, bytes: Buffer.concat(await collect(node.data, LARGEST_VALUE)) };
  }

  async function propertiesOf(opened: Opened): Promise<Map<number, MapiProperty>> {
    const found = new Map<number, MapiProperty>();
    for (const [key, value] of opened.heap.records(opened.heap.root)) {
      const id = key.readUInt16LE(0);
      const type = value.readUInt16LE(0);
      const property = isHeld(type) ? { id, type, bytes: value.subarray(2, 6) } : await valueOf(opened, id, type, value.readUInt32LE(2));
      found.set(id, property);
    }
    return found;
  }

  return { open, valueOf, propertiesOf };
}
type PropertyReader = ReturnType<typeof createPropertyReader>;

interface Column {
  readonly id: number;
  readonly type: number;
  readonly at: number;
  readonly size: number;
  readonly bit: number;
}

/** Reads nodes as tables. */
function createTableReader(blocks: PstBlocks, { open, valueOf }: PropertyReader) {
  async function rowOf(opened: Opened, row: Buffer, columns: readonly Column[], bitsAt: number): Promise<MapiProperties> {
    const found = new Map<number, MapiProperty>();
    for (const { id, type, at, size, bit } of columns) {
      const there = ((row[bitsAt + Math.floor(bit / 8)] ?? 0) >> (7 - (bit % 8))) & 1;
      if (there === 0 || at + size > row.byteLength) continue;
      const cell = row.subarray(at, at + size);
      const isInline = isHeld(type) || (size === 8 && type !== TYPE.binary);
      found.set(id, isInline ? { id, type, bytes: cell } : await valueOf(opened, id, type, cell.readUInt32LE(0)));
    }
    return found;
  }

  async function* rawRows({ heap, subnodes }: Opened, reference: number, size: number): AsyncGenerator<Buffer, void, undefined> {
    if (reference === 0 || size === 0) return;
    const node = kindOf(reference) === 0 ? undefined : subnodes.get(reference);
    // A row never begins in one block and ends in the next.
    const parts = kindOf(reference) === 0 ? [heap.piece(reference)] : node ? blocks.dataOf(node.data) : [];
    for await (const part of parts) {
      for (let at = 0; at + size <= part.byteLength; at += size) yield part.subarray(at, at + size);
    }
  }

  /** The rows of a table. */
  async function rowsOf(node: Subnode): Promise<MapiProperties[]> {
    const opened = await open(node);
    const head = opened.heap.piece(opened.heap.root);
    const [mark, count = 0] = head;
    if (mark !== TABLE_MARK || head.byteLength < 22 + count * 8) throw damaged('a table is broken');
    const columns = Array.from({ length: count }, (_, index): Column => {
      const at = 22 + index * 8;
      return {
        type: head.readUInt16LE(at),
        id: head.readUInt16LE(at + 2),
        at: head.readUInt16LE(at + 4),
        size: head[at + 6] ?? 0,
        bit: head[at + 7] ?? 0,
      };
    });
    const rowBytes = head.readUInt16LE(8);
    const bitsAt = head.readUInt16LE(6);
    const known = [...opened.heap.records(head.readUInt32LE(10))].length;
    const rows: MapiProperties[] = [];
    for await (const row of rawRows(opened, head.readUInt32LE(14), rowBytes)) {
      if (rows.length >= Math.min(known, MOST_ROWS)) break;
      rows.push(await rowOf(opened, row, columns, bitsAt));
    }
    return rows;
  }

  return { rowsOf };
}

function referenceOf({ heap }: Opened, id: number): number | undefined {
  for (const [key, value] of heap.records(heap.root)) if (key.readUInt16LE(0) === id) return value.readUInt32LE(2);
  return undefined;
}

/** Reads one item as properties, recipients and attachments. */
function createItemReader(blocks: PstBlocks, isLarge: boolean) {
  const reader = createPropertyReader(blocks, isLarge, createBudget(LARGEST_ITEM));
  const { open, propertiesOf } = reader;
  const { rowsOf } = createTableReader(blocks, reader);

  async function attachmentOf(node: Subnode, depth: number): Promise<MapiAttachment> {
    const opened = await open(node);
    const properties = await propertiesOf(opened);
    const data = properties.get(MAPI.attachmentData);
    if (!data) return { properties };
    // An item that is attached is named by the node it is in.
    if (data.type === 0x000d) {
      const inner = data.bytes.byteLength >= 4 ? opened.subnodes.get(data.bytes.readUInt32LE(0)) : undefined;
      return inner && depth < DEEPEST ? { properties, item: await itemOf(inner, depth + 1) } : { properties };
    }
    if (data.unreadBytes === undefined) {
      const { bytes } = data;
      return { properties, content: { sizeBytes: bytes.byteLength, bytes: () => oneOf(bytes) } };
    }
    const reference = referenceOf(opened, MAPI.attachmentData);
    const below = reference === undefined ? undefined : opened.subnodes.get(reference);
    if (!below) throw damaged('an attachment is missing');
    return { properties, content: { sizeBytes: data.unreadBytes, bytes: () => blocks.dataOf(below.data) } };
  }

  async function itemOf(node: Subnode, depth: number): Promise<MapiItem> {
    const opened = await open(node);
    const recipients = opened.subnodes.get(RECIPIENTS);
    const attachments: MapiAttachment[] = [];
    for (const [nid, below] of [...opened.subnodes].sort(([a], [b]) => a - b)) {
      if (kindOf(nid) === ATTACHMENT) attachments.push(await attachmentOf(below, depth));
    }
    return { properties: await propertiesOf(opened), recipients: recipients ? await rowsOf(recipients) : [], attachments };
  }

  return {
    item: (node: Subnode) => itemOf(node, 0),
    properties: async (node: Subnode) => propertiesOf(await open(node)),
  };
}

/** Reads items of a data file, each within its own bounds. */
export function createPstObjects(blocks: PstBlocks, isLarge: boolean) {
  return {
    item: (node: Subnode) => createItemReader(blocks, isLarge).item(node),
    properties: (node: Subnode) => createItemReader(blocks, isLarge).properties(node),
  };
}
export type PstObjects = ReturnType<typeof createPstObjects>;

async function* oneOf(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield await Promise.resolve(bytes);
}
