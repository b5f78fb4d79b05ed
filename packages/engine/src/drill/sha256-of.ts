import { createHash } from 'node:crypto';
import type { Bytes } from '@holdfast/foundation/streams';

/** The hash of a stream. */
export async function sha256Of(bytes: Bytes): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of bytes) hash.update(part);
  return hash.digest('hex');
}
