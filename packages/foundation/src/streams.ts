import { AppError } from './errors.ts';

export type Bytes = AsyncIterable<Uint8Array>;

/** Collects a stream into one buffer; fails with `stream.too-long` as soon as `limitBytes` is passed. */
export async function collect(source: Bytes, limitBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of source) {
    total += part.byteLength;
    if (total > limitBytes) throw new AppError('stream.too-long', { details: { limitBytes } });
    parts.push(part);
  }
  return Buffer.concat(parts, total);
}

/** A stream of one piece. */
export async function* once(data: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (data.byteLength > 0) yield data;
}

/** The same bytes in pieces of exactly `sizeBytes`, the last one shorter. */
export async function* rechunk(source: Bytes, sizeBytes: number): AsyncGenerator<Buffer, void, undefined> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const part of source) {
    let rest = part;
    while (heldBytes + rest.byteLength >= sizeBytes) {
      const take = sizeBytes - heldBytes;
      held.push(rest.subarray(0, take));
      yield Buffer.concat(held, sizeBytes);
      held = [];
      heldBytes = 0;
      rest = rest.subarray(take);
    }
    if (rest.byteLength > 0) {
      held.push(rest);
      heldBytes += rest.byteLength;
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held, heldBytes);
}
