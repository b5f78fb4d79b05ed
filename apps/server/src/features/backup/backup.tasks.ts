import type { BackupSettings } from '@holdfast/contract/configuration';
import type { JobSource } from '@holdfast/contract/jobs';
import type { Scope } from '@holdfast/database';
import {
  createBackup,
  graphWorkloads,
  readCoverage,
  type Catalog,
  type Lease,
  type RunResult,
  type Selection,
  type Selections,
} from '@holdfast/engine';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { createPlaces, type Place } from '@holdfast/foundation/places';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import type { GraphClient } from '@holdfast/m365';
import type { Vault } from '@holdfast/vault';
import type { RunContext, RunHandler, RunOf } from '../../runs/handler.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import type { RunAccountsStore } from '../../runs/index.ts';
import { configuredSelection, configuredSource, type SettingsReader, type SourcedBody } from './configured-source.ts';
import { coveredResources, isMeant } from './covered-resources.ts';
import type { JobResourcesStore } from './job-resources.store.ts';
import type { CoveredPlace, NotCoveredStore } from './not-covered.store.ts';
import { createProblemBuffer } from './problem-buffer.ts';
import { createTally, onceFree, openResources } from './each-resource.ts';
import { resourceOf, type KnownResource, type ResourcesStore } from '../../storage/catalog/resources.store.ts';
import type { TenantGraph } from './tenant-graph.ts';
import type { Vaults } from '../../storage/vaults/vaults.service.ts';

export interface BackupHandlerOptions {
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly resources: ResourcesStore;
  readonly accounts: RunAccountsStore;
  readonly notCovered: NotCoveredStore;
  readonly jobResources: JobResourcesStore;
  readonly configuration: SettingsReader;
  catalogOf(scope: Scope, locationId: string): Catalog;
  leaseOf(scope: Scope, locationId: string): Lease;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resources of a run that are read at a time. */
  readonly resourcesAtATime?: number;
}

const AT_A_TIME = 3;
/** How many more may wait for Microsoft 365 beside those that are read: each holds its own buffers. */
const RESTING_AT_MOST = 5;

type BackupContext = RunContext<RunOf<'backup'>>;

function sourceOf({ source, workload }: Pick<SourcedBody, 'source' | 'workload'>, settings: BackupSettings): JobSource {
  return configuredSource(source, workload, settings);
}

/** The channels that a job names of a team; nothing when it names none any more. */
function channelsOf(source: JobSource, { graphId }: KnownResource): Pick<Selection, 'channels'> {
  const channels = source.channels.filter(({ teamId }) => teamId === graphId);
  return channels.length === 0 ? {} : { channels: channels.map(({ id, name }) => ({ id, name })) };
}

/** What the engine reads of a resource, as a job that covers it, whole or in part, says. */
function selectionOf(source: JobSource, { resource, inPart }: Chosen, settings: BackupSettings): Selection {
  const { options, includeFolders, excludeFolders } = source;
  return {
    ...(inPart ? channelsOf(source, resource) : {}),
    ...(includeFolders.length > 0 ? { include: includeFolders } : {}),
    ...(excludeFolders.length > 0 ? { exclude: excludeFolders } : {}),
    mailbox: {
      deletedItems: options.deletedItems,
      junk: options.junk,
      recoverableItems: options.recoverableItems,
      calendars: options.calendars,
      contacts: options.contacts,
      tasks: options.tasks,
    },
    fileVersions: options.fileVersions,
    ...configuredSelection(resource.workload, settings),
  };
}

interface Parts {
  readonly graph: GraphClient;
  readonly vault: Vault;
}

/** A resource of a run. */
interface Chosen {
  readonly resource: KnownResource;
  /** Of a team: only the channels that the job names. */
  readonly inPart: boolean;
}

/** What the job of a run and all others that cover a resource choose of it now. */
async function selectionsOf(
  options: BackupHandlerOptions,
  { run, scope }: BackupContext,
  { resource, inPart }: Chosen,
): Promise<Selections> {
  const { resourceId } = resource;
  const settings = await options.configuration.settingsOf(scope, run.tenantId);
  const others = await options.jobResources.besides(scope, { resourceId, locationId: run.locationId, jobId: run.jobId });
  const select = (body: SourcedBody, isInPart: boolean): Selection =>
    selectionOf(sourceOf(body, settings), { resource, inPart: isInPart }, settings);
  return [select(run.body, inPart), ...others.map((other) => select(other.body, other.inPart))];
}

/** The requests of one resource: while they wait for the service, the run says so and another resource is read. */
function waitingGraph(
  { progress }: BackupContext,
  graph: GraphClient,
  { resource, place }: Pick<Chosen, 'resource'> & { readonly place: Place },
): GraphClient {
  return graph.with({
    onWaiting(code) {
      progress.waitForMicrosoft(resource.resourceId, code);
      if (code === undefined) place.resume();
      else place.rest();
    },
  });
}

/** Takes one resource. A lease that another run holds is waited for a little. */
async function takeOne(options: BackupHandlerOptions, context: BackupContext, parts: Parts, chosen: Chosen): Promise<RunResult> {
  const { resource } = chosen;
  const { run, scope, progress, signal } = context;
  const { accounts, clock, logger } = options;
  const problems = createProblemBuffer((group) => accounts.addProblems(scope, run.runId, group));
  const backup = createBackup({
    vault: parts.vault,
    workloadOf: graphWorkloads(parts.graph),
    catalog: options.catalogOf(scope, run.locationId),
    lease: options.leaseOf(scope, run.locationId),
    progress: progress.of(resource.resourceId),
    problems,
    clock,
    logger,
  });
  await accounts.start(scope, run.runId, resource.resourceId);
  return onceFree(clock, signal, async () => {
    try {
      // Asked at each turn: a run goes on for hours, and a job may have come or been changed since it began.
      const selections = await selectionsOf(options, context, chosen);
      return await backup.run({ runId: run.runId, resource: resourceOf(resource), selections, signal });
    } finally {
      await problems.flush();
    }
  });
}

/** Tells the report of what is not protected what the newest segment of a resource says; a run without changes says nothing new. */
async function tellGaps(options: BackupHandlerOptions, scope: Scope, place: CoveredPlace): Promise<void> {
  const { notCovered } = options;
  if (!(await notCovered.isStale(scope, place))) return;
  const catalog = options.catalogOf(scope, place.locationId);
  await notCovered.tell(scope, place, await Array.fromAsync(readCoverage(catalog, { id: place.resourceId })));
}

/** What a run covers. */
interface Found {
  readonly known: readonly KnownResource[];
  readonly inPart: ReadonlySet<string>;
  readonly isWhole: boolean;
}

/** The handler of backup runs: resolves what the job covers today and takes it resource by resource. */
export function createBackupHandler(options: BackupHandlerOptions): RunHandler<RunOf<'backup'>> {
  const { accounts } = options;

  async function resourcesOf(context: BackupContext, graph: GraphClient): Promise<Found> {
    const { run, scope } = context;
    const settings = await options.configuration.settingsOf(scope, run.tenantId);
    if (!settings[run.workload].enabled) throw new AppError('configuration.workload-off');
    const source = sourceOf(run.body, settings);
    const coverage = await coveredResources(graph.with(waitingCalls(context)), run.workload, source);
    const holdsBack = source.everyone && !settings[run.workload].protectNewResources;
    const remembered = await options.resources.remember(scope, run.tenantId, coverage.resources, { holdsBack });
    const known = remembered.filter(({ isHeldBack }) => !isHeldBack);
    if (coverage.isComplete) {
      await options.resources.markGone(scope, run.tenantId, run.workload, [
        ...coverage.resources.map((one) => one.graphId),
        ...coverage.spared,
      ]);
    }
    await options.notCovered.notePeople(scope, run.tenantId, run.workload, coverage);
    await accounts.addNotFound(
      scope,
      run.runId,
      coverage.notCovered.filter((one) => !isMeant(one)),
    );
    // Who has no mailbox or drive is not protected and says so; who could not be looked up makes the run defective.
    const isWhole = coverage.notCovered.every(isMeant);
    const resourceIds = known.map(({ resourceId }) => resourceId);
    const inPart = new Set(
      known.filter(({ kind, graphId }) => kind === 'team' && coverage.channels?.has(graphId)).map((team) => team.resourceId),
    );
    if (run.jobId !== null) await options.jobResources.note(scope, run.jobId, { resourceIds, inPart, isWhole });
    return { known, inPart, isWhole };
  }

  return async (context) => {
    const { run, scope, signal, progress } = context;
    const tally = createTally(options.accounts);
    let isComplete = true;
    await options.graph.use(scope, run.tenantId, (graph) =>
      options.vaults.use(scope, run.locationId, async (vault) => {
        progress.stage('preparing');
        const { known, inPart, isWhole } = await resourcesOf(context, graph);
        isComplete = isWhole;
        const open = await openResources(options, context, known);
        progress.stage('working');
        const atATime = options.resourcesAtATime ?? AT_A_TIME;
        const places = createPlaces(atATime);
        await forEachConcurrent(open, atATime + RESTING_AT_MOST, (resource) =>
          places.run(async (place) => {
            if (signal.aborted) return;
            const chosen = { resource, inPart: inPart.has(resource.resourceId) };
            const result = await takeOne(options, context, { graph: waitingGraph(context, graph, { resource, place }), vault }, chosen);
            // A resource that a drain or a lost claim stopped has not ended: whoever takes the run next continues it.
            if (signal.aborted && result.status === 'cancelled') return;
            tally.add(result);
            await tellGaps(options, scope, { locationId: run.locationId, resourceId: resource.resourceId });
            await accounts.end(scope, run.runId, resource.resourceId, result);
            progress.ended(resource.resourceId, { isFailed: result.status === 'failed' });
          }),
        );
      }),
    );
    const outcome = await tally.outcome(context);
    return outcome.status === 'successful' && !isComplete ? { ...outcome, status: 'defective' } : outcome;
  };
}
