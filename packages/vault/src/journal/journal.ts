import type { ContentRef } from '../chunk/content-ref.ts';
import type { StatePart } from './state-part.ts';

/** Plain JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** An item as a commit leaves it. */
export interface ItemPut {
  readonly op: 'put';
  readonly itemId: string;
  readonly parentId: string | null;
  /** Folder, message, event, contact, file …: the workload's word. */
  readonly kind: string;
  readonly name: string;
  readonly metadata: Json;
  /** By role: `mime`, `data`, `thumbnail` … */
  readonly content: { readonly [role: string]: ContentRef };
}

export interface ItemRemove {
  readonly op: 'remove';
  readonly itemId: string;
  /** It leaves the restore points before this commit as well: no version of it is kept any longer. */
  readonly isErased?: true;
}

export type ItemChange = ItemPut | ItemRemove;

/** An item in the state of a resource, and the commit that put it there. */
export type ItemState = Omit<ItemPut, 'op'> & { readonly sequence: number };

/** The last committed segment of a resource: where the next run goes on. */
export interface ResourceHead {
  readonly sequence: number;
  /** SHA-256 of the segment, hex: what the next one names as its predecessor. */
  readonly hash: string;
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The workload's delta cursor: only ever this one is used to go on. */
  readonly cursor: Json;
  /** False for progress inside a run: not a restore point. */
  readonly restorePoint: boolean;
  readonly fence: number;
}

export interface SegmentInfo extends ResourceHead {
  readonly resourceId: string;
  readonly previousHash: string | null;
  readonly changeCount: number;
  /** The run's own numbers and remarks (errors, exclusions), kept as given. */
  readonly summary: Json;
  readonly hasCheckpoint: boolean;
}

export interface Segment extends SegmentInfo {
  /** Its changes, in the order they were committed; read from the vault as they are consumed. */
  changes(): AsyncGenerator<ItemChange, void, undefined>;
}

/** A segment whose changes can't be read any more: it is damaged or missing, and its copy as well. */
export interface LostSegment {
  /** Empty where no segment of the resource can be read. */
  readonly resourceId: string;
  readonly sequence: number;
  /** A sentence for people. */
  readonly problem: string;
}

/** How damage is met: with `onLost` reading continues past it and tells each loss once, without it the first is thrown. */
export interface PastDamage {
  readonly onLost?: (lost: LostSegment) => void;
}

export interface ListOptions {
  /** Told of a resource of which no segment can be read, by its key and its sequences. */
  readonly onLost?: (resourceKey: string, lost: readonly number[]) => void;
}

/** A resource of a vault and its head. */
export interface ListedResource {
  readonly resourceId: string;
  readonly head: ResourceHead;
  /** Segments after the head that were committed and can't be read any more. */
  readonly lost: readonly number[];
}

/** How a commit makes up for lost segments. */
export interface Restatement {
  readonly lost: readonly number[];
  /**
   * With this commit nothing is missing any more. Its segment gets a checkpoint, so that no later point depends on what
   * is lost; those before it only hold a part of what is restated.
   */
  readonly isComplete: boolean;
}

export interface CommitOptions {
  /** The head this commit was built on; `null` for the first. Another head now: `vault.commit-conflict`. */
  readonly expectedHead: Pick<ResourceHead, 'sequence' | 'hash'> | null;
  /** Number of the lease. Lower than the head's: `vault.fenced`. */
  readonly fence: number;
  readonly runId: string;
  readonly at: string;
  readonly cursor: Json;
  readonly changes: AsyncIterable<ItemChange> | Iterable<ItemChange>;
  /** True (default): a point that can be restored. False: progress inside a run. */
  readonly restorePoint?: boolean;
  readonly summary?: Json;
  /** Lost segments that these changes make up for: they restate what the newest state lacks because of them. */
  readonly restates?: Restatement;
  /** Asked after the segment is durable and before it counts: is the lease still ours? False: `vault.fenced`. */
  readonly isLeaseHeld?: () => Promise<boolean>;
  readonly signal?: AbortSignal;
}

/** The append-only, hash-chained, signed record of one resource. */
export interface Journal {
  readonly resourceId: string;
  /** The last segment that can be read. */
  head(): Promise<ResourceHead | null>;
  /**
   * Appends one segment. Everything its changes name must be durable (`writer.flush()`), or it is
   * refused as `vault.blob-missing`. When it resolves, the commit is durable; when it throws
   * `vault.commit-conflict` or `vault.fenced`, nothing of it counts. Where segments after the head are lost, it
   * is `vault.damaged` unless `restates` names them.
   */
  commit(options: CommitOptions): Promise<ResourceHead>;
  /** Segments in order, from sequence `from` (default 1) to `to` (default the last), each checked against the chain. */
  segments(options?: PastDamage & { readonly from?: number; readonly to?: number }): AsyncGenerator<Segment, void, undefined>;
  /**
   * Every item of the resource at a point, in no promised order. Default: the head. With `onLost` and a loss, items that
   * the lost segments changed are missing or older than at the point; all others are as they were. With `part`, only the
   * items of that part (`isInPart`): memory is that of its ids.
   */
  stateAt(
    point?: { readonly sequence: number } | { readonly time: string },
    options?: PastDamage & { readonly part?: StatePart },
  ): AsyncGenerator<ItemState, void, undefined>;
  /**
   * Copies segments that have no copy yet, as those of older versions have not, and answers which segments are lost and
   * not restated. Reads only what has no copy, and the end.
   */
  tend(): Promise<readonly LostSegment[]>;
}
