import { sha256Hex } from '@holdfast/foundation/bytes';
import type { BlobStore } from '../blob/blob-store.ts';
import type { ContentRef } from '../chunk/content-ref.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import type { VaultReader } from '../content/content.ts';
import { parseLines, toLine } from './change-lines.ts';
import { isLoss, openLines, readCopy } from './copies.ts';
import type { ItemChange, ItemState, LostSegment } from './journal.ts';
import type { OpenedSegment } from './segment.ts';
import { isInPart, partOfRank, WHOLE, type StatePart } from './state-part.ts';

/** Changes that are held in memory at once while a checkpoint is written. */
const OVERLAY_ITEMS = 100_000;

/** What the changes of a segment are read with. */
export interface ChangeSource {
  readonly store: BlobStore;
  readonly keys: VaultKeys;
  readonly reader: VaultReader;
}

/** The segments a state is made of: the last one with a checkpoint (if any) and those after it, oldest first. */
export interface StateSource {
  readonly base: OpenedSegment | undefined;
  readonly after: readonly OpenedSegment[];
  /** The same state from an older checkpoint or none, for a checkpoint that can't be read. */
  older(): Promise<StateSource>;
}

/** How a state is read. */
export interface StateReading {
  readonly onLost?: OnLost;
  /** Only the items of this part; the whole state by default. */
  readonly part?: StatePart;
}

/** Takes note of a segment whose changes are lost; without one the loss is thrown. */
export type OnLost = ((lost: LostSegment) => void) | undefined;

export interface SegmentChanges {
  readonly body: { readonly sequence: number; readonly changes: readonly ItemChange[] | ContentRef };
  /** Its object, once it has one. */
  readonly name?: string;
}

/** The changes in a segment's copy, past the first `given`. */
async function* copiedChanges(
  { store, keys }: ChangeSource,
  { name, content, given }: { readonly name: string; readonly content: ContentRef; readonly given: number },
  failure: unknown,
): AsyncGenerator<ItemChange, void, undefined> {
  const copy = await readCopy(store, keys, name);
  const lines = copy && openLines(keys, name, copy.sealedLines, content);
  if (!lines) throw failure;
  let at = 0;
  for await (const change of parseLines<ItemChange>([lines])) if (at++ >= given) yield change;
}

/** A segment's changes in order. Where the packs have lost some, the rest comes from the segment's copy. */
export async function* changesOf(source: ChangeSource, { name, body }: SegmentChanges): AsyncGenerator<ItemChange, void, undefined> {
  const { changes } = body;
  if (Array.isArray(changes)) {
    yield* changes as readonly ItemChange[];
    return;
  }
  const content = changes as ContentRef;
  let given = 0;
  try {
    for await (const change of parseLines<ItemChange>(source.reader.read(content))) {
      given += 1;
      yield change;
    }
  } catch (error) {
    if (!isLoss(error) || name === undefined) throw error;
    yield* copiedChanges(source, { name, content, given }, error);
  }
}

/** As `changesOf`; with `onLost`, changes end where they can't be read any more. */
async function* changesUpToLoss(source: ChangeSource, segment: OpenedSegment, onLost: OnLost): AsyncGenerator<ItemChange, void, undefined> {
  try {
    yield* changesOf(source, segment);
  } catch (error) {
    if (!onLost || !isLoss(error)) throw error;
    onLost({ resourceId: segment.body.resourceId, sequence: segment.body.sequence, problem: error.message });
  }
}

function stateOf(change: ItemChange & { op: 'put' }, sequence: number): ItemState {
  const { itemId, parentId, kind, name, metadata, content } = change;
  return { itemId, parentId, kind, name, metadata, content, sequence };
}

async function* baseItems(reader: VaultReader, base: OpenedSegment | undefined): AsyncGenerator<ItemState, void, undefined> {
  if (base?.body.checkpoint) yield* parseLines<ItemState>(reader.read(base.body.checkpoint.content));
}

/** The items of a checkpoint that belong to a part, after a rank; they come in order of rank. */
async function* rankedItems(
  items: AsyncIterable<ItemState>,
  { at, of }: StatePart,
  after: string,
): AsyncGenerator<{ readonly item: ItemState; readonly rank: string }, void, undefined> {
  for await (const item of items) {
    const rank = sha256Hex(item.itemId);
    const part = partOfRank(rank, of);
    if (part > at) return;
    if (part === at && rank > after) yield { item, rank };
  }
}

/** The items of one segment that no later one has changed. It is read twice, so that of several changes of one item the last counts. */
async function* unseen(
  source: ChangeSource,
  segment: OpenedSegment,
  { seen, onLost, part }: { readonly seen: Set<string>; readonly onLost: OnLost; readonly part: StatePart },
): AsyncGenerator<ItemState, void, undefined> {
  const lastAt = new Map<string, number>();
  let at = 0;
  for await (const change of changesUpToLoss(source, segment, onLost)) {
    if (isInPart(change.itemId, part)) lastAt.set(change.itemId, at);
    at += 1;
  }
  at = 0;
  for await (const change of changesUpToLoss(source, segment, onLost && (() => undefined))) {
    if (lastAt.get(change.itemId) === at && !seen.has(change.itemId) && change.op === 'put') yield stateOf(change, segment.body.sequence);
    at += 1;
  }
  for (const itemId of lastAt.keys()) seen.add(itemId);
}

/**
 * Every item of the state, newest segment first: an item that was seen once hides older versions. Only ids are held, of
 * what changed since the checkpoint: whoever can't tell how many these are takes the state in parts.
 * A checkpoint that can't be read to its end is replaced by an older one and the changes since: its items come in
 * order of rank, so everything up to the last rank is known to have been given.
 */
export async function* streamState(
  source: ChangeSource,
  from: StateSource,
  { onLost, part = WHOLE }: StateReading = {},
): AsyncGenerator<ItemState, void, undefined> {
  const seen = new Set<string>();
  let given = '';
  for (let state = from; ; state = await state.older()) {
    for (const segment of state.after.toReversed()) {
      for await (const item of unseen(source, segment, { seen, onLost, part })) {
        if (given === '' || sha256Hex(item.itemId) > given) yield item;
      }
    }
    try {
      for await (const { item, rank } of rankedItems(baseItems(source.reader, state.base), part, given)) {
        given = rank;
        if (!seen.has(item.itemId)) yield item;
      }
      return;
    } catch (error) {
      if (!isLoss(error)) throw error;
    }
  }
}

interface Ranked {
  readonly rank: string;
  readonly change: ItemChange;
  readonly sequence: number;
}

/** The last change of every item whose rank is in [low, high), in order of rank. */
async function overlay(source: ChangeSource, after: readonly SegmentChanges[], low: string, high: string): Promise<Ranked[]> {
  const last = new Map<string, Ranked>();
  for (const segment of after) {
    for await (const change of changesOf(source, segment)) {
      const rank = sha256Hex(change.itemId);
      if (rank >= low && rank < high) last.set(change.itemId, { rank, change, sequence: segment.body.sequence });
    }
  }
  return [...last.values()].toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
}

/**
 * The lines of a checkpoint: the old one merged with what came after it, in order of rank, so that
 * what did not change gives the same chunks again. Memory is bounded by taking the ranks in slices.
 */
export async function* checkpointLines(
  source: ChangeSource,
  base: OpenedSegment | undefined,
  after: readonly SegmentChanges[],
  changeCount: number,
): AsyncGenerator<{ line: Buffer }, void, undefined> {
  const slices = Math.max(1, Math.ceil(changeCount / OVERLAY_ITEMS));
  const old = baseItems(source.reader, base);
  let next = await old.next();
  for (let slice = 0; slice < slices; slice += 1) {
    const low = sliceStart(slice, slices);
    const high = slice === slices - 1 ? 'g' : sliceStart(slice + 1, slices);
    for (const { rank, change, sequence } of await overlay(source, after, low, high)) {
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
