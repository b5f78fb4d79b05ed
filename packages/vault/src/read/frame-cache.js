import { openFrame } from '../pack/frame.ts';
import { framePlace } from '../pack/pack-reader.ts';
import { packName } from '../pack/pack.ts';
export function frameKey(address) {
  return `${address.packId}:${address.frame}`;
}
/** Keeps what was used last, up to `limitBytes` of it. */
export function createByteCache(limitBytes) {
  const entries = new Map();
  let bytes = 0;
  return {
    get(key) {
      const found = entries.get(key);
      if (found) {
        entries.delete(key);
        entries.set(key, found);
      }
      return found;
    },
    set(key, value) {
      if (entries.has(key)) return;
      entries.set(key, value);
      bytes += value.byteLength;
      for (const [oldest, old] of entries) {
        if (bytes <= limitBytes || oldest === key) break;
        entries.delete(oldest);
        bytes -= old.byteLength;
      }
    },
    has: (key) => entries.has(key),
  };
}
/** Keys of packs, derived once each. */
export function createPackKeys(keys) {
  const places = new Map();
  return (packId) => {
    const known = places.get(packId);
    if (known) return known;
    if (places.size > 10_000) places.clear();
    const place = framePlace(keys, packId);
    places.set(packId, place);
    return place;
  };
}
/**
 * Reads and opens frames, keeps `limitBytes` of them open. A frame that does not open is read once
 * more before it counts as damaged: the wire may have been at fault.
 */
export function createFrameCache(store, keys, limitBytes) {
  const cache = createByteCache(limitBytes);
  const placeOf = createPackKeys(keys);
  const underWay = new Map();
  async function read(address, signal) {
    const range = { offset: address.frameOffset, length: address.frameLength };
    const place = placeOf(address.packId);
    const sealed = await store.get(packName(address.packId), range, signal);
    try {
      return openFrame(place, address.frame, sealed);
    } catch {
      return openFrame(place, address.frame, await store.get(packName(address.packId), range, signal));
    }
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
