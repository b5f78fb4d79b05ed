import { adviceFor, archiveWorkload, createBackup, type ArchiveSource, type RunResult } from '@holdfast/engine';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { isAppError } from '@holdfast/foundation/errors';
import type { GraphClient } from '@holdfast/m365';
import type { Vault } from '@holdfast/vault';
import type { RunContext, RunHandler, RunOf } from '../../runs/handler.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import {
  createProblemBuffer,
  createTally,
  onceFree,
  openResources,
  readResources,
  type ReadingOptions,
  type TenantGraph,
} from '../backup/index.ts';
import { resourceOf, type KnownResource, type ResourcesStore, type Vaults } from '../../storage/index.ts';
import { coveredMailboxes, selectionOf } from './archive-mailboxes.ts';
import type { ArchiveSourcesStore, BackedUpMailbox } from './archive-sources.store.ts';
import { directMailboxes, directSelections, type Direct, type DirectOptions } from './direct-mailboxes.ts';

export interface ArchiveHandlerOptions extends ReadingOptions, DirectOptions {
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly resources: ResourcesStore;
  readonly sources: ArchiveSourcesStore;
}

type ArchiveContext = RunContext<RunOf<'archive'>>;

type Tally = ReturnType<typeof createTally>;

interface Given {
  readonly vault: Vault;
  readonly graph: GraphClient;
  readonly found: Found;
}

const AT_A_TIME = 3;
const NOTHING = { seen: 0, added: 0, changed: 0, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };

/** What a run works on. */
interface Found {
  readonly archives: readonly KnownResource[];
  /** The mailboxes that no backup covers. */
  readonly direct: Direct;
  readonly isWhole: boolean;
}

/** The archives of the mailboxes that the job covers now, and the mailboxes that it has to read itself. */
async function resourcesOf(options: ArchiveHandlerOptions, context: ArchiveContext, client: GraphClient): Promise<Found> {
  const { run, scope } = context;
  const graph = client.with(waitingCalls(context));
  const gone = await options.sources.gone(scope, run.tenantId);
  const { mailboxes, found, notFound } = await coveredMailboxes(graph, run.body, gone);
  await options.accounts.addNotFound(scope, run.runId, notFound);
  const isWhole = notFound.length === 0;
  const direct = await directMailboxes(options, context, graph, { found, isWhole });
  const archives = mailboxes.map((mailbox) => ({ kind: 'archive' as const, workload: 'archive' as const, ...mailbox }));
  return { archives: await options.resources.remember(scope, run.tenantId, archives), direct, isWhole };
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

/** The archive of a mailbox, and why the run could not read the mailbox itself. */
interface Taking {
  readonly archive: KnownResource;
  readonly unread?: string | undefined;
}

/** Fills the archive of one mailbox. */
async function takeOne(
  options: ArchiveHandlerOptions,
  context: ArchiveContext,
  vault: Vault,
  { archive, unread }: Taking,
): Promise<RunResult> {
  const { run, scope, progress, signal } = context;
  const { accounts, clock, logger } = options;
  const { locationId, runId } = run;
  const problems = createProblemBuffer((group) => accounts.addProblems(scope, runId, group));
  await accounts.start(scope, runId, archive.resourceId);
  const backups = await options.sources.of(scope, { tenantId: run.tenantId, graphId: archive.graphId, locationId });
  const whyNone = backups.length > 0 ? undefined : (unread ?? (await options.sources.whyNone(scope, run.tenantId, archive.graphId)));
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

/** Takes everything that a run covers: what backups stored first, then the mailboxes that have to be read, each followed by its archive. */
async function takeAll(
  options: ArchiveHandlerOptions,
  context: ArchiveContext,
  tally: Tally,
  { vault, graph, found }: Given,
): Promise<void> {
  const { run, scope, signal, progress } = context;
  const open = await openResources(options, context, [...found.archives, ...found.direct.mailboxes]);
  const archiveOf = new Map(open.filter(({ kind }) => kind === 'archive').map((archive) => [archive.graphId, archive]));
  const direct = open.filter(({ kind }) => kind === 'mailbox');
  const isDirect = new Set(direct.map(({ graphId }) => graphId));

  async function take(taking: Taking): Promise<void> {
    if (signal.aborted) return;
    const result = await takeOne(options, context, vault, taking);
    // An archive that a drain or a lost claim stopped has not ended: whoever takes the run next continues it.
    if (signal.aborted && result.status === 'cancelled') return;
    tally.add(result);
    const { resourceId } = taking.archive;
    await options.accounts.end(scope, run.runId, resourceId, result);
    progress.ended(resourceId, { isFailed: result.status === 'failed' });
  }

  progress.stage('working');
  const stored = [...archiveOf.values()].filter(({ graphId }) => !isDirect.has(graphId));
  await forEachConcurrent(stored, AT_A_TIME, (archive) => take({ archive, unread: found.direct.unread }));
  await readResources(options, context, {
    graph,
    vault,
    open: direct,
    tally,
    selectionsOf: (mailbox) => directSelections(options, context, mailbox),
    async andThen({ graphId }, { code }) {
      const archive = archiveOf.get(graphId);
      if (archive) await take({ archive, unread: code });
    },
  });
}

/**
 * The handler of archive runs: takes into the archive of each mailbox what backups have stored of it since, and what it
 * reads itself of mailboxes that no backup covers.
 */
export function createArchiveHandler(options: ArchiveHandlerOptions): RunHandler<RunOf<'archive'>> {
  return async (context) => {
    const { run, scope, progress } = context;
    const tally = createTally(options.accounts);
    progress.stage('preparing');
    const isWhole = await options.graph.use(scope, run.tenantId, async (graph) => {
      const found = await resourcesOf(options, context, graph);
      await options.vaults.use(scope, run.locationId, (vault) => takeAll(options, context, tally, { vault, graph, found }));
      return found.isWhole;
    });
    const outcome = await tally.outcome(context);
    return outcome.status === 'successful' && !isWhole ? { ...outcome, status: 'defective' } : outcome;
  };
}
