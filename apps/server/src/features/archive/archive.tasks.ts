import { adviceFor, archiveWorkload, createBackup, type ArchiveSource, type Catalog, type Lease, type RunResult } from '@holdfast/engine';
import type { Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import type { Vault } from '@holdfast/vault';
import type { RunContext, RunHandler, RunOf } from '../../runs/handler.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import { createProblemBuffer, createTally, onceFree, openResources, type TenantGraph } from '../backup/index.ts';
import { resourceOf, type KnownResource, type ResourcesStore, type Vaults } from '../../storage/index.ts';
import type { RunAccountsStore } from '../../runs/index.ts';
import { coveredMailboxes, selectionOf } from './archive-mailboxes.ts';
import type { ArchiveSourcesStore, BackedUpMailbox } from './archive-sources.store.ts';

export interface ArchiveHandlerOptions {
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly resources: ResourcesStore;
  readonly accounts: RunAccountsStore;
  readonly sources: ArchiveSourcesStore;
  catalogOf(scope: Scope, locationId: string): Catalog;
  leaseOf(scope: Scope, locationId: string): Lease;
  readonly clock: Clock;
  readonly logger: Logger;
}

type ArchiveContext = RunContext<RunOf<'archive'>>;

const AT_A_TIME = 3;
const NOTHING = { seen: 0, added: 0, changed: 0, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };

/** The archives of the mailboxes that the job covers now. */
async function archivesOf(options: ArchiveHandlerOptions, context: ArchiveContext) {
  const { run, scope } = context;
  const gone = await options.sources.gone(scope, run.tenantId);
  const { mailboxes, notFound } = await options.graph.use(scope, run.tenantId, (graph) =>
    coveredMailboxes(graph.with(waitingCalls(context)), run.body, gone),
  );
  await options.accounts.addNotFound(scope, run.runId, notFound);
  const archives = mailboxes.map((mailbox) => ({ kind: 'archive' as const, workload: 'archive' as const, ...mailbox }));
  return { known: await options.resources.remember(scope, run.tenantId, archives), isWhole: notFound.length === 0 };
}

/** Works with the backups of a mailbox; those of other vaults can be read as long as it does. */
async function withSources<T>(
  { vaults }: Pick<ArchiveHandlerOptions, 'vaults'>,
  { run, scope }: ArchiveContext,
  backups: readonly BackedUpMailbox[],
  work: (sources: readonly ArchiveSource[]) => Promise<T>,
): Promise<T> {
  const elsewhere = [...new Set(backups.map(({ locationId }) => locationId))].filter((locationId) => locationId !== run.locationId);
  const opened = new Map<string, Vault>();
  const sourceOf = ({ locationId, ...source }: BackedUpMailbox): ArchiveSource => {
    const vault = opened.get(locationId);
    return vault ? { ...source, read: (ref, signal) => vault.reader().read(ref, { signal }) } : source;
  };
  const open = async ([locationId, ...others]: readonly string[]): Promise<T> =>
    locationId === undefined
      ? work(backups.map(sourceOf))
      : vaults.use(scope, locationId, (vault) => {
          opened.set(locationId, vault);
          return open(others);
        });
  return open(elsewhere);
}

/** Fills the archive of one mailbox. */
async function takeOne(options: ArchiveHandlerOptions, context: ArchiveContext, vault: Vault, archive: KnownResource): Promise<RunResult> {
  const { run, scope, progress, signal } = context;
  const { accounts, clock, logger } = options;
  const { locationId, runId } = run;
  const problems = createProblemBuffer((group) => accounts.addProblems(scope, runId, group));
  await accounts.start(scope, runId, archive.resourceId);
  const backups = await options.sources.of(scope, { tenantId: run.tenantId, graphId: archive.graphId, locationId });
  const whyNone = backups.length > 0 ? undefined : await options.sources.whyNone(scope, run.tenantId, archive.graphId);
  const capture = (sources: readonly ArchiveSource[]): Promise<RunResult> =>
    createBackup({
      vault,
      workloadOf: () => archiveWorkload(sources, whyNone),
      catalog: options.catalogOf(scope, locationId),
      lease: options.leaseOf(scope, locationId),
      progress: progress.of(archive.resourceId),
      problems,
      clock,
      logger,
    }).run({ runId, resource: resourceOf(archive), selections: [selectionOf(run.body)], signal });
  try {
    return await onceFree(clock, signal, () => withSources(options, context, backups, capture));
  } catch (error) {
    // A backup whose vault does not open is a fault of this archive alone.
    if (signal.aborted || isAppError(error, 'lease.taken')) throw error;
    const code = isAppError(error) ? error.code : 'internal';
    const { resourceId, name: path } = archive;
    const problem = { itemKey: null, kind: null, outcome: 'recorded', tried: [], advice: adviceFor(code) } as const;
    await problems.add({ resourceId, runId, path, code, ...problem });
    logger.warn({ resourceId, runId, code, err: error }, 'the backups of a mailbox could not be opened for its archive');
    return { status: 'failed', code, counts: NOTHING, bytesRead: 0, newBytes: 0, storedBytes: 0, sequence: null, segments: 0 };
  } finally {
    await problems.flush();
  }
}

/** The handler of archive runs: takes into the archive of each mailbox what backups have stored of it since. */
export function createArchiveHandler(options: ArchiveHandlerOptions): RunHandler<RunOf<'archive'>> {
  const { accounts } = options;
  return async (context) => {
    const { run, scope, signal, progress } = context;
    const tally = createTally(accounts);
    progress.stage('preparing');
    const { known, isWhole } = await archivesOf(options, context);
    await options.vaults.use(scope, run.locationId, async (vault) => {
      const open = await openResources(options, context, known);
      progress.stage('working');
      await forEachConcurrent(open, AT_A_TIME, async (archive) => {
        if (signal.aborted) return;
        const result = await takeOne(options, context, vault, archive);
        // An archive that a drain or a lost claim stopped has not ended: whoever takes the run next continues it.
        if (signal.aborted && result.status === 'cancelled') return;
        tally.add(result);
        await accounts.end(scope, run.runId, archive.resourceId, result);
        progress.ended(archive.resourceId, { isFailed: result.status === 'failed' });
      });
    });
    const outcome = await tally.outcome(context);
    return outcome.status === 'successful' && !isWhole ? { ...outcome, status: 'defective' } : outcome;
  };
}
