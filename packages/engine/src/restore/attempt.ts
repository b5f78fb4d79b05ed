import { isAppError } from '@holdfast/foundation/errors';
import { graphOutcome, isGraphError } from '@holdfast/m365';
import { WOULD_WRITE } from './dry-graph.ts';
import type { ItemOutcome } from './restorer.ts';

/** The service has not made the folder yet that the files of a channel go into. */
export const FILES_NOT_READY = 'restore.files-not-ready';

/**
 * Failures of one item, also of its bytes in the vault, are lines of the report; the rest ends the restore. What a dry run
 * may not write is taken as written.
 */
export async function attempt(work: () => Promise<ItemOutcome>, signal: AbortSignal): Promise<ItemOutcome> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    if (signal.aborted) throw error;
    if (isAppError(error, WOULD_WRITE)) return { outcome: 'restored' };
    const outcome = graphOutcome(error);
    if (outcome === 'tenant' || outcome === 'resource' || outcome === undefined) {
      if (!isAppError(error, 'vault.damaged', 'vault.blob-missing', 'vault.item-key-destroyed', 'restore.unreadable', FILES_NOT_READY))
        throw error;
    }
    return { outcome: 'failed', code: isAppError(error) ? error.code : 'internal' };
  }
}

/** Takes something away that may be gone already. */
export async function unlessGone(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isGraphError(error, 'graph.item-gone')) throw error;
  }
}
