import { randomBytes } from 'node:crypto';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { isAppError } from '@holdfast/foundation/errors';
import type { BlobStore } from '../blob/blob-store.ts';
import { sealObject } from '../crypto/small-object.ts';
import { vaultError } from '../shared/errors.ts';
import { sealMarker, type Chain, type ChainEnd } from './chain.ts';
import type { JournalContext } from './context.ts';
import { encodeCopy, readCopy } from './copies.ts';
import type { CommitOptions, ResourceHead } from './journal.ts';
import { copyName, markerName, restatedName, segmentName } from './segment-names.ts';
import { copySegment } from './copy-segment.ts';
import { decodeSegment, encodeSegment, headOf, type OpenedSegment, type SegmentBody } from './segment.ts';

/** What a commit writes: the body of its segment and the lines for its copy. */
export interface Prepared {
  readonly body: SegmentBody;
  readonly lines?: Buffer;
}

/** Writes whichever a crash kept from being written of a segment and its copy. */
async function completePair(context: JournalContext, { segment: { name }, entry }: NonNullable<ChainEnd['last']>): Promise<void> {
  if (!entry.copied.has(name)) await copySegment(context, name);
  if (!entry.copyOnly.has(name)) return;
  const copy = await readCopy(context.store, context.keys, name);
  const lock = context.lockForNow();
  if (copy) await context.store.put(name, [copy.data], lock ? { lock } : {});
}

/** Makes the segment of the head count for good, where the store can decide: nobody builds on what may still lose. */
export async function settleHead(context: JournalContext, folder: string, last: NonNullable<ChainEnd['last']>): Promise<void> {
  if (last.entry.marker !== undefined) return;
  await completePair(context, last);
  if (!context.store.abilities.conditionalPut) return;
  await putMarker(context, folder, last.segment);
}

async function putMarker(context: JournalContext, folder: string, segment: Pick<OpenedSegment, 'name' | 'hash' | 'body'>): Promise<void> {
  const name = markerName(folder, segment.body.sequence);
  const lock = context.lockForNow();
  await crashPoint('vault.marker.before-put');
  await context.store.put(name, [sealMarker(context.keys, name, { segment: segment.name, hash: segment.hash })], {
    ifAbsent: true,
    ...(lock ? { lock } : {}),
  });
  await crashPoint('vault.marker.after-put');
}

export function conflict(resourceId: string, sequence: number): Error {
  return vaultError('vault.commit-conflict', `Another commit of ${resourceId} came first.`, { resourceId, sequence });
}

/** Decides that `segment` is the one of its sequence, or that it is not. */
async function win(context: JournalContext, chain: Chain, folder: string, segment: OpenedSegment): Promise<boolean> {
  if (context.store.abilities.conditionalPut) {
    try {
      await putMarker(context, folder, segment);
      return true;
    } catch (error) {
      if (!isAppError(error, 'vault.object-exists')) throw error;
    }
  }
  const entries = await chain.entries(Math.max(1, segment.body.sequence - 1));
  const at = entries.findIndex((entry) => entry.sequence === segment.body.sequence);
  return (await chain.winner(entries, at))?.name === segment.name;
}

/** Notes beside the copies which lost segments are restated: readers and the next run need not look for them again. */
export async function noteRestated(context: JournalContext, folder: string, restates: readonly number[], by: number): Promise<void> {
  for (const sequence of restates) {
    const name = restatedName(folder, sequence);
    await crashPoint('vault.restated.before-put');
    await context.store.put(name, [sealObject(context.keys, name, { by })]);
    await crashPoint('vault.restated.after-put');
  }
}

/**
 * Writes a segment and its copy; nothing counts before both are durable. At the same time where a marker decides
 * afterwards, otherwise the segment first: there a copy alone says that its segment was lost.
 */
async function putSegment(context: JournalContext, name: string, data: Buffer, lines: Buffer | undefined): Promise<void> {
  const lock = context.lockForNow();
  const put = lock ? { lock } : {};
  const copy = async (): Promise<void> => {
    await crashPoint('vault.segment-copy.before-put');
    await context.store.put(copyName(name), [encodeCopy(context.keys, name, data, lines)], put);
    await crashPoint('vault.segment-copy.after-put');
  };
  const own = async (): Promise<void> => {
    await crashPoint('vault.segment.before-put');
    await context.store.put(name, [data], put);
    await crashPoint('vault.segment.after-put');
  };
  if (!context.store.abilities.conditionalPut) {
    await own();
    await copy();
    return;
  }
  const done = await Promise.allSettled([own(), copy()]);
  for (const one of done) if (one.status === 'rejected') throw one.reason;
}

export async function publish(
  context: JournalContext,
  place: { folder: string; chain: Chain },
  { body, lines }: Prepared,
  options: CommitOptions,
): Promise<ResourceHead> {
  const { folder, chain } = place;
  options.signal?.throwIfAborted();
  const name = segmentName(folder, body.sequence, body.fence, randomBytes(8).toString('hex'));
  const data = encodeSegment(context.keys, name, body);
  const segment = decodeSegment(context.keys, name, data);
  await putSegment(context, name, data, lines);
  if (options.isLeaseHeld && !(await options.isLeaseHeld())) {
    await withdraw(context.store, name);
    throw vaultError('vault.fenced', `The lease of ${body.resourceId} was lost before its commit counted.`, {
      resourceId: body.resourceId,
      fence: body.fence,
    });
  }
  if (!(await win(context, chain, folder, segment))) {
    await withdraw(context.store, name);
    throw conflict(body.resourceId, body.sequence);
  }
  return headOf(segment);
}

/** Takes back a segment that lost, its copy first. Readers ignore it anyway; a lock may keep it. */
async function withdraw(store: BlobStore, name: string): Promise<void> {
  await crashPoint('vault.segment.before-withdraw');
  for (const one of [copyName(name), name]) await store.delete(one).catch(() => undefined);
}
