import type { Scope } from '@holdfast/database';
import { clearScratch, createDrill, drawSamples, type Catalog, type DrillEvidence, type DrillPlan } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import type { RunContext, RunHandler, RunOf } from '../../runs/handler.ts';
import { coveredResources, type TenantGraph } from '../backup/index.ts';
import { resourceOf, type KnownResource, type ResourcesStore, type Vaults } from '../../storage/index.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import type { RunAccountsStore } from '../../runs/index.ts';
import { keepEvidence, scratchFolder, type RunLinesStore } from '../restore/index.ts';

export interface DrillHandlerOptions {
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly resources: ResourcesStore;
  readonly accounts: RunAccountsStore;
  readonly lines: RunLinesStore;
  catalogOf(scope: Scope, locationId: string): Catalog;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** How many samples each resource gives, so that all together are what the job asks for. */
export function shareSamples(samples: number, resources: number): number[] {
  const count = Math.min(samples, resources);
  return Array.from({ length: count }, (_, index) => Math.floor(samples / count) + (index < samples % count ? 1 : 0));
}

/** What a drill does, decided before anything is put back. */
interface DecidedDrill {
  readonly folder: string;
  /** Chats that are covered and have restore points. */
  readonly leftOut: number;
  readonly parts: readonly { readonly resource: KnownResource; readonly plan: DrillPlan }[];
}

type DrillContext = RunContext<RunOf<'drill'>>;

/** Chooses the covered resources that have restore points, in random order. */
async function drawn(
  options: DrillHandlerOptions,
  context: DrillContext,
): Promise<{ readonly resources: readonly KnownResource[]; readonly leftOut: number }> {
  const { run, scope } = context;
  const covered = await options.graph.use(scope, run.tenantId, (graph) =>
    coveredResources(graph.with(waitingCalls(context)), run.workload, run.body.source),
  );
  const known = await options.resources.remember(scope, run.tenantId, covered.resources, { holdsBack: true });
  const sizes = await options.resources.sizes(
    scope,
    run.locationId,
    known.map((one) => one.resourceId),
  );
  const held = known.filter((one) => sizes.has(one.resourceId));
  // Of a chat nothing is put back for a drill: it would stand among what people say.
  const apart = held.filter((one) => one.kind !== 'chat');
  const shuffled = apart.map((one) => ({ one, order: options.random.next() })).sort((a, b) => a.order - b.order);
  return { resources: shuffled.map(({ one }) => one), leftOut: held.length - apart.length };
}

/** The handler of drill runs: samples go back into a scratch folder of their source and are compared byte by byte. */
export function createDrillHandler(options: DrillHandlerOptions): RunHandler<RunOf<'drill'>> {
  const { accounts, clock, logger, random } = options;

  async function decided(context: DrillContext): Promise<DecidedDrill> {
    const { run, scope } = context;
    return context.decide('drill', async () => {
      const { resources, leftOut } = await drawn(options, context);
      const shares = shareSamples(run.body.samples, resources.length);
      const catalog = options.catalogOf(scope, run.locationId);
      const parts: DecidedDrill['parts'][number][] = [];
      for (const [index, samples] of shares.entries()) {
        const resource = resources[index];
        if (resource) parts.push({ resource, plan: await drawSamples({ catalog, random }, { source: resourceOf(resource), samples }) });
      }
      return { folder: scratchFolder('drill', run.runId, clock), leftOut, parts };
    });
  }

  /** A run that is taken up begins anew, without what its earlier worker has put anywhere, also when it is to be cancelled. */
  async function beginAnew(context: DrillContext, { folder, parts }: DecidedDrill): Promise<void> {
    const { run, scope } = context;
    await options.lines.forget(scope, run.runId);
    await options.graph.use(scope, run.tenantId, async (client) => {
      const graph = client.with(waitingCalls(context));
      for (const { resource, plan } of parts)
        await clearScratch({ graph, clock }, { target: resourceOf(resource), folder, kinds: plan.kinds });
    });
  }

  async function drillOne(
    context: DrillContext,
    folder: string,
    { resource, plan }: DecidedDrill['parts'][number],
  ): Promise<DrillEvidence> {
    const { run, scope, signal } = context;
    const source = resourceOf(resource);
    const request = { runId: run.runId, source, target: source, folder, ...plan };
    return options.graph.use(scope, run.tenantId, (client) => {
      const graph = client.with(waitingCalls(context, resource.resourceId));
      const catalog = options.catalogOf(scope, run.locationId);
      return options.vaults.apart(scope, run.locationId, (vault) =>
        createDrill({ vault, graph, catalog, clock, logger }).run(request, signal),
      );
    });
  }

  return async (context) => {
    const { run, scope, progress, signal } = context;
    progress.stage('preparing');
    const drill = await decided(context);
    const { parts, leftOut } = drill;
    if (run.isResumed) await beginAnew(context, drill);
    const ids = parts.map(({ resource }) => resource.resourceId);
    await accounts.begin(scope, run.runId, ids);
    progress.expect(parts.length);
    progress.stage('restoring');
    const sum = { checked: 0, checkedBytes: 0, deviations: 0, remaining: 0, kept: 0, leftOut };
    for (const part of parts) {
      const { resourceId } = part.resource;
      signal.throwIfAborted();
      await accounts.start(scope, run.runId, resourceId);
      const place = { scope, runId: run.runId, resourceId, atLeast: 0 };
      const tally = await keepEvidence(options, place, await drillOne(context, drill.folder, part));
      for (const name of ['checked', 'checkedBytes', 'deviations', 'remaining', 'kept'] as const) sum[name] += tally[name];
      const counted = { processed: tally.checked, total: tally.checked, bytes: tally.checkedBytes, errors: tally.deviations };
      progress.of(resourceId).report({ stage: 'restoring', ...counted, itemsPerSecond: 0, bytesPerSecond: 0 });
      progress.ended(resourceId);
    }
    if (sum.checked === 0) return { status: 'failed', code: 'drill.nothing-to-check', result: sum };
    return { status: sum.deviations === 0 ? 'successful' : 'defective', code: null, result: sum };
  };
}
