/** Node's pool of small buffers is not larger than this. */
const SHARED_POOL_BYTES = 128 * 1024;

/**
 * Gives the memory of a buffer back at once instead of at some later garbage collection: at hundreds
 * of megabytes a second the difference is the peak of the process. Whoever still holds a view of it
 * holds an empty one, so only the last owner may call this. Views into shared pools are left alone.
 */
export function release(data: ArrayBufferLike | Uint8Array | undefined): void {
  if (data === undefined) return;
  if (data instanceof Uint8Array) {
    if (data.byteLength === data.buffer.byteLength) release(data.buffer);
    return;
  }
  if (data instanceof ArrayBuffer && !data.detached) data.transfer(0);
}

/** As `release`, for a buffer that may be a slice of memory nobody else has, as zlib gives it. Small ones come from a shared pool and are left. */
export function releaseSlice(data: Uint8Array | undefined): void {
  if (data && data.buffer.byteLength > SHARED_POOL_BYTES) release(data.buffer);
}
