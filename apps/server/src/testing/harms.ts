import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Every way to damage an object of a vault. */
export const HARMS = ['flip', 'cut', 'delete', 'swap', 'older copy', 'empty'] as const;
export type Harm = (typeof HARMS)[number];

const TRAILER_BYTES = 24;

function indexAt(pack: Buffer): number {
  return pack.byteLength - TRAILER_BYTES - pack.readUInt32BE(pack.byteLength - TRAILER_BYTES);
}

/** A pack whose index is damaged, with everything behind its frames. `other` is another pack, whose index a swap takes. */
export function withDamagedIndex(pack: Buffer, other: Buffer, way: Harm): Buffer {
  const at = indexAt(pack);
  const index = Buffer.from(pack.subarray(at));
  index[20] = (index[20] ?? 0) ^ 4;
  const ends: Readonly<Record<Harm, Buffer>> = {
    flip: index,
    cut: pack.subarray(at, -9),
    delete: Buffer.alloc(0),
    empty: Buffer.alloc(pack.byteLength - at),
    swap: other.subarray(indexAt(other)),
    'older copy': pack.subarray(at, -TRAILER_BYTES),
  };
  return Buffer.concat([pack.subarray(0, at), ends[way]]);
}

/**
 * Damages an object in the folder of a vault. A swap takes `peer`; so does an older copy, for what is written once has
 * none, unless it is given.
 */
export function harmObject(vault: string, [name, peer]: readonly [string, string], way: Harm, older?: string): void {
  const [file, other] = [path.join(vault, name), path.join(vault, peer)];
  const data = readFileSync(file);
  const at = Math.floor(data.byteLength * 0.4);
  const flipped = Buffer.from(data);
  flipped[at] = (flipped[at] ?? 0) ^ 4;
  const instead: Readonly<Record<Harm, () => Buffer | undefined>> = {
    flip: () => flipped,
    // The end of a pack is its index, without which its frames are found.
    cut: () => data.subarray(0, name.startsWith('packs') ? at : -9),
    delete: () => undefined,
    empty: () => Buffer.alloc(0),
    swap: () => readFileSync(other),
    'older copy': () => readFileSync(older ?? other),
  };
  const now = instead[way]();
  rmSync(file);
  if (now) writeFileSync(file, now);
  if (way === 'swap') writeFileSync(other, data);
}
