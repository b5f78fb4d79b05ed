import type { Problem } from '@holdfast/engine';
import { AppError } from '@holdfast/foundation/errors';
import type { VerifyReport } from '@holdfast/vault';
import type { RunContext, RunHandler } from '../../work/run-worker.ts';
import type { Vaults } from '../backup/index.ts';
import type { RunAccountsStore } from '../monitoring/index.ts';
import type { AssuranceStore, HeldResource } from './assurance.store.ts';

export interface VerifyHandlerOptions {
  readonly vaults: Vaults;
  readonly accounts: Pick<RunAccountsStore, 'addProblems'>;
  readonly store: AssuranceStore;
}

const MIB = 1024 * 1024;
/** What a run names one by one; beyond that it counts, and the evidence in the vault has the rest. */
const MOST_NAMED = 1_000;
const AT_A_TIME = 200;
const DAMAGED = 'vault.damaged';

/** How much of the data is read back; all of it, whatever its size, when the job says so. */
function budgetOf(budgetPercent: number, held: readonly HeldResource[]): { readonly budgetBytes?: number } {
  if (budgetPercent >= 100) return {};
  const total = held.reduce((sum, resource) => sum + resource.bytes, 0);
  return { budgetBytes: Math.max(64 * MIB, Math.ceil((total * budgetPercent) / 100)) };
}

/** Names the items that can't be read any more among the problems of the run. */
async function nameAffected(
  { accounts }: VerifyHandlerOptions,
  { scope, run }: RunContext,
  report: VerifyReport,
  held: readonly HeldResource[],
): Promise<void> {
  const known = new Set(held.map((resource) => resource.resourceId));
  const problems = report.affectedItems
    .filter((item) => known.has(item.resourceId))
    .map(({ resourceId, itemId, name, roles }): Problem => {
      const fixed = { kind: null, outcome: 'recorded', code: DAMAGED, advice: 'none' } as const;
      return { ...fixed, resourceId, runId: run.runId, itemKey: itemId, path: name, tried: [...roles] };
    });
  for (let from = 0; from < problems.length; from += AT_A_TIME) {
    await accounts.addProblems(scope, run.runId, problems.slice(from, from + AT_A_TIME));
  }
}

/** A round in which every pack was read back is over: the next one reads all of them anew. */
function afterwards(report: VerifyReport): VerifyReport['progress'] {
  return report.complete ? { verifiedAt: {} } : report.progress;
}

/**
 * The handler of verify runs: the structure of the vault each time, and of the data as much as the
 * job's budget says, going on where the last run ended. Damage ends the run as defective and is named:
 * objects of the vault in the result, items among the problems.
 */
export function createVerifyHandler(options: VerifyHandlerOptions): RunHandler {
  const { vaults, store } = options;
  return async (context) => {
    const { scope, run, progress, signal } = context;
    const { body } = run;
    if (body.type !== 'verify') throw new AppError('runs.unknown-type', { details: { type: body.type } });
    progress.stage('checking');
    const held = await store.held(scope, run.locationId);
    const resume = await store.verified(scope, run.locationId);
    progress.expect(1);
    const figures = progress.of(run.locationId);
    const tell = (told: { processed: number; total: number; bytes: number; errors: number }): void =>
      figures.report({ stage: 'checking', ...told, itemsPerSecond: 0, bytesPerSecond: 0 });
    const report = await vaults.use(scope, run.locationId, (vault) =>
      vault.maintenance.verify({
        depth: 'data',
        ...budgetOf(body.budgetPercent, held),
        maxAffectedItems: MOST_NAMED,
        signal,
        ...(resume ? { resume } : {}),
        onProgress: ({ donePacks, totalPacks, doneBytes }) =>
          tell({ processed: donePacks, total: totalPacks, bytes: doneBytes, errors: 0 }),
      }),
    );
    await nameAffected(options, context, report, held);
    await store.noteVerified(scope, run.locationId, afterwards(report));
    const checked = report.packs + report.segments;
    tell({ processed: checked, total: checked, bytes: report.bytesRead, errors: report.affectedItemCount });
    const deviations = report.damages.length;
    return {
      status: deviations === 0 ? 'successful' : 'defective',
      code: deviations === 0 ? null : DAMAGED,
      result: {
        checked,
        checkedBytes: report.bytesRead,
        deviations,
        affectedItems: report.affectedItemCount,
        complete: report.complete,
        damages: report.damages.slice(0, MOST_NAMED).map(({ object, name, problem }) => ({ object, name, problem })),
      },
    };
  };
}
