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

/** The contents of a version that must stay, or of one that was erased. */
interface UsedContents {
  readonly content: ItemPut['content'];
  readonly isKept: boolean;
}

/**
 * The items whose contents must stay, and those that were erased. Where segments are lost nobody can tell what they ended: every
 * version stays, and so does every item of a checkpoint, which may be all that is left of what a lost segment put.
 */
async function* usedContents(context: MaintenanceContext, { chain, record }: KeptChain): AsyncGenerator<UsedContents, void, undefined> {
  const isWhole = chain.lost.length === 0;
  const keeps = createKeepTest(chain.segments, record);
  for await (const version of itemVersions(changeSource(context), chain.segments)) {
    const isKept = !isWhole || keeps.byPoint(version) || keeps.byHold(version);
    if (isKept || version.isErased) yield { content: version.item.content, isKept };
  }
  if (isWhole) return;
  for (const { body } of chain.segments) {
    if (!body.checkpoint) continue;
    for await (const { content } of parseLines<ItemState>(context.reading.reader.read(body.checkpoint.content)))
      yield { content, isKept: true };
  }
}

/**
 * Every blob that must stay: what kept versions name, and what the journal itself is in. Fails on
 * the first thing that can't be read: nothing may be swept while it is not known what is needed.
 * `tellErased` hears of every blob of what was erased, whether something else needs it or not.
 */
export async function* reachableBlobs(
  context: MaintenanceContext,
  chains: readonly KeptChain[],
  tellErased?: (blobId: string) => void,
): AsyncGenerator<string, void, undefined> {
  for (const { chain, record } of chains) {
    const [damage] = chain.unsettled;
    if (damage) {
      throw vaultError('vault.damaged', `The journal of ${chain.resourceId} is damaged: nothing is pruned before it is repaired.`, {
        resourceId: chain.resourceId,
        object: damage.name,
      });
    }
    if (record.isDropped) continue;
    yield* blobsOfJournal(context, chain);
    yield* blobsOfItems(context, { chain, record }, tellErased);
  }
}

async function* blobsOfJournal({ reading }: MaintenanceContext, { segments }: CheckedChain): AsyncGenerator<string, void, undefined> {
  for (const { body } of segments) {
    if (!Array.isArray(body.changes)) yield* blobsOf(reading.blobs, body.changes as ContentRef);
    if (body.checkpoint) yield* blobsOf(reading.blobs, body.checkpoint.content);
  }
}

async function* blobsOfItems(
  context: MaintenanceContext,
  kept: KeptChain,
  tellErased: ((blobId: string) => void) | undefined,
): AsyncGenerator<string, void, undefined> {
  for await (const { content, isKept } of usedContents(context, kept)) {
    for (const one of Object.values(content)) {
      if (isKept) yield* blobsOf(context.reading.blobs, one);
      else if (tellErased) for await (const blobId of storedBlobs(context, one)) tellErased(blobId);
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
