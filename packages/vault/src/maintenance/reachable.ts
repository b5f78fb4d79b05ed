import { isAppError } from '@holdfast/foundation/errors';
import type { ContentRef } from '../chunk/content-ref.ts';
import { vaultError } from '../shared/errors.ts';
import type { BlobReader } from '../read/blobs.ts';
import { parseLines } from '../journal/change-lines.ts';
import type { ItemPut, ItemState } from '../journal/journal.ts';
import { changeSource, type MaintenanceContext } from './context.ts';
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
 * The items whose contents must stay. Where segments are lost nobody can tell what they ended: every version
 * stays, and so does every item of a checkpoint, which may be all that is left of what a lost segment put.
 */
async function* keptItems(
  context: MaintenanceContext,
  { chain, record }: KeptChain,
): AsyncGenerator<Pick<ItemPut, 'content'>, void, undefined> {
  const isWhole = chain.lost.length === 0;
  const keeps = createKeepTest(chain.segments, record);
  for await (const version of itemVersions(changeSource(context), chain.segments)) {
    if (!isWhole || keeps.byPoint(version) || keeps.byHold(version)) yield version.item;
  }
  if (isWhole) return;
  for (const { body } of chain.segments) {
    if (body.checkpoint) yield* parseLines<ItemState>(context.reading.reader.read(body.checkpoint.content));
  }
}

/**
 * Every blob that must stay: what kept versions name, and what the journal itself is in. Fails on
 * the first thing that can't be read: nothing may be swept while it is not known what is needed.
 */
export async function* reachableBlobs(context: MaintenanceContext, chains: readonly KeptChain[]): AsyncGenerator<string, void, undefined> {
  for (const { chain, record } of chains) {
    const [damage] = chain.unsettled;
    if (damage) {
      throw vaultError('vault.damaged', `The journal of ${chain.resourceId} is damaged: nothing is pruned before it is repaired.`, {
        resourceId: chain.resourceId,
        object: damage.name,
      });
    }
    if (record.isDropped) continue;
    const { reading } = context;
    for (const { body } of chain.segments) {
      if (!Array.isArray(body.changes)) yield* blobsOf(reading.blobs, body.changes as ContentRef);
      if (body.checkpoint) yield* blobsOf(reading.blobs, body.checkpoint.content);
    }
    for await (const item of keptItems(context, { chain, record })) {
      for (const content of Object.values(item.content)) yield* blobsOf(reading.blobs, content);
    }
  }
}

/** Every blob of what was erased, whether something else needs it or not. A hold that the last prune recorded keeps its version. */
export async function* erasedBlobs(context: MaintenanceContext, chains: readonly KeptChain[]): AsyncGenerator<string, void, undefined> {
  for (const { chain, record } of chains) {
    if (record.isDropped || chain.lost.length > 0 || chain.unsettled.length > 0) continue;
    for await (const { item, isErased } of itemVersions(changeSource(context), chain.segments)) {
      if (!isErased) continue;
      for (const content of Object.values(item.content)) yield* storedBlobs(context, content);
    }
  }
}

/** As `blobsOf`; of lists that went already nothing below them is known or there. */
async function* storedBlobs(context: MaintenanceContext, content: ContentRef): AsyncGenerator<string, void, undefined> {
  try {
    yield* blobsOf(context.reading.blobs, content);
  } catch (error) {
    if (!isAppError(error, 'vault.damaged', 'vault.blob-missing', 'vault.object-missing')) throw error;
  }
}
