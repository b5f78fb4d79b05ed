import type { ContentRef } from '../chunk/content-ref.ts';
import { vaultError } from '../errors.ts';
import type { BlobReader } from '../read/blobs.ts';
import type { VaultReader } from '../vault.ts';
import type { CheckedChain } from './journal-check.ts';
import { createKeepTest, itemVersions, type RetentionRecord } from './live-versions.ts';

/** A chain and what is kept of it. */
export interface KeptChain {
  readonly chain: CheckedChain;
  readonly record: RetentionRecord;
}

/** Every blob that is part of a content, the lists of its pieces included. */
async function* blobsOf(blobs: BlobReader, content: Pick<ContentRef, 'depth' | 'pieces'>): AsyncGenerator<string, void, undefined> {
  for (const piece of content.pieces) {
    yield piece[0];
    if (content.depth === 0) continue;
    const below: ContentRef['pieces'][number][] = [];
    for await (const one of blobs.pieces({ depth: 1, pieces: [piece] })) below.push(one);
    yield* blobsOf(blobs, { depth: content.depth - 1, pieces: below });
  }
}

/**
 * Every blob that must stay: what kept versions name, and what the journal itself lies in. Fails on
 * the first thing that can't be read: nothing may be swept while it is not known what is needed.
 */
export async function* reachableBlobs(
  reading: { readonly blobs: BlobReader; readonly reader: VaultReader },
  chains: readonly KeptChain[],
): AsyncGenerator<string, void, undefined> {
  for (const { chain, record } of chains) {
    if (chain.damages.length > 0) {
      throw vaultError('vault.damaged', `The journal of ${chain.resourceId} is damaged: nothing is pruned before it is repaired.`, {
        resourceId: chain.resourceId,
        object: chain.damages[0]?.name,
      });
    }
    if (record.isDropped) continue;
    for (const { body } of chain.segments) {
      if (!Array.isArray(body.changes)) yield* blobsOf(reading.blobs, body.changes as ContentRef);
      if (body.checkpoint) yield* blobsOf(reading.blobs, body.checkpoint.content);
    }
    const keeps = createKeepTest(chain.segments, record);
    for await (const version of itemVersions(reading.reader, chain.segments)) {
      if (!keeps.byPoint(version) && !keeps.byHold(version)) continue;
      for (const content of Object.values(version.item.content)) yield* blobsOf(reading.blobs, content);
    }
  }
}
