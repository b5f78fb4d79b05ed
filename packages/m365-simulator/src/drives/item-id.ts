import { hashText } from '../values/seeded.ts';

/** Where an item comes from: the seed by index, the seed's list of oddities, or somebody who created it. */
export type ItemOrigin = 'generated' | 'special' | 'created';

export interface ItemNumber {
  readonly origin: ItemOrigin;
  readonly index: number;
}

const ORIGINS: readonly ItemOrigin[] = ['generated', 'special', 'created'];
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const INDEX_BITS = 28;

/** A bijection on 32 bits, so that neighbouring items have ids that don't look alike and need no table to be read. */
function scramble(value: number): number {
  let mixed = value >>> 0;
  mixed ^= mixed >>> 16;
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 16;
  mixed = Math.imul(mixed, 0x846ca68b);
  mixed ^= mixed >>> 16;
  return mixed >>> 0;
}

/** Inverse of `scramble`: the odd factors have inverses modulo 2^32, and each shift by 16 undoes itself. */
function unscramble(value: number): number {
  let mixed = value >>> 0;
  mixed ^= mixed >>> 16;
  mixed = Math.imul(mixed, 0x43021123);
  mixed ^= mixed >>> 16;
  mixed = Math.imul(mixed, 0x1d69e2a5);
  mixed ^= mixed >>> 16;
  return mixed >>> 0;
}

function base32(bytes: Buffer): string {
  let out = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += ALPHABET[(held >> bits) & 31] ?? '';
    }
    held &= (1 << bits) - 1;
  }
  return out;
}

function fromBase32(text: string): Buffer | undefined {
  const out = Buffer.alloc(Math.floor((text.length * 5) / 8));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (const letter of text) {
    const value = ALPHABET.indexOf(letter);
    if (value < 0) return undefined;
    held = (held << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      out[at] = (held >> bits) & 0xff;
      at += 1;
    }
    held &= (1 << bits) - 1;
  }
  return out;
}

/** Ids of the items of one drive: 34 characters, reversible, valid in this drive alone. */
export interface ItemIds {
  id(number: ItemNumber): string;
  /** Undefined for an id that was never of this drive. */
  number(id: string): ItemNumber | undefined;
  /** The unique id of the item in SharePoint, upper case. */
  guid(id: string): string;
}

function fill(bytes: Buffer, word: number, salt: number): void {
  bytes.writeUInt32BE(scramble(word ^ 0x51ed270b ^ salt), 8);
  bytes.writeUInt32BE(scramble(word ^ 0x2545f491 ^ salt), 12);
  bytes.writeUInt32BE(scramble(word ^ 0x1b873593 ^ salt), 16);
}

/** The ids of the drive `driveId`. */
export function createItemIds(driveId: string): ItemIds {
  const drive = hashText(driveId);
  const salt = hashText(driveId, 0x9e3779b9);

  function id({ origin, index }: ItemNumber): string {
    const bytes = Buffer.alloc(20);
    const word = scramble(((ORIGINS.indexOf(origin) << INDEX_BITS) | index) ^ salt);
    bytes.writeUInt32BE(drive, 0);
    bytes.writeUInt32BE(word, 4);
    fill(bytes, word, salt);
    return `01${base32(bytes)}`;
  }

  function number(text: string): ItemNumber | undefined {
    if (text.length !== 34 || !text.startsWith('01')) return undefined;
    const bytes = fromBase32(text.slice(2));
    if (!bytes || bytes.readUInt32BE(0) !== drive) return undefined;
    const value = (unscramble(bytes.readUInt32BE(4)) ^ salt) >>> 0;
    const origin = ORIGINS[value >>> INDEX_BITS];
    const found = origin && { origin, index: value & ((1 << INDEX_BITS) - 1) };
    return found && id(found) === text ? found : undefined;
  }

  function guid(text: string): string {
    const hex = (fromBase32(text.slice(2)) ?? Buffer.alloc(20)).toString('hex', 4).toUpperCase();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  return Object.freeze({ id, number, guid });
}
