import type { ContentRef } from '../chunk/content-ref.ts';
import type { BlobPlace } from '../index/blob-index.ts';
import type { BlobReader } from './blobs.ts';

/**
 * Blobs of contents that will be read one after the other. Where their pieces lie is asked for together, when the first is wanted;
 * what no pack has, and what lists of pieces lead to, is asked for as without an announcement.
 */
export function createAnnouncedBlobs(blobs: BlobReader, announced: readonly ContentRef[]): BlobReader {
  const ids = [...new Set(announced.flatMap(({ pieces }) => pieces.map(([blobId]) => blobId)))];
  let asking: Promise<ReadonlyMap<string, BlobPlace>> | undefined;

  async function ask(): Promise<ReadonlyMap<string, BlobPlace>> {
    const places = await blobs.locate(ids);
    return new Map(ids.flatMap((blobId, at) => (places[at] ? [[blobId, places[at]] as const] : [])));
  }

  async function find(blobIds: readonly string[]): Promise<BlobPlace[]> {
    asking ??= ask();
    const known = await asking;
    const places = blobIds.flatMap((blobId) => known.get(blobId) ?? []);
    return places.length === blobIds.length ? places : blobs.find(blobIds);
  }

  return { ...blobs, find };
}
