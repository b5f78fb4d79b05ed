import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Journal, LostSegment, ResourceHead, Segment } from '@holdfast/vault';
import type { Catalog, CatalogHead, CatalogSegment } from '../ports/catalog.ts';
import type { Json } from '../ports/item.ts';
import { collectChanges } from './journal-entry.ts';
import { bytesOf, reasonOf } from './segment-summary.ts';

/** Stands for the hash of a lost segment. */
const UNKNOWN_HASH = '0'.repeat(64);

/** Where the catalog is, and which commits of the journal it could not take because they are lost. */
export interface CaughtUp {
  readonly head: ResourceHead | null;
  readonly lost: readonly number[];
}

function cursorText(cursor: Json): string {
  if (typeof cursor === 'string') return cursor;
  throw new AppError('engine.bad-cursor', { message: 'The cursor of a segment is not text.' });
}

type Changes = Pick<CatalogSegment, 'put' | 'removed' | 'erased' | 'point'>;

/** The changes of a segment; none, and no restore point, where they can't be read any more. */
async function changesOf(segment: Segment, lost: number[]): Promise<Changes> {
  try {
    const { erased: keys, ...changes } = await collectChanges(segment.changes());
    const erased = keys.length === 0 ? {} : { erased: { keys, why: reasonOf(segment.summary) } };
    return { ...changes, ...erased, point: segment.restorePoint };
  } catch (error) {
    if (!isAppError(error, 'vault.damaged', 'vault.blob-missing', 'vault.object-missing')) throw error;
    lost.push(segment.sequence);
    return { put: [], removed: [], point: false };
  }
}

async function applySegment(catalog: Catalog, segment: Segment, lost: number[]): Promise<void> {
  const { resourceId, sequence, hash, runId, at, cursor, summary } = segment;
  const changes = await changesOf(segment, lost);
  const taken = { ...changes, ...bytesOf(summary), cursor: cursorText(cursor) };
  await catalog.apply({ resourceId, sequence, hash, runId, committedAt: at, ...taken });
}

/** Refuses a catalog that is ahead of the journal, unless what it has taken is lost since then. */
async function checkAhead(journal: Journal, head: ResourceHead | null, known: CatalogHead): Promise<void> {
  const { resourceId } = journal;
  const from = (head?.sequence ?? 0) + 1;
  if (known.sequence < from - 1 || known.hash === head?.hash) return;
  const lost: number[] = [];
  for await (const _ of journal.segments({ from, onLost: ({ sequence }) => void lost.push(sequence) }));
  if (!lost.includes(known.sequence)) throw new AppError('catalog.fork', { details: { resourceId, sequence: known.sequence } });
}

type Before = Pick<CatalogSegment, 'runId' | 'committedAt' | 'cursor'>;

/** A lost commit as the catalog takes it: nothing changed, and no restore point. */
function standIn(resourceId: string, sequence: number, before: Before): CatalogSegment {
  const nothing = { point: false, put: [], removed: [], newBytes: 0, storedBytes: 0 };
  return { resourceId, sequence, hash: UNKNOWN_HASH, ...before, ...nothing };
}

function beginningOf(head: ResourceHead | null, known: CatalogHead | undefined): Before {
  return { runId: head?.runId ?? '', committedAt: head?.at ?? '', cursor: known?.cursor ?? '' };
}

/**
 * Brings the catalog to the journal's head: what a crash between segment and catalog left open, or
 * everything when the catalog is new. Repeatable; the journal is the truth. A lost commit changes nothing in the catalog
 * and is no restore point; a catalog that has taken it before it was lost knows more than the journal.
 */
export async function catchUpCatalog(journal: Journal, catalog: Catalog): Promise<CaughtUp> {
  const { resourceId } = journal;
  const [head, known] = await Promise.all([journal.head(), catalog.head(resourceId)]);
  if (known) await checkAhead(journal, head, known);
  const lost: number[] = [];
  const missing: number[] = [];
  let before = beginningOf(head, known);
  const passLost = async (upTo: number): Promise<void> => {
    for (const sequence of missing.splice(0).filter((one) => one < upTo)) {
      await catalog.apply(standIn(resourceId, sequence, before));
      lost.push(sequence);
    }
  };
  const from = (known?.sequence ?? 0) + 1;
  if (head && from > head.sequence && known?.hash === head.hash) return { head, lost };
  for await (const segment of journal.segments({ from, onLost: ({ sequence }: LostSegment) => void missing.push(sequence) })) {
    await passLost(segment.sequence);
    await applySegment(catalog, segment, lost);
    before = { runId: segment.runId, committedAt: segment.at, cursor: cursorText(segment.cursor) };
  }
  await passLost(Number.MAX_SAFE_INTEGER);
  return { head, lost };
}
