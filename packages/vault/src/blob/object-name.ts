import { vaultError } from '../shared/errors.ts';
import type { BlobRange } from './blob-store.ts';

const NAME = /^[a-z0-9][a-z0-9.-]*(\/[a-z0-9][a-z0-9.-]*)*$/;

/** Refuses names that no object of a vault has: no path is ever made from anything else. */
export function checkObjectName(name: string): void {
  if (!NAME.test(name) || name.length > 512 || name.includes('..')) {
    throw vaultError('vault.bad-input', `"${name.slice(0, 80)}" is no object name.`, { field: 'name' });
  }
}

/** Start and end of a range within an object of `sizeBytes`, cut at its end. */
export function boundsOf(sizeBytes: number, range?: BlobRange): { start: number; end: number } {
  if (!range) return { start: 0, end: sizeBytes };
  if ('last' in range) return { start: Math.max(0, sizeBytes - range.last), end: sizeBytes };
  const start = Math.min(range.offset, sizeBytes);
  return { start, end: Math.min(sizeBytes, start + range.length) };
}

export function sliceOf(data: Buffer, range?: BlobRange): Buffer {
  const { start, end } = boundsOf(data.byteLength, range);
  return data.subarray(start, end);
}
