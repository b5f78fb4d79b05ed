import { now, type Clock } from '@holdfast/foundation/clock';
import { crashPoint } from '@holdfast/foundation/crash-point';
import type { Journal, ResourceHead, Restatement, VaultWriter } from '@holdfast/vault';
import type { Catalog } from '../ports/catalog.ts';
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

  async function isLeaseHeld(): Promise<boolean> {
    return lease.confirm().then(
      () => true,
      () => false,
    );
  }

  async function commit(state: CursorState, { point, summary, restates }: CommitRequest): Promise<void> {
    const put: ItemVersion[] = [];
    const removed: string[] = [];
    for (const [key, item] of pending) {
      if (item) put.push(item);
      else removed.push(key);
    }
    const cursor = encodeCursorState(state);
    const at = now(clock).toISOString();
    await crashPoint('backup.before-packs');
    await writer.flush();
    const came = brought.sinceTold();
    await crashPoint('backup.before-segment');
    await lease.confirm();
    const next = await journal.commit({
      expectedHead: current,
      fence: lease.fence,
      runId,
      at,
      cursor,
      changes: [...removed.map((itemId) => ({ op: 'remove', itemId }) as const), ...put.map(toJournal)],
      restorePoint: point,
      summary: { ...summary, ...came, resource: noteOf(resource) },
      isLeaseHeld,
      signal,
      ...(restates ? { restates } : {}),
    });
    await crashPoint('backup.before-catalog');
    const { sequence, hash, at: committedAt } = next;
    await catalog.apply({ resourceId, sequence, hash, runId, committedAt, point, put, removed, ...came, cursor });
    await crashPoint('backup.after-catalog');
    current = next;
    brought.tell(came);
    segments += 1;
    bytes = 0;
    pending.clear();
    added.clear();
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
