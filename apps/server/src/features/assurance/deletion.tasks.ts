import type { Scope } from '@holdfast/database';
import { createRetention, type AwaitedOf, type AwaitedPoints, type Catalog } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { RunContext, RunHandler, RunOf } from '../../runs/handler.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import { attestedTime, coveredResources, deletionTargets, judgedAt, retentionOf, type TenantGraph } from '../backup/index.ts';
import type { Kept, KeptPlace, Vaults } from '../../storage/index.ts';
import type { RunAccountsStore } from '../../runs/index.ts';
import type { AssuranceStore, HeldResource } from './assurance.store.ts';

/** Legal holds on a resource, with the points of a location that single held items need, and what policies keep of an archive: they win over every rule. */
export type KeptOn = (scope: Scope, place: KeptPlace) => Promise<Kept>;

/** What archives have yet to take in of a location: read once, then asked for each of its resources. */
export type AwaitedIn = (
  scope: Scope,
  tenantId: string,
  locationId: string,
) => Promise<(resource: Pick<HeldResource, 'resourceId' | 'graphId' | 'workload'>) => Promise<readonly AwaitedPoints[]>>;

export interface DeletionHandlerOptions {
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly store: AssuranceStore;
  /** One that forgets nothing that is under hold, or within the minimum of a policy, when it does so. */
  catalogOf(scope: Scope, locationId: string): Catalog;
  readonly keptOn: KeptOn;
  readonly awaitedIn: AwaitedIn;
  readonly accounts: Pick<RunAccountsStore, 'addProblems'>;
  readonly clock: Clock;
}

/** Names the mailboxes of which a run has kept points, with the archive jobs that have yet to take in what they keep. */
async function nameAwaited(
  { accounts }: Pick<DeletionHandlerOptions, 'accounts'>,
  { scope, run: { runId } }: Pick<RunContext, 'scope' | 'run'>,
  awaited: readonly AwaitedOf[],
): Promise<void> {
  const problem = {
    runId,
    itemKey: null,
    kind: null,
    outcome: 'recorded',
    code: 'archive.awaited',
    tried: [],
    advice: 'runArchiveJob',
  } as const;
  await accounts.addProblems(
    scope,
    runId,
    awaited.map(({ resourceId, by }) => ({ ...problem, resourceId, path: by.join(', ') })),
  );
}

/** Only what the job chooses goes by its rule; of everything else every point stays. */
async function rulesOf(options: DeletionHandlerOptions, context: RunContext<RunOf<'deletion'>>, held: readonly HeldResource[]) {
  const { scope, run } = context;
  const { body } = run;
  const isChosen = await deletionTargets(
    (source) =>
      options.graph.use(scope, run.tenantId, (graph) => coveredResources(graph.with(waitingCalls(context)), body.workload, source)),
    body,
  );
  const terms = await options.store.terms(scope, run.locationId);
  const rule = retentionOf(body, terms);
  const keepAll = { timeZone: rule.timeZone };
  return { terms, rules: held.map((resource) => ({ resourceId: resource.resourceId, rule: isChosen(resource) ? rule : keepAll })) };
}

/**
 * The handler of deletion runs: restore points that the job's rule gives up are forgotten and swept from
 * the vault. The newest point of a resource stays, and so does what is under hold, what a policy keeps and what
 * an archive job has yet to take in.
 */
export function createDeletionHandler(options: DeletionHandlerOptions): RunHandler<RunOf<'deletion'>> {
  const { store, vaults, clock } = options;
  return async (context) => {
    const { scope, run, progress, signal } = context;
    progress.stage('preparing');
    const held = await store.held(scope, run.locationId);
    const byId = new Map(held.map((resource) => [resource.resourceId, resource]));
    const { terms, rules } = await rulesOf(options, context, held);
    const attestedMs = await options.graph.use(scope, run.tenantId, (graph) => attestedTime(graph.with(waitingCalls(context))));
    const awaitedOf = await options.awaitedIn(scope, run.tenantId, run.locationId);
    progress.stage('committing');
    const result = await vaults.use(scope, run.locationId, (vault) =>
      createRetention({
        vault,
        catalog: options.catalogOf(scope, run.locationId),
        clock: { nowMs: () => judgedAt(clock, terms, attestedMs) },
        keepersOf: async (resourceId) => {
          const resource = byId.get(resourceId);
          return {
            ...(await options.keptOn(scope, { resourceId, locationId: run.locationId })),
            awaited: resource ? await awaitedOf(resource) : [],
          };
        },
      }).run(rules, signal),
    );
    await nameAwaited(options, context, result.awaited);
    return {
      status: 'successful',
      code: null,
      counts: { added: 0, changed: 0, removed: result.removed, unchanged: result.kept, gone: 0, excluded: 0, newBytes: 0, storedBytes: 0 },
      result: {
        removed: result.removed,
        kept: result.kept,
        awaited: result.awaited.reduce((sum, { points }) => sum + points, 0),
      },
    };
  };
}
