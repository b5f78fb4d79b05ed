import { AppError } from '@holdfast/foundation/errors';
import type { Catalog, CatalogErrorCode, CatalogHead, CatalogSegment, ItemsQuery, RestorePoint } from '../src/ports/catalog.ts';
import type { ItemVersion } from '../src/ports/item.ts';

interface Row {
  readonly item: ItemVersion;
  readonly from: number;
  to: number | null;
}

interface Shelf {
  head: CatalogHead | undefined;
  points: RestorePoint[];
  /** Versions of each key, oldest first. */
  readonly rows: Map<string, Row[]>;
  readonly erased: Set<string>;
}

function matches(item: ItemVersion, query: ItemsQuery, keys: ReadonlySet<string> | undefined): boolean {
  if (keys && !keys.has(item.key)) return false;
  if (query.kinds && !query.kinds.includes(item.kind)) return false;
  if (query.notProtected && item.properties['notProtected'] === undefined) return false;
  return query.parentKey === undefined || item.parentKey === query.parentKey;
}

function holdsAt(row: Row, sequence: number | undefined): boolean {
  if (sequence === undefined) return row.to === null;
  return row.from <= sequence && (row.to === null || row.to > sequence);
}

/** A catalog in memory that keeps the same promises as the one in PostgreSQL; held to the same suite. */
export function createMemoryCatalog(): Catalog & { rowCount(): number } {
  const shelves = new Map<string, Shelf>();

  function shelf(resourceId: string): Shelf {
    let found = shelves.get(resourceId);
    if (!found) {
      found = { head: undefined, points: [], rows: new Map(), erased: new Set() };
      shelves.set(resourceId, found);
    }
    return found;
  }

  function close(target: Shelf, key: string, sequence: number): void {
    const open = target.rows.get(key)?.at(-1);
    if (open?.to === null) open.to = sequence;
  }

  function takeAway(target: Shelf, { erased, removed, sequence }: CatalogSegment): void {
    for (const key of erased?.keys ?? []) {
      target.rows.delete(key);
      target.erased.add(key);
    }
    for (const key of removed) close(target, key, sequence);
  }

  function put(target: Shelf, item: ItemVersion, sequence: number): void {
    close(target, item.key, sequence);
    const rows = target.rows.get(item.key);
    if (rows) rows.push({ item, from: sequence, to: null });
    else target.rows.set(item.key, [{ item, from: sequence, to: null }]);
  }

  function refuse(code: CatalogErrorCode, segment: CatalogSegment, head: number): never {
    throw new AppError(code, { details: { resourceId: segment.resourceId, sequence: segment.sequence, head } });
  }

  function* select(target: Shelf, sequence: number | undefined, query: ItemsQuery): Generator<ItemVersion> {
    const keys = query.keys && new Set(query.keys);
    for (const key of [...target.rows.keys()].sort()) {
      const row = target.rows.get(key)?.find((candidate) => holdsAt(candidate, sequence));
      if (row && matches(row.item, query, keys)) yield row.item;
    }
  }

  return Object.freeze({
    async head(resourceId: string) {
      return shelf(resourceId).head;
    },
    async apply(segment: CatalogSegment) {
      const target = shelf(segment.resourceId);
      const head = target.head?.sequence ?? 0;
      if (segment.sequence === head) {
        if (target.head?.hash !== segment.hash) refuse('catalog.fork', segment, head);
        return;
      }
      if (segment.sequence !== head + 1) refuse('catalog.gap', segment, head);
      takeAway(target, segment);
      for (const item of segment.put) put(target, item, segment.sequence);
      target.head = { sequence: segment.sequence, hash: segment.hash, cursor: segment.cursor };
      const { sequence, committedAt, runId } = segment;
      if (segment.point) target.points.push({ sequence, committedAt, runId });
    },
    async lookup(resourceId: string, keys: readonly string[]) {
      const found = new Map<string, ItemVersion>();
      for (const key of keys) {
        const row = shelf(resourceId).rows.get(key)?.at(-1);
        if (row?.to === null) found.set(key, row.item);
      }
      return found;
    },
    async *items(resourceId: string, sequence: number | undefined, query: ItemsQuery = {}) {
      yield* select(shelf(resourceId), sequence, query);
    },
    async points(resourceId: string) {
      return [...shelf(resourceId).points];
    },
    async forgetPoints(resourceId: string, sequences: readonly number[]) {
      const target = shelf(resourceId);
      target.points = target.points.filter((point) => !sequences.includes(point.sequence));
      const kept = target.points.map((point) => point.sequence);
      for (const [key, rows] of target.rows) {
        const left = rows.filter((row) => row.to === null || kept.some((sequence) => holdsAt(row, sequence)));
        if (left.length > 0) target.rows.set(key, left);
        else target.rows.delete(key);
      }
      return sequences;
    },
    async erased(resourceId: string, keys: readonly string[]) {
      return new Set(keys.filter((key) => shelf(resourceId).erased.has(key)));
    },
    rowCount() {
      let count = 0;
      for (const one of shelves.values()) for (const rows of one.rows.values()) count += rows.length;
      return count;
    },
  });
}
