import type { SelectionPart } from '../search/index.ts';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { RunHandler, RunOf, RunOutcome } from '../../runs/handler.ts';
import { batchesOf } from '../search/index.ts';
import { createBatches, type RecoveryContext, type RecoveryHandlerOptions } from './batches.ts';
import { addCounts, combined, noRestored, type Restored } from './restored.ts';

/** Microsoft 365 counts requests by mailbox and by site: a few at once do not take each other's budget. */
const AT_A_TIME = 3;

/** The handler of restores of search hits. A resumed run continues each part after what its report already lists. */
export function createRecoveryHandler(options: RecoveryHandlerOptions): RunHandler<RunOf<'recovery'>> {
  const { selections, accounts, logger } = options;
  const batches = createBatches(options);

  /** Everything of one resource, batch after batch: two at once would not see what the other writes. */
  async function restoreResource(context: RecoveryContext, parts: readonly SelectionPart[]): Promise<Restored> {
    const { run, scope, signal } = context;
    let sum = noRestored;
    for (const part of parts) {
      let number = 0;
      for await (const items of batchesOf(selections, scope, run.body.recovery.selectionId, part)) {
        if (signal.aborted) return sum;
        number += 1;
        const batch = { part, items, name: `${part.sourceId} ${part.sequence} ${number}` };
        try {
          sum = addCounts(sum, await batches.restore(context, batch));
        } catch (error) {
          if (signal.aborted || isAppError(error, 'vault.storage-unavailable')) throw error;
          const code = isAppError(error) ? error.code : 'internal';
          logger.warn({ runId: run.runId, resourceId: part.resource.id, code, err: error }, 'a part of a selection could not be restored');
          sum = addCounts(sum, await batches.breakOff(context, batch, code));
        }
      }
    }
    return sum;
  }

  return async (context): Promise<RunOutcome> => {
    const { run, scope, progress, signal } = context;
    const { selectionId } = run.body.recovery;
    const parts = await selections.parts(scope, run.tenantId, selectionId);
    if (parts.length === 0) throw new AppError('search.selection-unknown');
    const byResource = Map.groupBy(parts, ({ resource }) => resource.id);
    await accounts.begin(scope, run.runId, [...byResource.keys()]);
    progress.expect(byResource.size);
    progress.stage('restoring');
    const results: Restored[] = [];
    await forEachConcurrent([...byResource], AT_A_TIME, async ([resourceId, ofResource]) => {
      if (signal.aborted) return;
      await accounts.start(scope, run.runId, resourceId);
      const result = await restoreResource(context, ofResource);
      // A resource that a drain or a lost claim stopped has not ended: whoever takes the run next continues it.
      if (signal.aborted) return;
      results.push(result);
      const { account, isFailed } = combined([result]);
      await accounts.end(scope, run.runId, resourceId, account);
      progress.ended(resourceId, { isFailed });
    });
    return combined(results).outcome;
  };
}
