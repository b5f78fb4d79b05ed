import { crashPoint } from '@holdfast/foundation/crash-point';
import { isAppError } from '@holdfast/foundation/errors';
import type { BlobStore } from '../blob/blob-store.ts';
import { openObject, sealObject } from '../crypto/small-object.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import type { ItemPut } from '../journal/journal.ts';
import type { OpenedSegment } from '../journal/segment.ts';
import { changesOf, type ChangeSource } from '../journal/state.ts';

/** What prune has let go of a resource (FORMAT.md section 10). The record with the highest number that opens counts. */
export interface RetentionRecord {
  /** Sequences of restore points that are no longer kept. */
  readonly droppedPoints: readonly number[];
  /** Versions that no kept point shows and that a hold keeps. */
  readonly heldVersions: readonly (readonly [itemId: string, sequence: number])[];
  /** The whole resource is being removed. */
  readonly isDropped: boolean;
}

export const NOTHING_DROPPED: RetentionRecord = { droppedPoints: [], heldVersions: [], isDropped: false };

function folderOf(resourceKey: string): string {
  return `retention/${resourceKey}/`;
}

/** The record of a resource as it is stored: under two numbers, so that either may be lost. */
export interface StoredRetention {
  /** The newest that opens. */
  readonly record: RetentionRecord;
  readonly names: readonly string[];
  /** Of those that were looked at. */
  readonly damaged: readonly string[];
  readonly isTwice: boolean;
}

const TIMES = 2;

/** Looks at the two newest, and further back only where neither opens. */
export async function readRetention(store: BlobStore, keys: VaultKeys, resourceKey: string): Promise<StoredRetention> {
  const names: string[] = [];
  for await (const { name } of store.list(folderOf(resourceKey))) names.push(name);
  const opened: RetentionRecord[] = [];
  const damaged: string[] = [];
  for (const [at, name] of names.toReversed().entries()) {
    if (at >= TIMES && opened.length > 0) break;
    try {
      opened.push(openObject<RetentionRecord>(keys, name, await store.get(name)));
    } catch (error) {
      if (!isAppError(error, 'vault.damaged')) throw error;
      damaged.push(name);
    }
  }
  const [record = NOTHING_DROPPED, second] = opened;
  const isTwice = damaged.length === 0 && JSON.stringify(second) === JSON.stringify(record);
  return { record, names, damaged, isTwice };
}

/** Writes the next record of a resource, twice; older ones stay until the next prune. */
export async function writeRetention(
  store: BlobStore,
  keys: VaultKeys,
  resourceKey: string,
  options: { readonly record: RetentionRecord; readonly names: readonly string[] },
): Promise<void> {
  const newest = Number(options.names.at(-1)?.slice(-10) ?? 0);
  for (let time = 1; time <= TIMES; time += 1) {
    const name = `${folderOf(resourceKey)}${String(newest + time).padStart(10, '0')}`;
    await store.put(name, [sealObject(keys, name, options.record)]);
    await crashPoint('vault.prune.after-record');
  }
}

/** Writes a record that does not open from the other one; false when none opens. */
export async function mendRetention(store: BlobStore, keys: VaultKeys, name: string): Promise<boolean> {
  const { record, names, damaged } = await readRetention(store, keys, name.split('/')[1] ?? '');
  if (damaged.length === names.length) return false;
  await store.put(name, [sealObject(keys, name, record)]);
  return true;
}

/** Records that a newer one has replaced. */
export function replacedRecords(names: readonly string[]): readonly string[] {
  return names.slice(0, -TIMES);
}

export interface ItemVersion {
  readonly item: ItemPut;
  /** From this commit on … */
  readonly sequence: number;
  /** … to before this one; `undefined` while it holds. */
  readonly until: number | undefined;
  /** A later commit took it out of every restore point. */
  readonly isErased: boolean;
}

/**
 * Every version of every item of a chain, newest first, with the commits between which it holds.
 * Only ids are held in memory.
 */
export async function* itemVersions(
  source: ChangeSource,
  segments: readonly OpenedSegment[],
): AsyncGenerator<ItemVersion, void, undefined> {
  const nextChange = new Map<string, number>();
  const erased = new Set<string>();
  for (const segment of segments.toReversed()) {
    const { sequence } = segment.body;
    const lastAt = new Map<string, number>();
    let at = 0;
    const erasedHere: string[] = [];
    for await (const change of changesOf(source, segment)) {
      lastAt.set(change.itemId, at++);
      if (change.op === 'remove' && change.isErased) erasedHere.push(change.itemId);
    }
    at = 0;
    for await (const change of changesOf(source, segment)) {
      if (lastAt.get(change.itemId) === at && change.op === 'put') {
        yield { item: change, sequence, until: nextChange.get(change.itemId), isErased: erased.has(change.itemId) };
      }
      at += 1;
    }
    for (const itemId of lastAt.keys()) nextChange.set(itemId, sequence);
    for (const itemId of erasedHere) erased.add(itemId);
  }
}

/** Answers whether a version is shown by a kept point (the head always is one) or kept by a hold. No point shows what was erased. */
export function createKeepTest(
  segments: readonly OpenedSegment[],
  record: RetentionRecord,
): {
  byPoint(version: ItemVersion): boolean;
  byHold(version: ItemVersion): boolean;
} {
  const dropped = new Set(record.droppedPoints);
  const held = new Set(record.heldVersions.map(([itemId, sequence]) => `${sequence} ${itemId}`));
  const head = segments.at(-1)?.body.sequence ?? 0;
  const points = segments
    .map((segment) => segment.body)
    .filter((body) => body.sequence === head || (body.restorePoint && !dropped.has(body.sequence)))
    .map((body) => body.sequence);
  return {
    byPoint({ sequence, until, isErased }) {
      if (isErased) return false;
      const first = firstAtLeast(points, sequence);
      return first !== undefined && (until === undefined || first < until);
    },
    byHold: ({ item, sequence }) => held.has(`${sequence} ${item.itemId}`),
  };
}

function firstAtLeast(sorted: readonly number[], wanted: number): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}
