import type { Scope } from '@holdfast/database';
import { createBackup, graphWorkloads, readCoverage, type Catalog, type Lease, type RunResult, type Selections } from '@holdfast/engine';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { createPlaces, type Place } from '@holdfast/foundation/places';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { GraphClient } from '@holdfast/m365';
import type { Vault } from '@holdfast/vault';
import type { RunContext } from '../../runs/handler.ts';
import type { RunAccountsStore } from '../../runs/index.ts';
import { resourceOf, type KnownResource } from '../../storage/catalog/resources.store.ts';
import { onceFree, type createTally } from './each-resource.ts';
import type { CoveredPlace, NotCoveredStore } from './not-covered.store.ts';
import { createProblemBuffer } from './problem-buffer.ts';

export interface ReadingOptions {
  readonly accounts: RunAccountsStore;
  readonly notCovered: NotCoveredStore;
  catalogOf(scope: Scope, locationId: string): Catalog;
  leaseOf(scope: Scope, locationId: string): Lease;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resources of a run that are read at a time. */
  readonly resourcesAtATime?: number;
}

/** What of a run a reading needs, whichever kind of job it is of. */
export type ReadingContext = Pick<RunContext, 'scope' | 'progress' | 'signal'> & {
  readonly run: { readonly runId: string; readonly locationId: string };
};

/** What is read, from where and into what. */
export interface Reading {
  readonly graph: GraphClient;
  readonly vault: Vault;
  readonly open: readonly KnownResource[];
  readonly tally: ReturnType<typeof createTally>;
  /** Asked at each turn: a run goes on for hours, and a job may have come or been changed since it began. */
  selectionsOf(resource: KnownResource): Promise<Selections>;
  /** What follows on a resource that was read, before another one takes its place. */
  readonly andThen?: (resource: KnownResource, result: RunResult) => Promise<void>;
}

const AT_A_TIME = 3;
/** How many more may wait for Microsoft 365 beside those that are read: each holds its own buffers. */
const RESTING_AT_MOST = 5;

/** The requests of one resource: while they wait for the service, the run says so and another resource is read. */
function waitingGraph(
  { progress }: ReadingContext,
  graph: GraphClient,
  { resource, place }: { readonly resource: KnownResource; readonly place: Place },
): GraphClient {
  return graph.with({
    onWaiting(code) {
      progress.waitForMicrosoft(resource.resourceId, code);
      if (code === undefined) place.resume();
      else place.rest();
    },
  });
}

/** Reads one resource. A lease that another run holds is waited for a little. */
async function readOne(options: ReadingOptions, context: ReadingContext, reading: Reading, resource: KnownResource): Promise<RunResult> {
  const { run, scope, progress, signal } = context;
  const { accounts, clock, logger } = options;
  const problems = createProblemBuffer((group) => accounts.addProblems(scope, run.runId, group));
  const backup = createBackup({
    vault: reading.vault,
    workloadOf: graphWorkloads(reading.graph),
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
      const selections = await reading.selectionsOf(resource);
      return await backup.run({ runId: run.runId, resource: resourceOf(resource), selections, signal });
    } finally {
      await problems.flush();
    }
  });
}

/** Tells the report of what is not protected what the newest segment of a resource says; a run without changes says nothing new. */
async function tellGaps(options: ReadingOptions, scope: Scope, place: CoveredPlace): Promise<void> {
  const { notCovered } = options;
  if (!(await notCovered.isStale(scope, place))) return;
  const catalog = options.catalogOf(scope, place.locationId);
  await notCovered.tell(scope, place, await Array.fromAsync(readCoverage(catalog, { id: place.resourceId })));
}

/** Reads resources from Microsoft 365 into the vault of the run's location, some at a time. */
export async function readResources(options: ReadingOptions, context: ReadingContext, reading: Reading): Promise<void> {
  const { run, scope, progress, signal } = context;
  const atATime = options.resourcesAtATime ?? AT_A_TIME;
  const places = createPlaces(atATime);
  await forEachConcurrent(reading.open, atATime + RESTING_AT_MOST, (resource) =>
    places.run(async (place) => {
      if (signal.aborted) return;
      const { resourceId } = resource;
      const graph = waitingGraph(context, reading.graph, { resource, place });
      const result = await readOne(options, context, { ...reading, graph }, resource);
      // A resource that a drain or a lost claim stopped has not ended: whoever takes the run next continues it.
      if (signal.aborted && result.status === 'cancelled') return;
      reading.tally.add(result);
      await tellGaps(options, scope, { locationId: run.locationId, resourceId });
      await options.accounts.end(scope, run.runId, resourceId, result);
      progress.ended(resourceId, { isFailed: result.status === 'failed' });
      await reading.andThen?.(resource, result);
    }),
  );
}
