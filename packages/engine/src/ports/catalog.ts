import type { ItemKind, ItemVersion, JsonObject } from './item.ts';

/**
 * What one committed journal segment changed, as the catalog takes it. `point` says that the
 * state after it is a restore point; segments without it are checkpoints inside a long run.
 */
export interface CatalogSegment {
  readonly resourceId: string;
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly hash: string;
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly committedAt: string;
  readonly point: boolean;
  /** Added or changed: the new version replaces the open one of the same key. */
  readonly put: readonly ItemVersion[];
  readonly removed: readonly string[];
  /** Items that leave every restore point with this segment, and who wanted that and why. */
  readonly erased?: { readonly keys: readonly string[]; readonly why: JsonObject };
  /** What the segment brought into the vault that it did not have, plain and as it is stored. */
  readonly newBytes: number;
  readonly storedBytes: number;
  /** Where enumeration goes on; opaque to the catalog. */
  readonly cursor: string;
}

/** The newest segment that the catalog has taken of a resource. */
export interface CatalogHead {
  readonly sequence: number;
  readonly hash: string;
  readonly cursor: string;
}

/** A restore point: the state of a resource after a committed run. */
export interface RestorePoint {
  readonly sequence: number;
  readonly committedAt: string;
  readonly runId: string;
}

export interface ItemsQuery {
  readonly kinds?: readonly ItemKind[];
  /** Only direct children of this container; `null` for those at the root. */
  readonly parentKey?: string | null;
  readonly keys?: readonly string[];
  /** Only what the selection of a job leaves out. */
  readonly notProtected?: true;
}

export type CatalogErrorCode = 'catalog.gap' | 'catalog.fork';

/**
 * The tables that answer "what was in this folder on Tuesday". Implemented by the server over
 * PostgreSQL, already scoped to one organisation and one location; a version holds in
 * `from_point <= sequence < to_point`. Held to `catalog.contract.ts`.
 */
export interface Catalog {
  head(resourceId: string): Promise<CatalogHead | undefined>;
  /**
   * Takes a segment in one transaction. Applying the head again with the same hash changes nothing;
   * another hash is `catalog.fork`, a sequence that does not follow the head is `catalog.gap`.
   */
  apply(segment: CatalogSegment): Promise<void>;
  /** The newest versions of these keys; keys that are unknown or removed are absent. */
  lookup(resourceId: string, keys: readonly string[]): Promise<ReadonlyMap<string, ItemVersion>>;
  /** Versions that hold at `sequence` (the newest state when undefined), ordered by key, streamed. */
  items(resourceId: string, sequence: number | undefined, query?: ItemsQuery): AsyncIterable<ItemVersion>;
  /** Restore points in order of sequence; those that retention has removed are absent. */
  points(resourceId: string): Promise<readonly RestorePoint[]>;
  /**
   * Restore points that retention gives up: not listed any more; versions that hold in no remaining point are forgotten.
   * Answers what is gone: a catalog that knows of holds spares what is under one at that moment.
   */
  forgetPoints(resourceId: string, sequences: readonly number[]): Promise<readonly number[]>;
  /** Those of the keys that were erased: whatever finds them again leaves them out. */
  erased(resourceId: string, keys: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A catalog that items can be erased from. */
export interface ErasingCatalog extends Catalog {
  /**
   * Decides in one transaction which of the items may go, and lets `commit` make that durable in the journal before the
   * transaction ends. `commit` takes the segment to the catalog by `apply`; it is not called when nothing may go.
   */
  erase(
    resourceId: string,
    keys: readonly string[],
    commit: (going: readonly string[], apply: (segment: CatalogSegment) => Promise<void>) => Promise<void>,
  ): Promise<void>;
}

/** What reading a restore point needs of it. */
export type CatalogReader = Pick<Catalog, 'items' | 'points'>;
