import type { Scope } from '@holdfast/database';
import { createRetention, type Catalog, type PointHold } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { RunHandler, RunOf } from '../../runs/handler.ts';
import { waitingCalls } from '../../work/waiting-calls.ts';
import { attestedTime, coveredResources, deletionTargets, judgedAt, retentionOf, type TenantGraph, type Vaults } from '../backup/index.ts';
import type { AssuranceStore } from './assurance.store.ts';

/** Legal holds on a resource; they win over every rule. */
export type HoldsOn = (scope: Scope, resourceId: string) => Promise<readonly PointHold[]>;

export interface DeletionHandlerOptions {
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly store: AssuranceStore;
  /** One that forgets nothing that is under hold when it does so. */
  catalogOf(scope: Scope, locationId: string): Catalog;
  readonly holdsOn: HoldsOn;
  readonly clock: Clock;
}

/**
 * The handler of deletion runs: restore points that the job's rule gives up are forgotten and swept from
 * the vault. The newest point of a resource stays, and so does what is under hold.
 */
export function createDeletionHandler(options: DeletionHandlerOptions): RunHandler<RunOf<'deletion'>> {
  const { store, vaults, clock } = options;
  return async (context) => {
    const { scope, run, progress, signal } = context;
    const { body } = run;
    progress.stage('preparing');
    const held = await store.held(scope, run.locationId);
    const isChosen = await deletionTargets(
      (source) =>
        options.graph.use(scope, run.tenantId, (graph) => coveredResources(graph.with(waitingCalls(context)), body.workload, source)),
      body,
    );
    const attestedMs = await options.graph.use(scope, run.tenantId, (graph) => attestedTime(graph.with(waitingCalls(context))));
    const terms = await store.terms(scope, run.locationId);
    const rule = retentionOf(body, terms);
    const keepAll = { timeZone: rule.timeZone };
    const rules = held.map((resource) => ({ resourceId: resource.resourceId, rule: isChosen(resource) ? rule : keepAll }));
    progress.stage('committing');
    const result = await vaults.use(scope, run.locationId, (vault) =>
      createRetention({
        vault,
        catalog: options.catalogOf(scope, run.locationId),
        clock: { nowMs: () => judgedAt(clock, terms, attestedMs) },
        holdsOn: (resourceId) => options.holdsOn(scope, resourceId),
      }).run(rules, signal),
    );
    return {
      status: 'successful',
      code: null,
      counts: { added: 0, changed: 0, removed: result.removed, unchanged: result.kept, gone: 0, excluded: 0, newBytes: 0, storedBytes: 0 },
      result: { removed: result.removed, kept: result.kept },
    };
  };
}
