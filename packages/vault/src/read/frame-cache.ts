import { isAppError } from '@holdfast/foundation/errors';
import type { BlobStore } from '../blob/blob-store.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import type { BlobPlace } from '../index/blob-index.ts';
import { openFrame, type FramePlace } from '../pack/frame.ts';
import { framePlace } from '../pack/pack-reader.ts';
import { packName } from '../pack/pack.ts';
import { release, releaseSlice } from '../shared/release.ts';

/** Which frame of which pack. */
export type FrameAddress = Pick<BlobPlace, 'packId' | 'frame' | 'frameOffset' | 'frameLength'>;

export function frameKey(address: Pick<BlobPlace, 'packId' | 'frame'>): string {
  return `${address.packId}:${address.frame}`;
}

/** Keeps what was used last, up to `limitBytes` of it. What has to go is released as soon as those who have just been given it are done. */
function createByteCache(limitBytes: number) {
  const entries = new Map<string, Buffer>();
  let bytes = 0;
  return {
    get(key: string): Buffer | undefined {
      const found = entries.get(key);
      if (found) {
        entries.delete(key);
        entries.set(key, found);
      }
      return found;
    },
    set(key: string, value: Buffer): void {
      if (entries.has(key)) return;
      entries.set(key, value);
      bytes += value.byteLength;
      for (const [oldest, old] of entries) {
        if (bytes <= limitBytes || oldest === key) break;
        entries.delete(oldest);
        bytes -= old.byteLength;
        setImmediate(releaseSlice, old);
      }
    },
  };
}

/** Keys of packs, derived once each. */
export function createPackKeys(keys: VaultKeys): (packId: string) => FramePlace {
  const places = new Map<string, FramePlace>();
  return (packId) => {
    const known = places.get(packId);
    if (known) return known;
    if (places.size > 10_000) places.clear();
    const place = framePlace(keys, packId);
    places.set(packId, place);
    return place;
  };
}

/** Opened frames, one range read each. */
export interface FrameCache {
  /** The plaintext, good until the caller's turn ends: who needs some of it for longer copies it. */
  get(address: FrameAddress, signal?: AbortSignal): Promise<Buffer>;
}

/**
 * Reads and opens frames, keeps `limitBytes` of them open. A frame that does not open is read once
 * more before it counts as damaged: the wire may have been at fault.
 */
export function createFrameCache(store: BlobStore, keys: VaultKeys, limitBytes: number): FrameCache {
  const cache = createByteCache(limitBytes);
  const placeOf = createPackKeys(keys);
  const underWay = new Map<string, Promise<Buffer>>();

  async function read(address: FrameAddress, signal: AbortSignal | undefined): Promise<Buffer> {
    const range = { offset: address.frameOffset, length: address.frameLength };
    const place = placeOf(address.packId);
    const open = async (): Promise<Buffer> => {
      const sealed = await store.get(packName(address.packId), range, signal);
      try {
        return openFrame(place, address.frame, sealed);
      } finally {
        release(sealed);
      }
    };
    return open().catch((error: unknown) => {
      if (isAppError(error, 'vault.damaged')) return open();
      throw error;
    });
  }

  return {
    async get(address, signal) {
      const key = frameKey(address);
      const found = cache.get(key);
      if (found) return found;
      const started = underWay.get(key);
      if (started) return started;
      const work = read(address, signal);
      underWay.set(key, work);
      try {
        const plain = await work;
        cache.set(key, plain);
        return plain;
      } finally {
        underWay.delete(key);
      }
    },
  };
}
