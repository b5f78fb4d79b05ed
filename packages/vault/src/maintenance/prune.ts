import { crashPoint } from '@holdfast/foundation/crash-point';
import { isAppError } from '@holdfast/foundation/errors';
import { listPacks, synchroniseIndex } from '../pack/synchronise.ts';
import { copyName } from '../journal/segment-names.ts';
import { headOf } from '../journal/segment.ts';
import { readPackIndex } from '../pack/pack-reader.ts';
import { packName } from '../pack/pack.ts';
import { createBlobSink } from './blob-sink.ts';
import { changeSource, type MaintenanceContext } from './context.ts';
import { checkJournal, type CheckedChain } from './journal-check.ts';
import { createKeepTest, itemVersions, readRetention, replacedRecords, writeRetention, type RetentionRecord } from './live-versions.ts';
import type { PruneOptions, PrunePolicy, PruneReport } from './maintenance.ts';
import { markName, readMarks, sealMark, type NamedMark } from './marks.ts';
import { reachableBlobs, type KeptChain } from './reachable.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Blob ids held in memory at once; a vault with more is looked at in slices of its ids. */
const IDS_AT_ONCE = 2_000_000;

interface PackUse {
  readonly packId: string;
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  totalBytes: number;
  liveBytes: number;
  liveBlobs: number;
  blobs: number;
  /** Blobs of what was erased that nothing else needs. */
  erasedBlobs: number;
}

/** What the policy lets go, as a record: what went before stays gone, what is held is named version by version. */
async function decide(
  context: MaintenanceContext,
  policy: PrunePolicy,
  chain: CheckedChain,
  before: RetentionRecord,
): Promise<RetentionRecord> {
  const { resourceId, segments } = chain;
  if (policy.dropsResource?.(resourceId)) return { ...before, isDropped: true };
  if (chain.lost.length > 0) return before;
  const head = segments.at(-1)?.body.sequence;
  const gone = new Set(before.droppedPoints);
  const droppedPoints = segments
    .filter(({ body }) => body.restorePoint && body.sequence !== head)
    .filter((segment) => gone.has(segment.body.sequence) || !policy.keepsPoint({ ...headOf(segment), resourceId }))
    .map((segment) => segment.body.sequence);
  const next: RetentionRecord = { droppedPoints, heldVersions: [], isDropped: false };
  // Who can't tell what is on hold releases nothing.
  if (!policy.isHeld) return { ...next, heldVersions: before.heldVersions };
  const keptBefore = createKeepTest(segments, before);
  const keptNow = createKeepTest(segments, next);
  const heldVersions: [string, number][] = [];
  for await (const version of itemVersions(changeSource(context), segments)) {
    const isThere = keptBefore.byPoint(version) || keptBefore.byHold(version);
    if (isThere && !keptNow.byPoint(version) && policy.isHeld(resourceId, version.item.itemId))
      heldVersions.push([version.item.itemId, version.sequence]);
  }
  return { ...next, heldVersions };
}

async function recordRetention(context: MaintenanceContext, options: PruneOptions): Promise<KeptChain[]> {
  const { store, keys } = context;
  const kept: KeptChain[] = [];
  for await (const chain of checkJournal(store, keys)) {
    options.signal?.throwIfAborted();
    const { record: before, names, isTwice } = await readRetention(store, keys, chain.resourceKey);
    const isSettled = chain.unsettled.length === 0;
    const record = isSettled ? await decide(context, options.policy, chain, before) : before;
    if (isSettled && ((names.length > 0 && !isTwice) || JSON.stringify(record) !== JSON.stringify(before))) {
      await crashPoint('vault.prune.before-record');
      await writeRetention(store, keys, chain.resourceKey, { record, names });
    }
    kept.push({ chain, record });
  }
  return kept;
}

/** Of a slice of ids those that something needs, and those that only erased items had. */
async function lookAtSlice(context: MaintenanceContext, chains: readonly KeptChain[], isInSlice: (blobId: string) => boolean) {
  const needed = new Set<string>();
  const ofErased = new Set<string>();
  const tellErased = (blobId: string): void => void (isInSlice(blobId) && ofErased.add(blobId));
  for await (const blobId of reachableBlobs(context, chains, tellErased)) if (isInSlice(blobId)) needed.add(blobId);
  return { needed, erased: ofErased.difference(needed) };
}

/**
 * How much of each pack is needed. A blob that is in several packs counts where it will stay: in
 * one that is not marked. Ids are looked at in slices, so that memory is bounded.
 */
async function measureUse(
  context: MaintenanceContext,
  chains: readonly KeptChain[],
  marked: ReadonlySet<string>,
): Promise<Map<string, PackUse>> {
  const { store, keys, index } = context;
  const uses = new Map<string, PackUse>();
  for await (const pack of listPacks(store))
    uses.set(pack.packId, { ...pack, totalBytes: 0, liveBytes: 0, liveBlobs: 0, blobs: 0, erasedBlobs: 0 });
  const inOrder = [...uses.values()].toSorted((a, b) => Number(marked.has(a.packId)) - Number(marked.has(b.packId)));
  const slices = Math.max(1, Math.ceil(index.blobCount / IDS_AT_ONCE));
  for (let slice = 0; slice < slices; slice += 1) {
    const isInSlice = (blobId: string): boolean => Number.parseInt(blobId.slice(0, 8), 16) % slices === slice;
    const { needed, erased } = await lookAtSlice(context, chains, isInSlice);
    for (const use of inOrder) {
      const frames = await readPackIndex(store, keys, use.packId).catch((error: unknown) => {
        if (isAppError(error, 'vault.damaged', 'vault.object-missing')) return undefined;
        throw error;
      });
      if (!frames) {
        uses.delete(use.packId);
        continue;
      }
      for (const blob of frames.frames.flatMap((frame) => frame.blobs)) {
        if (!isInSlice(blob.blobId)) continue;
        use.blobs += 1;
        use.totalBytes += blob.length;
        if (erased.has(blob.blobId)) use.erasedBlobs += 1;
        if (!needed.delete(blob.blobId)) continue;
        use.liveBlobs += 1;
        use.liveBytes += blob.length;
      }
    }
  }
  return uses;
}

interface Sweep {
  readonly swept: string[];
  readonly locked: string[];
  freedBytes: number;
}

/** Sweeps the packs of marks whose time has come, keeps those that something names again. */
async function sweep(
  context: MaintenanceContext,
  marks: readonly NamedMark[],
  uses: ReadonlyMap<string, PackUse>,
  nowMs: number,
): Promise<Sweep> {
  const { store, index } = context;
  const done: Sweep = { swept: [], locked: [], freedBytes: 0 };
  for (const mark of marks.filter(({ sweepAt }) => Date.parse(sweepAt) <= nowMs)) {
    for (const packId of mark.packIds) {
      const use = uses.get(packId);
      if (!use || use.liveBlobs > 0) continue;
      try {
        await crashPoint('vault.prune.before-sweep');
        await index.removePack(packId);
        await store.delete(packName(packId));
        await crashPoint('vault.prune.after-sweep');
        done.swept.push(packId);
        done.freedBytes += use.sizeBytes;
      } catch (error) {
        if (!isAppError(error, 'vault.object-locked')) throw error;
        done.locked.push(packId);
      }
    }
    await crashPoint('vault.prune.before-unmark');
    await store.delete(mark.name);
    await crashPoint('vault.prune.after-unmark');
  }
  return done;
}

async function mark(context: MaintenanceContext, packIds: readonly string[], nowMs: number, graceMs: number): Promise<void> {
  if (packIds.length === 0) return;
  const name = markName(context.options.ids.uuid());
  const sealed = sealMark(context.keys, name, {
    markedAt: new Date(nowMs).toISOString(),
    sweepAt: new Date(nowMs + graceMs).toISOString(),
    packIds,
  });
  await crashPoint('vault.prune.before-mark');
  await context.store.put(name, [sealed]);
  await crashPoint('vault.prune.after-mark');
  await context.guard.refresh();
}

/** Writes what is needed of sparse packs into new ones. The old ones are marked already and go later. */
async function repack(context: MaintenanceContext, chains: readonly KeptChain[], sparse: ReadonlySet<string>): Promise<void> {
  if (sparse.size === 0) return;
  const sink = await createBlobSink(context, 'repack', sparse);
  for await (const blobId of reachableBlobs(context, chains)) {
    const [place] = await context.index.find([blobId]);
    if (place && sparse.has(place.packId)) await sink.add(blobId, await context.reading.blobs.at(blobId, place));
  }
  await crashPoint('vault.prune.before-repack-close');
  await sink.close();
  await crashPoint('vault.prune.after-repack-close');
}

/** Segments that lost, journals of dropped resources, older records, and what uploads left behind. */
async function removeOrphans(context: MaintenanceContext, chains: readonly KeptChain[], beforeMs: number): Promise<number> {
  const { store, keys } = context;
  let removed = await store.removeLeftovers(beforeMs);
  const remove = async (name: string): Promise<void> => {
    try {
      await crashPoint('vault.prune.before-orphan');
      await store.delete(name);
      removed += 1;
    } catch (error) {
      if (!isAppError(error, 'vault.object-locked')) throw error;
    }
  };
  for (const { chain, record } of chains) {
    for (const name of chain.orphans.flatMap((orphan) => [copyName(orphan), orphan])) {
      const info = await store.stat(name);
      if (info && info.modifiedAtMs < beforeMs) await remove(name);
    }
    const { names } = await readRetention(store, keys, chain.resourceKey);
    if (record.isDropped) {
      for (const folder of ['journal', 'copies']) {
        for await (const { name } of store.list(`${folder}/${chain.resourceKey}/`)) await remove(name);
      }
    }
    for (const name of record.isDropped ? names : replacedRecords(names)) await remove(name);
  }
  return removed;
}

/**
 * Lets go what the policy lets go. Marks before it sweeps: what is marked now is swept by a later
 * prune, after the grace time, if nothing names it by then. Safe beside writers, killable anywhere.
 */
export async function pruneVault(context: MaintenanceContext, options: PruneOptions): Promise<PruneReport> {
  const { store, keys } = context;
  const { clock, logger } = context.options;
  const graceMs = options.graceMs ?? DAY_MS;
  const nowMs = options.nowMs ?? clock.nowMs();
  await synchroniseIndex({ store, keys, index: context.index, logger });
  const marks = await readMarks(store, keys);
  const chains = await recordRetention(context, options);
  const everMarked = new Set(marks.flatMap((one) => one.packIds));
  const uses = await measureUse(context, chains, everMarked);
  const done = await sweep(context, marks, uses, nowMs);

  const stillMarked = new Set((await readMarks(store, keys)).flatMap((one) => one.packIds));
  const oldEnough = [...uses.values()].filter(
    (use) =>
      use.modifiedAtMs <= nowMs - graceMs &&
      !stillMarked.has(use.packId) &&
      !done.swept.includes(use.packId) &&
      !done.locked.includes(use.packId),
  );
  const unused = oldEnough.filter((use) => use.liveBlobs === 0);
  const repackBelow = options.repackBelow ?? 0.5;
  // A pack that holds erased items is rewritten even when everything else in it is still needed.
  const sparse = oldEnough.filter((use) => use.liveBlobs > 0 && (use.liveBytes < use.totalBytes * repackBelow || use.erasedBlobs > 0));
  await mark(
    context,
    [...unused, ...sparse].map((use) => use.packId),
    nowMs,
    graceMs,
  );
  await repack(context, chains, new Set(sparse.map((use) => use.packId)));
  const orphanObjects = await removeOrphans(context, chains, nowMs - graceMs);
  const all = [...uses.values()];
  return {
    keptBlobs: all.reduce((sum, use) => sum + use.liveBlobs, 0),
    unreachableBlobs: all.reduce((sum, use) => sum + use.blobs - use.liveBlobs, 0),
    markedPacks: [...unused, ...sparse].map((use) => use.packId),
    sweptPacks: done.swept,
    repackedPacks: sparse.map((use) => use.packId),
    lockedPacks: done.locked,
    erasedBlobs: all.filter(({ packId }) => !done.swept.includes(packId)).reduce((sum, use) => sum + use.erasedBlobs, 0),
    lostResources: chains.filter(({ chain }) => chain.lost.length > 0).length,
    freedBytes: done.freedBytes,
    orphanObjects,
  };
}
