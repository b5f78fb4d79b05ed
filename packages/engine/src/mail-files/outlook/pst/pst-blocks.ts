import { crc32, inflateSync } from 'node:zlib';
import type { MailFile } from '../../mail-file.ts';
import { damaged } from '../damaged.ts';
import { wide, type PstHeader } from './pst-header.ts';
import type { PstPages } from './pst-pages.ts';

/** The table of [MS-PST] 5.1 that turns bytes back which "compressible encryption" has exchanged for others. */
const PERMUTED = Buffer.from(
  'R/G05gtqckiFTp7r4viUU+C7oALoWgmr2+O6xnzDEN05BZYw9TdggozJE0prHfP7jyaXypEXAcQyLW4xlf/ZI9EAXnncRDsaKMVhVyCQPYO5Q75n0kZCdsBtW36yDxYpPKkDVA3aXd/2t8dizY0G02lchtYU96Vmdayx6UUhcAyHn3SkIkxvvx9Wqi6zeDNQsKOSvM8ZHKdjyx5NPksbm0/n8O6tOrVZBOpAVSVR5XqJOGhSe/wnrte9+gf0zI5f7zWchCsV1Xc0SbYSCn9xiP2dGEF9k9hYLM7+JK/euDbIoYCmmZioLw6BZXPkwqKK1OER0AiLKvLtmmQ/wWz57A==',
  'base64',
);
/** A block holds no more than this. */
const LARGEST_BLOCK = 64 * 1024;
/** Entries of one list of blocks or of subnodes. */
const MOST_ENTRIES = 1_000_000;
const ALL_BITS = 0xff_ff_ff_ff;

/** A node below a node. */
export interface Subnode {
  readonly data: number;
  readonly sub: number;
}

const isInternal = (bid: number): boolean => Math.floor(bid / 2) % 2 === 1;

/** Single blocks, as they are in the file. */
function createRawBlocks(file: MailFile, pages: PstPages, { shape, isPermuted, blocks }: PstHeader) {
  const isAnsi = shape === 'ansi';
  const idBytes = isAnsi ? 4 : 8;
  const idAt = (bytes: Buffer, at: number): number => (isAnsi ? bytes.readUInt32LE(at) : wide(bytes, at));

  async function place(bid: number): Promise<{ readonly at: number; readonly size: number; readonly plainSize: number }> {
    // The lowest bit says nothing of which block it is.
    const entry = await pages.find(blocks, 'blocks', bid - (bid % 2));
    if (!entry) throw damaged('a block is missing');
    const size = entry.readUInt16LE(idBytes * 2);
    const plainSize = shape === 'unicode4k' ? entry.readUInt16LE(idBytes * 2 + 2) : size;
    return { at: idAt(entry, idBytes), size, plainSize };
  }

  async function load(bid: number): Promise<Buffer> {
    const { at, size, plainSize } = await place(bid);
    if (!Number.isSafeInteger(at) || size > LARGEST_BLOCK) throw damaged('a block is nowhere');
    const trailer = isAnsi ? 12 : shape === 'unicode' ? 16 : 24;
    const unit = shape === 'unicode4k' ? 512 : 64;
    const whole = Math.ceil((size + trailer) / unit) * unit;
    const bytes = await file.read(at, whole);
    if (bytes.byteLength < whole) throw damaged('it ends before a block');
    const data = bytes.subarray(0, size);
    if (shape !== 'unicode4k') check(data, bytes.readUInt32LE(whole - trailer + (isAnsi ? 8 : 4)));
    return plainSize === size ? data : unpacked(data);
  }

  function plain(bytes: Buffer): Buffer {
    if (!isPermuted) return bytes;
    const out = Buffer.allocUnsafe(bytes.byteLength);
    for (let at = 0; at < bytes.byteLength; at += 1) out[at] = PERMUTED[bytes[at] ?? 0] ?? 0;
    return out;
  }

  return { isAnsi, idBytes, idAt, place, load, plain };
}

/** The checksum of [MS-PST] 5.3 begins at nothing and is not turned over at the end, as that of zip files is. */
function check(bytes: Buffer, stored: number): void {
  const found = (crc32(bytes, ALL_BITS) ^ ALL_BITS) >>> 0;
  if (stored !== 0 && stored !== found) throw damaged('a block has changed');
}

function unpacked(data: Buffer): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: LARGEST_BLOCK });
  } catch {
    throw damaged('a block does not unpack');
  }
}

/** The blocks of a data file, which hold what its nodes are made of. */
export function createPstBlocks(file: MailFile, pages: PstPages, header: PstHeader) {
  const { isAnsi, idBytes, idAt, place, load, plain } = createRawBlocks(file, pages, header);

  function listed(bytes: Buffer): { readonly level: number; readonly total: number; readonly ids: readonly number[] } {
    const count = bytes.readUInt16LE(2);
    if (bytes[0] !== 1 || count > MOST_ENTRIES || 8 + count * idBytes > bytes.byteLength) throw damaged('a list of blocks is broken');
    return {
      level: bytes[1] ?? 0,
      total: bytes.readUInt32LE(4),
      ids: Array.from({ length: count }, (_, at) => idAt(bytes, 8 + at * idBytes)),
    };
  }

  async function* dataOf(bid: number, depth = 0): AsyncGenerator<Buffer, void, undefined> {
    if (bid === 0) return;
    if (!isInternal(bid)) {
      yield plain(await load(bid));
      return;
    }
    const { level, ids } = listed(await load(bid));
    if (depth > 1 || level > 2 - depth) throw damaged('a list of blocks contains itself');
    for (const id of ids) yield* dataOf(id, depth + 1);
  }

  async function* subnodesOf(bid: number, depth: number): AsyncGenerator<readonly [number, Subnode], void, undefined> {
    const bytes = await load(bid);
    const count = bytes.readUInt16LE(2);
    const start = isAnsi ? 4 : 8;
    const isLeaf = bytes[1] === 0;
    const size = idBytes * (isLeaf ? 3 : 2);
    if (bytes[0] !== 2 || depth > 1 || start + count * size > bytes.byteLength) throw damaged('a list of nodes is broken');
    for (let at = start; at < start + count * size; at += size) {
      const id = bytes.readUInt32LE(at);
      const data = idAt(bytes, at + idBytes);
      if (isLeaf) yield [id, { data, sub: idAt(bytes, at + idBytes * 2) }];
      else yield* subnodesOf(data, depth + 1);
    }
  }

  return {
    dataOf: (bid: number) => dataOf(bid),
    /** How many bytes there are, without reading them. */
    async sizeOf(bid: number): Promise<number> {
      if (bid === 0) return 0;
      return isInternal(bid) ? listed(await load(bid)).total : (await place(bid)).plainSize;
    },
    /** Where in the file something begins, for whoever looks for it there. */
    async offsetOf(bid: number): Promise<number> {
      return (await place(bid).catch(() => undefined))?.at ?? 0;
    },
    async subnodesOf(bid: number): Promise<ReadonlyMap<number, Subnode>> {
      const found = new Map<number, Subnode>();
      if (bid === 0) return found;
      for await (const [id, node] of subnodesOf(bid, 0)) {
        found.set(id, node);
        if (found.size > MOST_ENTRIES) throw damaged('it lists too many nodes');
      }
      return found;
    },
  };
}
export type PstBlocks = ReturnType<typeof createPstBlocks>;
