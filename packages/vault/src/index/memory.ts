import type { BlobIndex, BlobPlace, IndexedBlob } from './blob-index.ts';

/** An index in memory: for vaults of up to some millions of blobs, and for tests. */
export function createMemoryBlobIndex(): BlobIndex {
  const places = new Map<string, BlobPlace>();
  const byPack = new Map<string, readonly IndexedBlob[]>();

  function forget(packId: string): void {
    const lost = new Set<string>();
    for (const { blobId } of byPack.get(packId) ?? []) {
      if (places.get(blobId)?.packId !== packId) continue;
      places.delete(blobId);
      lost.add(blobId);
    }
    byPack.delete(packId);
    if (lost.size === 0) return;
    for (const blobs of byPack.values()) {
      for (const { blobId, place } of blobs) if (lost.has(blobId)) places.set(blobId, place);
    }
  }

  return Object.freeze({
    async find(blobIds: readonly string[]) {
      return blobIds.map((blobId) => places.get(blobId));
    },
    async lacking(blobIds: readonly string[]) {
      return blobIds.filter((blobId) => !places.has(blobId));
    },
    async addPack(packId: string, blobs: readonly IndexedBlob[]) {
      forget(packId);
      byPack.set(packId, blobs);
      for (const { blobId, place } of blobs) places.set(blobId, place);
    },
    async removePack(packId: string) {
      forget(packId);
    },
    async blobsOf(packId: string) {
      return (byPack.get(packId) ?? []).map((blob) => blob.blobId).filter((blobId) => places.get(blobId)?.packId === packId);
    },
    async *packs() {
      for (const packId of Array.from(byPack.keys())) yield packId;
    },
    get blobCount() {
      return places.size;
    },
    async flush() {
      // Memory is as durable as it gets.
    },
    async close() {
      places.clear();
      byPack.clear();
    },
  });
}
