import { sha256Hex } from '@holdfast/foundation/bytes';
import type { ContentRef } from '../chunk/content-ref.ts';
import type { VaultReader } from '../vault.ts';
import { parseLines, toLine } from './change-lines.ts';
import type { ItemChange, ItemState } from './journal.ts';
import type { OpenedSegment } from './segment.ts';

/** Changes that are held in memory at once while a checkpoint is written. */
const OVERLAY_ITEMS = 100_000;

/** The segments a state is made of: the last one with a checkpoint (if any) and those after it, oldest first. */
export interface StateSource {
  readonly base: OpenedSegment | undefined;
  readonly after: readonly OpenedSegment[];
}

/** A segment's changes in order. */
export async function* changesOf(
  reader: VaultReader,
  changes: readonly ItemChange[] | ContentRef,
): AsyncGenerator<ItemChange, void, undefined> {
  if (Array.isArray(changes)) yield* changes as readonly ItemChange[];
  else yield* parseLines<ItemChange>(reader.read(changes as ContentRef));
}

function stateOf(change: ItemChange & { op: 'put' }, sequence: number): ItemState {
  const { itemId, parentId, kind, name, metadata, content } = change;
  return { itemId, parentId, kind, name, metadata, content, sequence };
}

async function* baseItems(reader: VaultReader, base: OpenedSegment | undefined): AsyncGenerator<ItemState, void, undefined> {
  if (base?.body.checkpoint) yield* parseLines<ItemState>(reader.read(base.body.checkpoint.content));
}

/**
 * Every item of the state. Newest segment first: what was seen once hides what is older. Only ids
 * are held; a segment is read twice, so that of several changes of one item the last counts.
 */
export async function* streamState(reader: VaultReader, source: StateSource): AsyncGenerator<ItemState, void, undefined> {
  const seen = new Set<string>();
  for (const segment of source.after.toReversed()) {
    const { changes, sequence } = segment.body;
    const lastAt = new Map<string, number>();
    let at = 0;
    for await (const change of changesOf(reader, changes)) lastAt.set(change.itemId, at++);
    at = 0;
    for await (const change of changesOf(reader, changes)) {
      if (lastAt.get(change.itemId) === at && !seen.has(change.itemId) && change.op === 'put') yield stateOf(change, sequence);
      at += 1;
    }
    for (const itemId of lastAt.keys()) seen.add(itemId);
  }
  for await (const item of baseItems(reader, source.base)) if (!seen.has(item.itemId)) yield item;
}

interface Ranked {
  readonly rank: string;
  readonly change: ItemChange;
  readonly sequence: number;
}

/** The last change of every item whose rank lies in [low, high), in order of rank. */
async function overlay(reader: VaultReader, after: readonly SegmentChanges[], low: string, high: string): Promise<Ranked[]> {
  const last = new Map<string, Ranked>();
  for (const { changes, sequence } of after) {
    for await (const change of changesOf(reader, changes)) {
      const rank = sha256Hex(change.itemId);
      if (rank >= low && rank < high) last.set(change.itemId, { rank, change, sequence });
    }
  }
  return [...last.values()].toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
}

export interface SegmentChanges {
  readonly changes: readonly ItemChange[] | ContentRef;
  readonly sequence: number;
}

/**
 * The lines of a checkpoint: the old one merged with what came after it, in order of rank, so that
 * what did not change gives the same chunks again. Memory is bounded by taking the ranks in slices.
 */
export async function* checkpointLines(
  reader: VaultReader,
  base: OpenedSegment | undefined,
  after: readonly SegmentChanges[],
  changeCount: number,
): AsyncGenerator<{ line: Buffer }, void, undefined> {
  const slices = Math.max(1, Math.ceil(changeCount / OVERLAY_ITEMS));
  const old = baseItems(reader, base);
  let next = await old.next();
  for (let slice = 0; slice < slices; slice += 1) {
    const low = sliceStart(slice, slices);
    const high = slice === slices - 1 ? 'g' : sliceStart(slice + 1, slices);
    for (const { rank, change, sequence } of await overlay(reader, after, low, high)) {
      for (; !next.done; next = await old.next()) {
        const oldRank = sha256Hex(next.value.itemId);
        if (oldRank >= rank) break;
        yield { line: toLine(next.value) };
      }
      if (!next.done && next.value.itemId === change.itemId) next = await old.next();
      if (change.op === 'put') yield { line: toLine(stateOf(change, sequence)) };
    }
  }
  for (; !next.done; next = await old.next()) yield { line: toLine(next.value) };
}

function sliceStart(slice: number, slices: number): string {
  return Math.floor((slice / slices) * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0');
}
