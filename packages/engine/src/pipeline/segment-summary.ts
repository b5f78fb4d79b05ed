import type { Json } from '../ports/item.ts';

/** What a segment brought into the vault, as its summary tells. */
export interface SegmentBytes {
  readonly newBytes: number;
  readonly storedBytes: number;
}

function numberOf(summary: Json, name: keyof SegmentBytes): number {
  if (typeof summary !== 'object' || summary === null || Array.isArray(summary)) return 0;
  const value = (summary as Readonly<Record<string, Json>>)[name];
  return typeof value === 'number' ? value : 0;
}

/** Reads the bytes of a summary; segments that were written before it told them count as none. */
export function bytesOf(summary: Json): SegmentBytes {
  return { newBytes: numberOf(summary, 'newBytes'), storedBytes: numberOf(summary, 'storedBytes') };
}
