import { crashPoint } from '@holdfast/foundation/crash-point';
import type { BlobStore } from '../blob/blob-store.ts';
import type { ContentRef } from '../chunk/content-ref.ts';
import { createChain, sealMarker, unlessLost } from '../journal/chain.ts';
import { toLine } from '../journal/change-lines.ts';
import { decodeCopy, isLoss, readCopy } from '../journal/copies.ts';
import { copySegment } from '../journal/copy-segment.ts';
import { createJournalAt } from '../journal/store-journal.ts';
import { copyName, listSequences, markerName, parseJournalName } from '../journal/segment-names.ts';
import { decodeSegment, type OpenedSegment } from '../journal/segment.ts';
import { changesOf, checkpointLines } from '../journal/state.ts';
import { createBlobSink } from './blob-sink.ts';
import { changeSource, type MaintenanceContext } from './context.ts';
import { checkJournal } from './journal-check.ts';
import type { RepairSource } from './maintenance.ts';
import { blobsOfContent } from './restore-content.ts';

/** What repairs of the journal work with. */
export interface JournalRepair {
  readonly context: MaintenanceContext;
  readonly secondCopy: BlobStore | undefined;
  /** Takes note of an object that is whole again. */
  readonly note: (name: string, source: RepairSource) => void;
}

async function replace(store: BlobStore, name: string, data: Buffer): Promise<void> {
  await crashPoint('vault.repair.before-put');
  await store.put(name, [data]);
  await crashPoint('vault.repair.after-put');
}

function sequenceOf(name: string): number {
  return parseJournalName(name)?.sequence ?? Number(name.slice(name.lastIndexOf('/') + 1).slice(0, 10));
}

/** A segment from its copy or, where that is lost too, from a second copy of the vault. */
export async function repairSegment(repair: JournalRepair, name: string): Promise<void> {
  const { context, secondCopy } = repair;
  const { store, keys } = context;
  const isNamed = parseJournalName(name)?.kind === 'segment';
  const copy = isNamed ? await readCopy(store, keys, name) : undefined;
  if (copy) {
    await replace(store, name, copy.data);
    repair.note(name, 'copy');
    return;
  }
  if (!secondCopy) return;
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const entries = await listSequences(secondCopy, folder, 1, 'always');
  const at = entries.findIndex((entry) => entry.sequence === sequenceOf(name));
  const found = await unlessLost(async () => {
    const winner = await createChain(secondCopy, keys, folder).winner(entries, at);
    const data = winner && (await secondCopy.get(winner.name));
    return winner && data && decodeSegment(keys, winner.name, data) ? { name: winner.name, data } : undefined;
  });
  if ('problem' in found || !found.value) return;
  await replace(store, found.value.name, found.value.data);
  repair.note(found.value.name, 'second-copy');
}

/** The copy of a segment from the segment or, where that is lost too, from a second copy of the vault. */
export async function repairCopy(repair: JournalRepair, name: string): Promise<void> {
  const { context, secondCopy } = repair;
  const segment = name.replace(/^copies\//, 'journal/');
  const { problem } = await copySegment(context.journalContext, segment);
  if (problem === undefined) {
    repair.note(name, 'segment');
    return;
  }
  const other = secondCopy && (await unlessLost(() => secondCopy.get(name)));
  if (!other || 'problem' in other) return;
  const opened = await unlessLost(async () => decodeCopy(context.keys, segment, other.value));
  if ('problem' in opened) return;
  await replace(context.store, name, other.value);
  repair.note(name, 'second-copy');
}

/** Writes a marker again from the chain it belongs to. */
export async function repairMarker(repair: JournalRepair, name: string): Promise<void> {
  const { store, keys } = repair.context;
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const entries = await listSequences(store, folder);
  const at = entries.findIndex((entry) => markerName(folder, entry.sequence) === name);
  const found = at < 0 ? undefined : await unlessLost(() => createChain(store, keys, folder).winner(entries, at));
  if (!found || 'problem' in found || !found.value) return;
  const { value: segment } = found;
  const marker = { segment: segment.name, hash: segment.hash };
  await replace(store, name, sealMarker(keys, markerName(folder, segment.body.sequence), marker));
  repair.note(name, 'chain');
}

async function* changeLines(context: MaintenanceContext, segment: OpenedSegment): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const change of changesOf(changeSource(context), segment)) yield toLine(change);
}

/** The lines of a checkpoint, derived again from an older one and the changes since. */
async function* stateLines(context: MaintenanceContext, { body }: OpenedSegment): AsyncGenerator<Uint8Array, void, undefined> {
  const journal = createJournalAt(context.journalContext, context.keys.resourceKey(body.resourceId), body.resourceId);
  const { base, after } = await journal.sourceBelow(body.sequence);
  const changeCount = after.reduce((sum, segment) => sum + segment.body.changeCount, 0);
  for await (const { line } of checkpointLines(changeSource(context), base, after, changeCount)) yield line;
}

/** Puts back the blobs of a content of the journal from lines that say the same. */
async function putBack(
  context: MaintenanceContext,
  content: ContentRef,
  lines: AsyncGenerator<Uint8Array, void, undefined>,
): Promise<boolean> {
  const sink = await createBlobSink(context, 'journal', new Set());
  try {
    for await (const plain of blobsOfContent(context.reading.blobs, content, lines)) await sink.add(context.keys.blobId(plain), plain);
    await sink.close();
    return true;
  } catch (error) {
    await sink.abort();
    if (!isLoss(error)) throw error;
    return false;
  }
}

/** Writes again what packs have lost of a segment's changes and its checkpoint. */
export async function repairContents(repair: JournalRepair, name: string, lost: readonly string[]): Promise<void> {
  const { context } = repair;
  if (lost.length === 0 || (await context.index.lacking(lost)).length === 0) return;
  const opened = await unlessLost(async () => decodeSegment(context.keys, name, await context.store.get(name)));
  if ('problem' in opened) return;
  const { value: segment } = opened;
  const { changes, checkpoint } = segment.body;
  const isBack = Array.isArray(changes) || (await putBack(context, changes as ContentRef, changeLines(context, segment)));
  const isStateBack = !checkpoint || (await putBack(context, checkpoint.content, stateLines(context, segment)));
  if (isBack && isStateBack) repair.note(name, 'journal');
}

/** Gives every segment of an older minor version its copy. */
export async function copyOldSegments({ context, note }: JournalRepair): Promise<void> {
  for await (const { segments, resourceKey } of checkJournal(context.store, context.keys)) {
    const entries = await listSequences(context.store, `journal/${resourceKey}/`, 1, 'always');
    const copied = new Set(entries.flatMap((entry) => [...entry.copied]));
    for (const { name } of segments) {
      if (copied.has(name)) continue;
      const { problem } = await copySegment(context.journalContext, name);
      if (problem === undefined) note(copyName(name), 'segment');
    }
  }
}
