import { createSeededRandom } from '@holdfast/foundation/random';
import { hashText } from '../values/seeded.ts';
import { ROW_BYTES, type Row, addRow, emptyRow, foldInto } from './quick-xor-hash.ts';

/**
 * Bytes that nothing compresses, by any length, from any offset, at memory speed. Each block of 40,960 bytes is one of
 * 64 fixed blocks XORed with a row of 160 bytes of its own. A block holds an even number of rows, so its own row cancels
 * out of the quickXorHash: the hash of a large file is the sum of known rows, and a listing need not make the file.
 */
export const BLOCK_BYTES = 256 * ROW_BYTES;
const POOL_BLOCKS = 64;
/** So many go out as one write: each costs a turn of the event loop and one of TLS. */
const BLOCKS_AT_ONCE = 8;
const BLOCK_WORDS = BLOCK_BYTES / 4;
const ROW_WORDS = ROW_BYTES / 4;

interface PoolBlock {
  readonly words: Int32Array;
  readonly row: Row;
}

let pool: readonly PoolBlock[] | undefined;

function makePool(): readonly PoolBlock[] {
  const random = createSeededRandom(0x5eed);
  return Array.from({ length: POOL_BLOCKS }, () => {
    const words = new Int32Array(BLOCK_WORDS);
    for (let index = 0; index < BLOCK_WORDS; index += 1) words[index] = Math.floor(random.next() * 2 ** 32);
    const row = emptyRow();
    foldInto(row, new Uint8Array(words.buffer), 0);
    return { words, row };
  });
}

function poolBlock(choice: number): PoolBlock {
  pool ??= makePool();
  return pool[choice % POOL_BLOCKS] as PoolBlock;
}

function startOf(key: number, block: number): number {
  return Math.imul((key ^ Math.imul(block + 1, 0x9e3779b1)) >>> 0, 0x85ebca6b) >>> 0;
}

function maskOf(start: number): Int32Array {
  const mask = new Int32Array(ROW_WORDS);
  let state = start === 0 ? 1 : start;
  for (let index = 0; index < ROW_WORDS; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    mask[index] = state;
  }
  return mask;
}

/** Writes block number `block` of the content called `key` at word `to`. */
function writeBlock(out: Int32Array, to: number, key: number, block: number): void {
  const start = startOf(key, block);
  const source = poolBlock(start >>> 8).words;
  const mask = maskOf(start);
  for (let at = 0; at < BLOCK_WORDS; at += ROW_WORDS) {
    for (let index = 0; index < ROW_WORDS; index += 1) out[to + at + index] = (source[at + index] as number) ^ (mask[index] as number);
  }
}

/** `count` blocks of the content called `key`, from number `first` on. */
function makeBlocks(key: number, first: number, count: number): Buffer {
  // Every word is written below: no need to clear them first.
  const bytes = Buffer.allocUnsafeSlow(count * BLOCK_BYTES);
  const out = new Int32Array(bytes.buffer, bytes.byteOffset, count * BLOCK_WORDS);
  for (let block = 0; block < count; block += 1) writeBlock(out, block * BLOCK_WORDS, key, first + block);
  return bytes;
}

/** The number that names a content, from any text. */
export function contentKey(text: string): number {
  return hashText(text, 0x1000193);
}

/** The bytes from `from` up to `to` of the content called `key`, some blocks at a time. */
export function* randomBytesOf(key: number, from: number, to: number): Generator<Buffer, void, undefined> {
  for (let at = from; at < to;) {
    const first = Math.floor(at / BLOCK_BYTES);
    const count = Math.min(BLOCKS_AT_ONCE, Math.ceil(to / BLOCK_BYTES) - first);
    const start = first * BLOCK_BYTES;
    const end = Math.min(start + count * BLOCK_BYTES, to);
    yield makeBlocks(key, first, count).subarray(at - start, end - start);
    at = end;
  }
}

/** The row of the first `sizeBytes` of the content called `key`, without making more than its last block. */
export function randomRowOf(key: number, sizeBytes: number): Row {
  const row = emptyRow();
  const whole = Math.floor(sizeBytes / BLOCK_BYTES);
  for (let block = 0; block < whole; block += 1) addRow(row, poolBlock(startOf(key, block) >>> 8).row);
  for (const rest of randomBytesOf(key, whole * BLOCK_BYTES, sizeBytes)) foldInto(row, rest, 0);
  return row;
}
