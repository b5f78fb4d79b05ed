import { randomBytes } from 'node:crypto';

/** A source of randomness. The secure one for secrets and ids, a seeded one for simulation and tests. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, limit). */
  below(limit: number): number;
  bytes(count: number): Buffer;
}

/** Asking the operating system costs the same for 16 bytes and for this many: ids are drawn for every request. */
const BLOCK_BYTES = 4_096;
let block = Buffer.alloc(0);
let used = 0;

/** The next bytes of a block that was drawn in one go. Each is given out once and wiped where it stood. */
function fromBlock(count: number): Buffer {
  if (count > BLOCK_BYTES / 8) return randomBytes(count);
  if (used + count > block.byteLength) {
    block = randomBytes(BLOCK_BYTES);
    used = 0;
  }
  const given = Buffer.allocUnsafe(count);
  block.copy(given, 0, used, used + count);
  block.fill(0, used, used + count);
  used += count;
  return given;
}

/** Cryptographically secure randomness of the operating system. */
export const secureRandom: Random = Object.freeze({
  next: () => fromBlock(6).readUIntBE(0, 6) / 2 ** 48,
  below(limit: number) {
    return Math.floor(secureRandom.next() * limit);
  },
  bytes: fromBlock,
});

/**
 * Word number `place`, from 1, of the sequence that begins at `seed` (splitmix32): the same on every machine. For those
 * who want a few words of very many sequences and no generator for each.
 */
export function seededWord(seed: number, place: number): number {
  let mixed = (seed + Math.imul(place, 0x9e3779b9)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** A reproducible generator: same seed, same sequence on every machine. Never for secrets. */
export function createSeededRandom(seed: number): Random {
  let place = 0;
  const word = (): number => seededWord(seed, (place += 1));
  const random: Random = {
    next: () => word() / 2 ** 32,
    below: (limit) => Math.floor((word() / 2 ** 32) * limit),
    bytes(count) {
      const out = Buffer.allocUnsafe(count);
      for (let index = 0; index < count; index += 1) out[index] = word() & 0xff;
      return out;
    },
  };
  return Object.freeze(random);
}
