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
