import { expect, it } from 'vitest';
import { release, releaseSlice } from './release.ts';

it('memory is given back by its one owner, and never through a view of what others share', () => {
  const own = Buffer.allocUnsafeSlow(300_000);
  release(own.subarray(5));
  expect(own.byteLength).toBe(300_000);
  release(own);
  expect(own.byteLength).toBe(0);
  release(own);
  release(undefined);
  const shared = new Uint8Array(new SharedArrayBuffer(300_000));
  release(shared);
  expect(shared.byteLength).toBe(300_000);
  const slice = Buffer.allocUnsafeSlow(300_000).subarray(0, 100);
  releaseSlice(slice);
  expect(slice.byteLength).toBe(0);
  const small = Buffer.allocUnsafeSlow(1000);
  releaseSlice(small);
  releaseSlice(undefined);
  expect(small.byteLength).toBe(1000);
});
