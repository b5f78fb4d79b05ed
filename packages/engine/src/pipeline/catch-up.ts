import { AppError } from '@holdfast/foundation/errors';
import type { Journal, ResourceHead } from '@holdfast/vault';
import type { Catalog } from '../ports/catalog.ts';
import type { Json } from '../ports/item.ts';
import { collectChanges } from './journal-entry.ts';
import { bytesOf } from './segment-summary.ts';

function cursorText(cursor: Json): string {
  if (typeof cursor === 'string') return cursor;
  throw new AppError('engine.bad-cursor', { message: 'The cursor of a segment is not text.' });
}

/**
 * Brings the catalog to the journal's head: what a crash between segment and catalog left open, or
 * everything when the catalog is new. Repeatable; the journal is the truth.
 */
export async function catchUpCatalog(journal: Journal, catalog: Catalog): Promise<ResourceHead | null> {
  const { resourceId } = journal;
  const [head, known] = await Promise.all([journal.head(), catalog.head(resourceId)]);
  if (!head) return null;
  const from = (known?.sequence ?? 0) + 1;
  if (from > head.sequence) {
    if (known?.hash !== head.hash || known.sequence !== head.sequence) {
      throw new AppError('catalog.fork', { details: { resourceId, sequence: head.sequence } });
    }
    return head;
  }
  for await (const segment of journal.segments({ from })) {
    const { put, removed } = await collectChanges(segment.changes());
    const { sequence, hash, runId, at, restorePoint, cursor } = segment;
    await catalog.apply({
      resourceId,
      sequence,
      hash,
      runId,
      committedAt: at,
      point: restorePoint,
      put,
      removed,
      ...bytesOf(segment.summary),
      cursor: cursorText(cursor),
    });
  }
  return head;
}
