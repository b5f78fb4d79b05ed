import { isGraphError, type DriveEntry, type GraphClient } from '@holdfast/m365';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import { driveItemId, isArchived } from './drive-item.ts';

/** Under which an archived file is listed among what is not protected. */
export const FILE_ARCHIVED = 'graph.file-archived';

/**
 * Files that Microsoft 365 Archive held when an earlier run passed them. Reactivating one need not show among the
 * changes, so each is looked at once a run; what is still archived costs one request and is reported by nobody again.
 */
export function createArchivedFiles(context: EnumerateContext, graph: GraphClient, driveId: string) {
  const waiting = new Set(
    [...context.excluded].flatMap(([key, { code }]) => (code === FILE_ARCHIVED && key.startsWith(`${driveId}:`) ? [key] : [])),
  );

  /** The file as it is now; undefined when it is still archived, or can't be looked at. */
  async function reactivated(key: string): Promise<DriveEntry | 'gone' | undefined> {
    try {
      const entry = await graph.drives.item({ driveId, itemId: driveItemId(key) });
      return isArchived(entry) ? undefined : entry;
    } catch (error) {
      if (isGraphError(error, 'graph.item-gone')) return 'gone';
      throw error;
    }
  }

  return {
    /** Notes which of them the run has come across, so that none is looked at twice. */
    async *noting(steps: AsyncIterable<Step>): AsyncGenerator<Step, void, undefined> {
      for await (const step of steps) {
        if (step.step === 'put') waiting.delete(step.draft.key);
        if (step.step === 'exclude') waiting.delete(step.exclusion.key);
        if (step.step === 'remove' || step.step === 'resolved') waiting.delete(step.key);
        yield step;
      }
    },
    /** Reads those that have been reactivated. */
    async *rest(put: (entry: DriveEntry) => AsyncIterable<Step>): AsyncGenerator<Step, void, undefined> {
      for (const key of waiting) {
        const entry = await reactivated(key);
        if (entry === 'gone') yield { step: 'resolved', key };
        else if (entry) yield* put(entry);
      }
    },
  };
}
