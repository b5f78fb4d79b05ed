import type { Scope } from '@holdfast/database';
import { createDrill, type Catalog, type DrillEvidence } from '@holdfast/engine';
import { nowIso, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import type { RunContext, RunHandler } from '../../work/run-worker.ts';
import { coveredResources, resourceOf, type KnownResource, type ResourcesStore, type TenantGraph, type Vaults } from '../backup/index.ts';
import type { RunAccountsStore } from '../monitoring/index.ts';
import { keepEvidence, type RunLinesStore } from '../restore/index.ts';

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

/** The handler of drill runs: samples go back into a scratch folder of their source and are compared byte by byte. */
export function createDrillHandler(options: DrillHandlerOptions): RunHandler {
  const { accounts, clock, logger, random } = options;

  async function drawn({ run, scope }: RunContext): Promise<readonly KnownResource[]> {
    const { body } = run;
    if (body.type !== 'drill') throw new AppError('runs.unknown-type', { details: { type: body.type } });
    const covered = await options.graph.use(scope, run.tenantId, (graph) => coveredResources(graph, run.workload, body.source));
    const known = await options.resources.remember(scope, run.tenantId, covered.resources);
    const sizes = await options.resources.sizes(
      scope,
      run.locationId,
      known.map((one) => one.resourceId),
    );
    const held = known.filter((one) => sizes.has(one.resourceId));
    return held
      .map((one) => ({ one, order: random.next() }))
      .sort((a, b) => a.order - b.order)
      .map(({ one }) => one);
  }

  async function drillOne(context: RunContext, resource: KnownResource, samples: number): Promise<DrillEvidence> {
    const { run, scope, signal } = context;
    const source = resourceOf(resource);
    return options.graph.use(scope, run.tenantId, (graph) =>
      options.vaults.apart(scope, run.locationId, (vault) =>
        createDrill({ vault, graph, catalog: options.catalogOf(scope, run.locationId), clock, random, logger }).run(
          { runId: run.runId, source, target: source, folder: `Holdfast drill ${nowIso(clock).slice(0, 16).replace(':', '.')}`, samples },
          signal,
        ),
      ),
    );
  }

  return async (context) => {
    const { run, scope, progress, signal } = context;
    progress.stage('preparing');
    const resources = await drawn(context);
    const shares = shareSamples(run.body.type === 'drill' ? run.body.samples : 0, resources.length);
    const chosen = resources.slice(0, shares.length);
    await accounts.begin(
      scope,
      run.runId,
      chosen.map((one) => one.resourceId),
    );
    progress.expect(chosen.length);
    progress.stage('restoring');
    const sum = { checked: 0, checkedBytes: 0, deviations: 0 };
    for (const [index, resource] of chosen.entries()) {
      signal.throwIfAborted();
      await accounts.start(scope, run.runId, resource.resourceId);
      const place = { scope, runId: run.runId, resourceId: resource.resourceId, atLeast: 0 };
      const tally = await keepEvidence(options, place, await drillOne(context, resource, shares[index] ?? 1));
      sum.checked += tally.checked;
      sum.checkedBytes += tally.checkedBytes;
      sum.deviations += tally.deviations;
      const counted = { processed: tally.checked, total: tally.checked, bytes: tally.checkedBytes, errors: tally.deviations };
      progress.of(resource.resourceId).report({ stage: 'restoring', ...counted, itemsPerSecond: 0, bytesPerSecond: 0 });
      progress.ended(resource.resourceId);
    }
    if (sum.checked === 0) return { status: 'failed', code: 'drill.nothing-to-check', result: sum };
    return { status: sum.deviations === 0 ? 'successful' : 'defective', code: null, result: sum };
  };
}
