import { AppError } from '@holdfast/foundation/errors';
import type { RunHandler } from '../../work/run-worker.ts';
import type { Vaults } from '../backup/index.ts';
import type { AssuranceStore } from './assurance.store.ts';

export interface VerifyHandlerOptions {
  readonly vaults: Vaults;
  readonly store: AssuranceStore;
}

const MIB = 1024 * 1024;

/**
 * The handler of verify runs: the structure of the vault each time, and of the data as much as the
 * job's budget says, going on where the last run ended. Damage ends the run as defective, with what is affected.
 */
export function createVerifyHandler({ vaults, store }: VerifyHandlerOptions): RunHandler {
  return async ({ scope, run, progress, signal }) => {
    const { body } = run;
    if (body.type !== 'verify') throw new AppError('runs.unknown-type', { details: { type: body.type } });
    progress.stage('checking');
    const held = await store.held(scope, run.locationId);
    const total = held.reduce((sum, resource) => sum + resource.bytes, 0);
    const resume = await store.verified(scope, run.locationId);
    progress.expect(1);
    const report = await vaults.use(scope, run.locationId, (vault) =>
      vault.maintenance.verify({
        depth: 'data',
        budgetBytes: Math.max(64 * MIB, Math.ceil((total * body.budgetPercent) / 100)),
        signal,
        ...(resume ? { resume } : {}),
        onProgress: ({ doneBytes }) =>
          progress
            .of(run.locationId)
            .report({ stage: 'checking', processed: 0, bytes: doneBytes, itemsPerSecond: 0, bytesPerSecond: 0, errors: 0 }),
      }),
    );
    await store.noteVerified(scope, run.locationId, report.progress);
    const deviations = report.damages.length;
    return {
      status: deviations === 0 ? 'successful' : 'defective',
      code: deviations === 0 ? null : 'vault.damaged',
      result: {
        checked: report.packs + report.segments,
        checkedBytes: report.bytesRead,
        deviations,
        affectedItems: report.affectedItemCount,
        complete: report.complete,
      },
    };
  };
}
