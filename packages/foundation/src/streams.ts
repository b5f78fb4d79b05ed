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
