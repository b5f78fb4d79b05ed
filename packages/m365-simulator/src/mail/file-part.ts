import { closeSync, openSync, readSync } from 'node:fs';

/** A message in a file, or in the part of one. */
export interface FilePart {
  readonly path: string;
  readonly start: number;
  readonly sizeBytes: number;
}

/** The bytes of a message in a file. */
export function readPart(part: FilePart, limitBytes = part.sizeBytes): Buffer {
  const size = Math.min(limitBytes, part.sizeBytes);
  const data = Buffer.alloc(size);
  const file = openSync(part.path, 'r');
  try {
    const read = readSync(file, data, 0, size, part.start);
    return data.subarray(0, read);
  } finally {
    closeSync(file);
  }
}
