import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { Vault, VaultWriter } from '@holdfast/vault';
import { catchUpCatalog } from '../pipeline/catch-up.ts';
import { createCommitter, type Committer } from '../pipeline/committer.ts';
import { decodeCursorState, type CursorState } from '../pipeline/cursor-state.ts';
import { makeUpFor } from '../pipeline/make-up.ts';
import type { CatalogSegment, ErasingCatalog } from '../ports/catalog.ts';
import type { JsonObject, Resource } from '../ports/item.ts';
import type { Lease } from '../ports/lease.ts';

export interface ErasingOptions {
  readonly vault: Vault;
  /** One that lets nothing go that is kept at that moment. */
  readonly catalog: ErasingCatalog;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ErasureRequest {
  readonly resource: Resource;
  readonly runId: string;
  /** Who wants it and why: kept in the journal, so that a catalog that is rebuilt knows it again. */
  readonly why: JsonObject;
  /** Keys of what is to go, in batches. Each is asked for when the one before it is durable. */
  readonly batches: AsyncIterable<readonly string[]>;
  readonly signal: AbortSignal;
}

interface Erasing {
  readonly options: ErasingOptions;
  readonly request: ErasureRequest;
  readonly committer: Committer;
  readonly state: CursorState;
}

const NOTHING = { seen: 0, added: 0, changed: 0, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };

/** One batch: its segment is durable before the transaction of the catalog ends, so that a crash in between is made up for from the journal. */
async function eraseBatch({ options, request, committer, state }: Erasing, keys: readonly string[]): Promise<void> {
  let committed: CatalogSegment | undefined;
  await options.catalog.erase(request.resource.id, keys, async (going, apply) => {
    // A transaction that the database had to repeat finds its segment in the journal.
    if (committed) return apply(committed);
    for (const key of going) committer.erase(key);
    const summary = { ...NOTHING, removed: going.length };
    await committer.commit(state, {
      point: false,
      summary,
      erasure: request.why,
      apply: (segment) => {
        committed = segment;
        return apply(segment);
      },
    });
  });
}

async function eraseAll(erasing: Erasing): Promise<void> {
  const { request, committer, state } = erasing;
  for await (const keys of request.batches) {
    request.signal.throwIfAborted();
    await eraseBatch(erasing, keys);
  }
  // The newest restore point is without them; one that an earlier attempt did not come to make is made now.
  if (committer.head && !committer.head.restorePoint) await committer.commit(state, { point: true, summary: NOTHING });
}

/**
 * Erases items of a resource from every restore point. Repeatable: what a killed attempt left in the journal alone
 * is taken to the catalog first. Their contents leave the vault with a later prune, unless something else needs them.
 */
export async function eraseItems(options: ErasingOptions, request: ErasureRequest): Promise<void> {
  const { vault, catalog, lease, clock } = options;
  const { resource, runId } = request;
  const held = await lease.acquire(resource.id, runId);
  let writer: VaultWriter | undefined;
  try {
    const signal = AbortSignal.any([request.signal, held.signal]);
    const journal = vault.journal(resource.id);
    const lost = (await journal.tend()).map(({ sequence }) => sequence);
    const { head } = await catchUpCatalog(journal, catalog);
    const state = decodeCursorState(head?.cursor ?? null);
    writer = await vault.openWriter({ resourceId: resource.id, signal });
    const committer = createCommitter({ resource, runId, writer, journal, catalog, lease: held, clock, signal }, head);
    await makeUpFor(options, { lost, committer, state, resourceId: resource.id });
    await eraseAll({ options, request: { ...request, signal }, committer, state });
    await writer.close();
  } catch (error) {
    await writer?.abort();
    throw error;
  } finally {
    await held.release();
  }
}
