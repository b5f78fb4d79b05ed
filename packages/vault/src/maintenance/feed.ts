import { listResourceKeys } from '../journal/resources.ts';
import { createJournalAt } from '../journal/store-journal.ts';
import type { MaintenanceContext } from './context.ts';
import { readRetention } from './live-versions.ts';
import type { CatalogEntry } from './maintenance.ts';

/** Every change and every point of every resource in order. A point that prune let go is none any more. */
export async function* rebuildCatalogFeed(
  context: MaintenanceContext,
  options: { readonly resourceId?: string; readonly signal?: AbortSignal } = {},
): AsyncGenerator<CatalogEntry, void, undefined> {
  const { store, keys, journalContext } = context;
  const only = options.resourceId === undefined ? undefined : keys.resourceKey(options.resourceId);
  for await (const resourceKey of listResourceKeys({ store })) {
    if (only !== undefined && resourceKey !== only) continue;
    const { record } = await readRetention(store, keys, resourceKey);
    if (record.isDropped) continue;
    const dropped = new Set(record.droppedPoints);
    for await (const segment of createJournalAt(journalContext, resourceKey).segments()) {
      const { resourceId, sequence } = segment;
      for await (const change of segment.changes()) {
        options.signal?.throwIfAborted();
        if (change.op === 'remove') {
          yield { type: 'remove', resourceId, sequence, itemId: change.itemId };
          continue;
        }
        const { op: _, ...item } = change;
        yield { type: 'put', resourceId, sequence, item: { ...item, sequence } };
      }
      const { hash, runId, at, cursor, fence } = segment;
      const restorePoint = segment.restorePoint && !dropped.has(sequence);
      yield { type: 'point', resourceId, point: { sequence, hash, runId, at, cursor, fence, restorePoint } };
    }
  }
}
