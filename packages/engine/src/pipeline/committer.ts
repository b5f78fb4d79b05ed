import { now, type Clock } from '@holdfast/foundation/clock';
import { crashPoint } from '@holdfast/foundation/crash-point';
import type { ItemChange, Journal, ResourceHead, Restatement, VaultWriter } from '@holdfast/vault';
import type { Catalog, CatalogSegment } from '../ports/catalog.ts';
import type { ItemVersion, JsonObject, Resource } from '../ports/item.ts';
import type { HeldLease } from '../ports/lease.ts';
import { encodeCursorState, type CursorState } from './cursor-state.ts';
import { toJournal } from './journal-entry.ts';
import { noteOf } from './resource-note.ts';
import type { SegmentBytes } from './segment-summary.ts';

export interface CommitterOptions {
  readonly resource: Resource;
  readonly runId: string;
  readonly writer: VaultWriter;
  readonly journal: Journal;
  readonly catalog: Catalog;
  readonly lease: HeldLease;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Gathers the changes of a run and makes them durable, segment by segment. */
export interface Committer {
  /** `isNew`: no committed segment has this key, so that removing it again leaves nothing. */
  put(item: ItemVersion, isNew: boolean): void;
  remove(key: string): void;
  /** Takes a key out of every restore point. */
  erase(key: string): void;
  /** What is put but not committed of a key; null: removed. */
  pendingOf(key: string): ItemVersion | null | undefined;
  readonly changes: number;
  readonly bytes: number;
  readonly segments: number;
  readonly head: ResourceHead | null;
  /**
   * Packs, then the journal segment, then the catalog; the cursor is inside the segment. When it
   * resolves everything put so far is durable and can be found.
   */
  commit(state: CursorState, options: CommitRequest): Promise<void>;
}

export interface CommitRequest {
  readonly point: boolean;
  readonly summary: JsonObject;
  /** Lost commits that the changes make up for. */
  readonly restates?: Restatement;
  /** Who wants what is erased with it gone, and why. */
  readonly erasure?: JsonObject;
  /** Takes the segment to the catalog; without it the catalog is told by itself. */
  readonly apply?: (segment: CatalogSegment) => Promise<void>;
}

/** What came into the vault since the last segment that told of it. */
function createBrought(writer: VaultWriter) {
  const told = { newBytes: 0, storedBytes: 0 };
  return {
    sinceTold(): SegmentBytes {
      const { newBytes, storedBytes } = writer.statistics;
      return { newBytes: newBytes - told.newBytes, storedBytes: storedBytes - told.storedBytes };
    },
    tell({ newBytes, storedBytes }: SegmentBytes): void {
      told.newBytes += newBytes;
      told.storedBytes += storedBytes;
    },
  };
}

const isHeld = (lease: HeldLease): Promise<boolean> =>
  lease.confirm().then(
    () => true,
    () => false,
  );

interface Gathered {
  readonly put: readonly ItemVersion[];
  readonly removed: readonly string[];
  /** Of what is erased. */
  readonly keys: readonly string[];
}

function gathered(pending: ReadonlyMap<string, ItemVersion | null>, erased: ReadonlySet<string>): Gathered {
  const put: ItemVersion[] = [];
  const removed: string[] = [];
  for (const [key, item] of pending) {
    if (item) put.push(item);
    else if (!erased.has(key)) removed.push(key);
  }
  return { put, removed, keys: [...erased] };
}

const changesOf = ({ put, removed, keys }: Gathered): ItemChange[] => [
  ...removed.map((itemId) => ({ op: 'remove', itemId }) as const),
  ...keys.map((itemId) => ({ op: 'remove', itemId, isErased: true }) as const),
  ...put.map(toJournal),
];

/** A committer that goes on after `head`. */
export function createCommitter(options: CommitterOptions, head: ResourceHead | null): Committer {
  const { resource, runId, writer, journal, catalog, lease, clock, signal } = options;
  const resourceId = resource.id;
  let current = head;
  let segments = 0;
  let bytes = 0;
  const brought = createBrought(writer);
  const pending = new Map<string, ItemVersion | null>();
  const added = new Set<string>();
  const erased = new Set<string>();

  async function commit(state: CursorState, request: CommitRequest): Promise<void> {
    const { point, summary, restates, erasure, apply = (segment: CatalogSegment) => catalog.apply(segment) } = request;
    const { put, removed, keys } = gathered(pending, erased);
    const cursor = encodeCursorState(state);
    const at = now(clock).toISOString();
    await crashPoint('backup.before-packs');
    // A lease that is lost already ends it here; the journal asks once more when the segment is about to count.
    await Promise.all([writer.flush(), lease.confirm()]);
    const came = brought.sinceTold();
    await crashPoint('backup.before-segment');
    const next = await journal.commit({
      expectedHead: current,
      fence: lease.fence,
      runId,
      at,
      cursor,
      changes: changesOf({ put, removed, keys }),
      restorePoint: point,
      summary: { ...summary, ...came, resource: noteOf(resource), ...(erasure ? { erasure } : {}) },
      isLeaseHeld: () => isHeld(lease),
      signal,
      ...(restates ? { restates } : {}),
    });
    await crashPoint('backup.before-catalog');
    const { sequence, hash, at: committedAt } = next;
    const gone = keys.length === 0 ? {} : { erased: { keys, why: erasure ?? {} } };
    await apply({ resourceId, sequence, hash, runId, committedAt, point, put, removed, ...gone, ...came, cursor });
    await crashPoint('backup.after-catalog');
    current = next;
    brought.tell(came);
    segments += 1;
    bytes = 0;
    pending.clear();
    added.clear();
    erased.clear();
  }

  return {
    put(item, isNew) {
      if (isNew && !pending.has(item.key)) added.add(item.key);
      pending.set(item.key, item);
      bytes += item.sizeBytes;
    },
    remove(key) {
      if (added.delete(key)) pending.delete(key);
      else pending.set(key, null);
    },
    erase(key) {
      pending.set(key, null);
      erased.add(key);
    },
    pendingOf: (key) => pending.get(key),
    commit,
    get changes() {
      return pending.size;
    },
    get bytes() {
      return bytes;
    },
    get segments() {
      return segments;
    },
    get head() {
      return current;
    },
  };
}
