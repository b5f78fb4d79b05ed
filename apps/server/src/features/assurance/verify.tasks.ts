import type { Clock } from '@holdfast/foundation/clock';
import type { VerifyOptions, VerifyReport } from '@holdfast/vault';
import type { RunContext, RunHandler, RunOf, RunOutcome } from '../../runs/handler.ts';
import type { Vaults } from '../../storage/index.ts';
import type { RunAccountsStore } from '../../runs/index.ts';
import type { AssuranceStore, HeldResource } from './assurance.store.ts';
import type { VaultMemoryStore } from './vault-memory.store.ts';
import { findingsOf } from './verify-findings.ts';
import { MOST_NAMED, nameFound } from './verify-problems.ts';
import type { WitnessFolder } from './witness-folder.ts';

export interface VerifyHandlerOptions {
  readonly vaults: Vaults;
  readonly accounts: Pick<RunAccountsStore, 'addProblems' | 'addObjects'>;
  readonly store: AssuranceStore;
  readonly memory: VaultMemoryStore;
  readonly witnesses: WitnessFolder;
  readonly clock: Clock;
}

const MIB = 1024 * 1024;
/** Damaged objects in the answer of the run; its problems have all of them. */
const MOST_SHOWN = 1_000;

/** How much of the data is read back; all of it, whatever its size, when the job says so. */
function budgetOf(budgetPercent: number, held: readonly HeldResource[]): { readonly budgetBytes?: number } {
  if (budgetPercent >= 100) return {};
  const total = held.reduce((sum, resource) => sum + resource.bytes, 0);
  return { budgetBytes: Math.max(64 * MIB, Math.ceil((total * budgetPercent) / 100)) };
}

type VerifiedAt = VerifyReport['progress']['verifiedAt'];

/** How much reading back is lost when a worker dies. */
const KEPT_EVERY_MS = 10_000;

/** Keeps what was read back intact while a verify goes on: one that is cancelled or killed is gone on with there. */
function createKeeper(clock: Clock, before: VerifiedAt, keep: (verifiedAt: VerifiedAt) => Promise<void>) {
  const known: Record<string, string> = { ...before };
  let isFresh = false;
  let keeping = Promise.resolve();
  let keptAtMs = clock.monotonicMs();
  const flush = (): Promise<void> => {
    if (isFresh) keeping = keeping.then(() => keep({ ...known }));
    isFresh = false;
    // Whoever flushes at the end is told.
    keeping.catch(() => undefined);
    return keeping;
  };
  return {
    flush,
    add({ packId, at }: { readonly packId: string; readonly at: string }): void {
      known[packId] = at;
      isFresh = true;
      if (clock.monotonicMs() - keptAtMs < KEPT_EVERY_MS) return;
      keptAtMs = clock.monotonicMs();
      void flush();
    },
  };
}

/** A round in which every pack was read back is over: the next one reads all of them anew. */
function afterwards(report: VerifyReport): VerifyReport['progress'] {
  return report.complete ? { verifiedAt: {} } : report.progress;
}

/** What is kept of a verification: what the next one goes on from, its evidence, and outside what it saw where nothing deviated. */
async function keepResult(
  options: VerifyHandlerOptions,
  { scope, run }: RunContext<RunOf<'verify'>>,
  report: VerifyReport,
  deviations: number,
): Promise<void> {
  await options.store.noteVerified(scope, run.locationId, afterwards(report));
  await options.memory.noteVerified(scope, run.locationId, report, deviations);
  if (deviations === 0) await options.witnesses.keep(report.heads);
}

/** What a verification found, and whether the second witness could say anything. */
interface Verified {
  readonly report: VerifyReport;
  readonly isWitnessUnusable: boolean;
}

/** The end of a run: whatever deviates from what must be there is named, and the run is not called successful. */
async function conclude(
  options: VerifyHandlerOptions,
  { scope, run }: RunContext<RunOf<'verify'>>,
  { report, isWitnessUnusable }: Verified,
  held: readonly HeldResource[],
): Promise<RunOutcome & { readonly deviations: number }> {
  const place = { scope, runId: run.runId, locationId: run.locationId, known: new Set(held.map(({ resourceId }) => resourceId)) };
  const { itemsOfLostCommits } = await nameFound(options, place, report);
  const findings = findingsOf(report, [
    { code: 'vault.items-lost', count: itemsOfLostCommits },
    { code: 'vault.witness-unusable', count: isWitnessUnusable ? 1 : 0 },
  ]);
  const deviations = findings.reduce((sum, { count }) => sum + count, 0);
  return {
    status: deviations === 0 ? 'successful' : 'defective',
    code: findings[0]?.code ?? null,
    deviations,
    result: {
      checked: report.packs + report.segments,
      checkedBytes: report.bytesRead,
      deviations,
      findings,
      affectedItems: report.affectedItemCount + itemsOfLostCommits,
      complete: report.complete,
      damages: report.damages.slice(0, MOST_SHOWN).map(({ object, name, problem }) => ({ object, name, problem })),
    },
  };
}

/**
 * The handler of verify runs: the structure of the vault each time, held against what the database knows of it, and of
 * the data as much as the job's budget says, going on where the last run ended. Whatever deviates ends the run as
 * defective and is named: objects of the vault in the result, points and items among the problems.
 */
export function createVerifyHandler(options: VerifyHandlerOptions): RunHandler<RunOf<'verify'>> {
  const { vaults, store } = options;
  return async (context) => {
    const { scope, run, progress, signal } = context;
    progress.stage('checking');
    const held = await store.held(scope, run.locationId);
    const resume = await store.verified(scope, run.locationId);
    const keeper = createKeeper(options.clock, resume?.verifiedAt ?? {}, (verifiedAt) =>
      store.noteVerified(scope, run.locationId, { verifiedAt }),
    );
    progress.expect(1);
    const figures = progress.of(run.locationId);
    const tell = (told: { processed: number; total: number; bytes: number; errors: number }): void =>
      figures.report({ stage: 'checking', ...told, itemsPerSecond: 0, bytesPerSecond: 0 });
    const verifyOptions: VerifyOptions = {
      depth: 'data',
      ...budgetOf(run.body.budgetPercent, held),
      maxAffectedItems: MOST_NAMED,
      memory: options.memory.memoryOf(scope, run.locationId),
      signal,
      ...(resume ? { resume } : {}),
      onProgress: ({ donePacks, totalPacks, doneBytes, intact }) => {
        if (intact) keeper.add(intact);
        tell({ processed: donePacks, total: totalPacks, bytes: doneBytes, errors: 0 });
      },
    };
    const verified = await vaults.use(scope, run.locationId, async (vault): Promise<Verified> => {
      const { witnesses, isUnusable } = await options.witnesses.read(vault);
      try {
        return { report: await vault.maintenance.verify({ ...verifyOptions, witnesses }), isWitnessUnusable: isUnusable };
      } finally {
        await keeper.flush();
      }
    });
    const { report } = verified;
    const { deviations, ...outcome } = await conclude(options, context, verified, held);
    await keepResult(options, context, report, deviations);
    const checked = report.packs + report.segments;
    tell({ processed: checked, total: checked, bytes: report.bytesRead, errors: deviations });
    return outcome;
  };
}
