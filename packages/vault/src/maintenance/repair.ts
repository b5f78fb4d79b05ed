import { crashPoint } from '@holdfast/foundation/crash-point';
import { isAppError } from '@holdfast/foundation/errors';
import type { BlobStore } from '../blob/blob-store.ts';
import type { ContentRef } from '../chunk/content-ref.ts';
import { openDocument } from '../documents/documents.ts';
import { openObject } from '../crypto/small-object.ts';
import { HEADER_COPY_NAME, HEADER_NAME, openHeader, readHeader, writeHeader } from '../header/header.ts';
import { badFrames } from '../pack/pack-check.ts';
import { readPackIndex } from '../pack/pack-reader.ts';
import { indexedBlobs, packIdOf, packName } from '../pack/pack.ts';
import { createBlobSink } from './blob-sink.ts';
import { changeSource, type MaintenanceContext } from './context.ts';
import { itemVersions, mendRetention } from './live-versions.ts';
import { checkChain } from './journal-check.ts';
import type { AffectedItem, Damage, RepairOptions, RepairReport, RepairStep } from './maintenance.ts';
import { blobsOfMisnamed } from './misnamed-pack.ts';
import { copyOldSegments, repairContents, repairCopy, repairMarker, repairSegment, type JournalRepair } from './repair-journal.ts';
import { blobsOfContent } from './restore-content.ts';
import { verifyVault } from './verify.ts';

interface Repairing {
  readonly context: MaintenanceContext;
  readonly options: RepairOptions;
  readonly steps: RepairStep[];
  readonly journal: JournalRepair;
  restoredBlobs: number;
}

async function replace(store: BlobStore, name: string, data: Buffer): Promise<void> {
  await crashPoint('vault.repair.before-put');
  await store.put(name, [data]);
  await crashPoint('vault.repair.after-put');
}

/** Opens something in the second copy, or reads what is left here; `undefined` when there is nothing that is whole. */
async function fromCopy<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isAppError(error, 'vault.damaged', 'vault.object-missing', 'vault.not-found', 'vault.wrong-key')) return undefined;
    throw error;
  }
}

/** Both headers from the newest intact one, wherever it lies. */
async function repairHeader(repairing: Repairing): Promise<void> {
  const { context, options } = repairing;
  const own = await fromCopy(() => readHeader(context.store, context.options.keyRing));
  const { secondCopy } = options;
  const other =
    secondCopy && (await fromCopy(async () => openHeader(HEADER_NAME, await secondCopy.get(HEADER_NAME), context.options.keyRing)));
  const isOurs = other?.header.vaultId === context.keys.vaultId;
  const best = own && other && isOurs && other.header.keyVersion > own.header.keyVersion ? other : (own ?? (isOurs ? other : undefined));
  if (!best) return;
  await writeHeader(context.store, context.keys, best.header);
  for (const name of [HEADER_NAME, HEADER_COPY_NAME]) repairing.steps.push({ name, source: best === own ? 'copy' : 'second-copy' });
}

async function packFromCopy(repairing: Repairing, packId: string): Promise<boolean> {
  const { context, options } = repairing;
  const { secondCopy } = options;
  if (!secondCopy) return false;
  const whole = await fromCopy(async () => {
    const { frames } = await readPackIndex(secondCopy, context.keys, packId);
    const data = await secondCopy.get(packName(packId));
    return badFrames(context.keys, packId, data, frames).length === 0 ? { frames, data } : undefined;
  });
  if (!whole) return false;
  await replace(context.store, packName(packId), whole.data);
  await context.index.removePack(packId);
  const blobs = indexedBlobs(packId, whole.frames);
  await context.index.addPack(packId, blobs);
  repairing.restoredBlobs += blobs.length;
  return true;
}

/** Writes what can still be read of a damaged pack into new packs; only then removes it. */
async function salvagePack(repairing: Repairing, damage: Damage, packId: string): Promise<void> {
  const { context } = repairing;
  const readable = await context.index.blobsOf(packId);
  const sink = await createBlobSink(context, 'repair', new Set([packId]));
  for (const blobId of readable) await sink.add(blobId, await context.reading.blobs.read(blobId));
  const data = await fromCopy(() => context.store.get(damage.name));
  const misnamed = data ? blobsOfMisnamed(context.keys, damage.name, data) : [];
  for (const { blobId, plain } of misnamed) repairing.restoredBlobs += await sink.add(blobId, plain);
  await sink.close();
  await context.index.removePack(packId);
  await crashPoint('vault.repair.before-delete');
  try {
    await context.store.delete(damage.name);
    repairing.steps.push({ name: damage.name, source: 'salvage' });
  } catch (error) {
    if (!isAppError(error, 'vault.object-locked')) throw error;
  }
}

interface AffectedContent {
  readonly item: AffectedItem;
  readonly role: string;
  readonly content: ContentRef;
}

function contentsOfVersion(item: AffectedItem | undefined, contents: { readonly [role: string]: ContentRef }): AffectedContent[] {
  if (!item) return [];
  return item.roles.flatMap((role) => {
    const content = contents[role];
    return content ? [{ item, role, content }] : [];
  });
}

/** The content references of affected items, found again in the journal. */
async function* contentsOf(
  context: MaintenanceContext,
  affected: readonly AffectedItem[],
): AsyncGenerator<AffectedContent, void, undefined> {
  for (const [resourceId, items] of Map.groupBy(affected, (item) => item.resourceId)) {
    const wanted = new Map(items.map((item) => [`${item.sequence} ${item.itemId}`, item]));
    const { segments } = await checkChain(context.store, context.keys, context.keys.resourceKey(resourceId));
    const numbers = new Set(items.map((item) => item.sequence));
    for (const segment of segments.filter(({ body }) => numbers.has(body.sequence))) {
      for await (const { sequence, item } of itemVersions(changeSource(context), [segment])) {
        yield* contentsOfVersion(wanted.get(`${sequence} ${item.itemId}`), item.content);
      }
    }
  }
}

async function refetchItems(repairing: Repairing, affected: readonly AffectedItem[]): Promise<void> {
  const { context, options } = repairing;
  const { refetch } = options;
  if (!refetch) return;
  for await (const { item, role, content } of contentsOf(context, affected)) {
    options.signal?.throwIfAborted();
    if (content.itemKeyId !== undefined) continue;
    const source = await refetch(item, role, content);
    if (!source) continue;
    const sink = await createBlobSink(context, item.resourceId, new Set());
    try {
      for await (const plain of blobsOfContent(context.reading.blobs, content, source)) {
        repairing.restoredBlobs += await sink.add(context.keys.blobId(plain), plain);
      }
      await sink.close();
    } catch (error) {
      await sink.abort();
      if (!isAppError(error, 'vault.damaged', 'vault.blob-missing')) throw error;
    }
  }
}

/** An object that is sealed in one piece, from the second copy where it opens. */
async function wholeFromCopy(
  { context, options, steps }: Repairing,
  name: string,
  opens: (data: Buffer) => Promise<object> | object,
): Promise<void> {
  const { secondCopy } = options;
  const data = secondCopy && (await fromCopy(() => secondCopy.get(name)));
  if (!data || !(await fromCopy(async () => opens(data)))) return;
  await replace(context.store, name, data);
  steps.push({ name, source: 'second-copy' });
}

/** The object of a segment, or what packs have lost of the changes and the state that it names. */
async function repairSegmentObject({ journal }: Repairing, { name, blobIds }: Damage): Promise<void> {
  if (blobIds.length > 0) await repairContents(journal, name, blobIds);
  else await repairSegment(journal, name);
}

async function repairPack(repairing: Repairing, damage: Damage): Promise<void> {
  const packId = packIdOf(damage.name);
  if (packId === undefined) return;
  if (await packFromCopy(repairing, packId)) repairing.steps.push({ name: damage.name, source: 'second-copy' });
  else await salvagePack(repairing, damage, packId);
}

async function repairRetention(repairing: Repairing, name: string): Promise<void> {
  const { store, keys } = repairing.context;
  if (await mendRetention(store, keys, name)) repairing.steps.push({ name, source: 'copy' });
  else await wholeFromCopy(repairing, name, (data) => openObject<object>(keys, name, data));
}

async function repairOne(repairing: Repairing, damage: Damage): Promise<void> {
  switch (damage.object) {
    case 'header':
      return repairHeader(repairing);
    case 'segment':
      return repairSegmentObject(repairing, damage);
    case 'segment-copy':
      return repairCopy(repairing.journal, damage.name);
    case 'marker':
      return repairMarker(repairing.journal, damage.name);
    case 'pack':
      return repairPack(repairing, damage);
    case 'retention':
      return repairRetention(repairing, damage.name);
    case 'evidence':
      return wholeFromCopy(repairing, damage.name, (data) => openObject<object>(repairing.context.keys, damage.name, data));
    case 'document':
      return wholeFromCopy(repairing, damage.name, (data) => openDocument(repairing.context.keys, damage.name, data));
    case 'journal':
    case 'points':
    case 'item-key':
      return undefined;
  }
}

/** Packs that the second copy has and this vault lacks, for items whose blobs are gone with their pack. */
async function missingPacks(repairing: Repairing): Promise<void> {
  const { context, options } = repairing;
  if (!options.secondCopy || options.report.affectedItems.length + options.report.damages.length === 0) return;
  for await (const { name } of options.secondCopy.list('packs/')) {
    const packId = packIdOf(name);
    if (packId === undefined || (await context.store.stat(name))) continue;
    if (await packFromCopy(repairing, packId)) repairing.steps.push({ name, source: 'second-copy' });
  }
}

/**
 * Repairs what a verify found, from a second copy and from the source; replaces before it removes.
 * Verifies again at the end: what remains is exactly what no source had. May be killed and repeated.
 */
export async function repairVault(context: MaintenanceContext, options: RepairOptions): Promise<RepairReport> {
  const steps: RepairStep[] = [];
  const note: JournalRepair['note'] = (name, source) => void steps.push({ name, source });
  const journal = { context, secondCopy: options.secondCopy, note };
  const repairing: Repairing = { context, options, steps, journal, restoredBlobs: 0 };
  await missingPacks(repairing);
  const inOrder = options.report.damages.toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const damage of inOrder) {
    options.signal?.throwIfAborted();
    await repairOne(repairing, damage);
  }
  await copyOldSegments(journal);
  const between = await verifyVault(context, { depth: 'structure' });
  await refetchItems(repairing, between.affectedItems);
  const givenUpEvidence = options.report.damages
    .filter(({ object, name }) => object === 'evidence' && !steps.some((step) => step.name === name))
    .map(({ name }) => name);
  const after = await verifyVault(context, { depth: options.report.depth, givenUpEvidence });
  return {
    steps,
    repairedObjects: [...new Set(steps.map(({ name }) => name))],
    restoredBlobs: repairing.restoredBlobs,
    remaining: after.affectedItems,
    remainingDamages: after.damages,
    givenUpEvidence,
  };
}

/** Headers, then packs, then segments, their copies, and the markers that name them. The rest has no order. */
function rankOf(damage: Damage): number {
  return [
    'header',
    'pack',
    'segment',
    'segment-copy',
    'marker',
    'item-key',
    'retention',
    'evidence',
    'document',
    'journal',
    'points',
  ].indexOf(damage.object);
}
