import type { Json, JsonObject } from '../ports/item.ts';

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

/** Who wanted the items of a segment erased, and why, as its summary tells. */
export function reasonOf(summary: Json): JsonObject {
  if (typeof summary !== 'object' || summary === null || Array.isArray(summary)) return {};
  const { erasure } = summary as JsonObject;
  return typeof erasure === 'object' && erasure !== null && !Array.isArray(erasure) ? (erasure as JsonObject) : {};
}
