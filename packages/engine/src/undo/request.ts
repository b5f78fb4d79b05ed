import type { Vault } from '@holdfast/vault';
import type { Catalog } from '../ports/catalog.ts';
import type { ItemKind, Resource } from '../ports/item.ts';
import type { EarlierWork, RestoreReport, WrittenThing } from '../restore/request.ts';

/** What became of one thing that a restore had written. */
export type UndoOutcome = 'removed' | 'putBack' | 'skipped' | 'failed' | 'notPossible';

/** One line of the report of an undo. */
export interface UndoLine {
  readonly key: string;
  readonly kind: ItemKind;
  readonly path: string;
  readonly outcome: UndoOutcome;
  readonly code?: string;
  readonly differences: readonly string[];
}

/** Something a restore has written, with the path that its report gave. */
export interface UndoItem extends WrittenThing {
  readonly path: string;
}

/** Receives the report of an undo. */
export interface UndoReport {
  /** This thing is about to be taken away or overwritten. Durable when it returns. */
  begin(key: string, there: readonly string[]): Promise<void>;
  tell(lines: readonly UndoLine[]): Promise<void>;
}

/** What a worker that died has left of an undo. */
export type EarlierUndo = Pick<EarlierWork, 'begun'> & {
  readonly counts: Readonly<Partial<Record<UndoOutcome, number>>>;
  /** Those of these things that were reported. */
  told(keys: readonly string[]): Promise<{ has(key: string): boolean }>;
};

/** A restore point of the resource that a restore wrote into, and where it is kept. */
export interface PointBefore {
  readonly vault: Vault;
  readonly catalog: Catalog;
  readonly sequence: number;
}

export interface UndoRequest {
  readonly runId: string;
  /** Where the restore wrote. Its id is that of the backups of it, where there are any. */
  readonly home: Resource;
  /** What can be in a container, in the order in which it was written. */
  readonly items: AsyncIterable<UndoItem>;
  /** Containers that the restore made, the last one first. */
  readonly containers: AsyncIterable<UndoItem>;
  /** How many there are of both. */
  readonly total: number;
  /** The newest restore point of it from before the restore: what was replaced is put back from there. */
  readonly before?: PointBefore;
  readonly earlier?: EarlierUndo;
  /** What was replaced is put back by a restore of its own. */
  readonly back: { readonly report: RestoreReport; readonly earlier?: EarlierWork };
  /** Those of these replaced items that an earlier undo of the same restore has put back. */
  wasPutBack(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface UndoResult {
  readonly status: 'successful' | 'defective' | 'failed' | 'cancelled';
  readonly counts: Readonly<Record<UndoOutcome, number>>;
  readonly code?: string;
}
