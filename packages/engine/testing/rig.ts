import { createSecretKey } from 'node:crypto';
import { systemClock, type Clock } from '@holdfast/foundation/clock';
import { createIds, type Ids } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { createGraphClient, createMemoryBudgets, type GraphClient, type GraphClientOptions } from '@holdfast/m365';
import type { KeptConnections } from '@holdfast/m365/testing/kept-connections';
import type { Simulator, SimulatorOptions, TruthRecord } from '@holdfast/m365-simulator';
import { createMasterKeyRing, createMemoryBlobStore, createVault, openVault, type BlobStore, type Vault } from '@holdfast/vault';
import { createBackup } from '../src/backup/create-backup.ts';
import { graphWorkloads } from '../src/workloads/workloads.ts';
import type { RunResult, Selection } from '../src/ports/run.ts';
import type { CheckpointRule } from '../src/pipeline/run-resource.ts';
import type { Catalog } from '../src/ports/catalog.ts';
import type { ItemVersion, Resource, ResourceKind } from '../src/ports/item.ts';
import { silentProgress } from '../src/ports/progress.ts';
import type { RestoreLine, RestorePlan, RestoreRequest, RestoreResult } from '../src/restore/request.ts';
import { createRestore } from '../src/restore/create-restore.ts';
import { pointOf } from '../src/restore/point.ts';
import { createMemoryReport, type MemoryReport } from './memory-report.ts';
import { createMemoryCatalog } from './memory-catalog.ts';
import { createMemoryLease, createProblemList } from './memory-ports.ts';

const KEY = createSecretKey(Buffer.alloc(32, 7));
const ORGANISATION = '0190bbbb-0000-7000-8000-000000000001';

/** A tenant of the simulator, a vault and everything between them, for tests and benchmarks. */
export interface Rig {
  readonly simulator: Simulator;
  readonly graph: GraphClient;
  readonly vault: Vault;
  readonly catalog: Catalog;
  readonly lease: ReturnType<typeof createMemoryLease>;
  readonly problems: ReturnType<typeof createProblemList>;
  readonly clock: Clock;
  readonly ids: Ids;
  resource(kind: ResourceKind, graphId: string, name?: string): Resource;
  backup(resource: Resource, options?: BackupRunOptions): Promise<RunResult>;
  restore(
    /** Of the newest point unless another one is asked for. */
    request: Omit<RestoreRequest, 'runId' | 'sequence'> & Partial<Pick<RestoreRequest, 'sequence'>>,
    report?: MemoryReport,
    /** The service as this restore sees it. */
    seenAs?: (graph: GraphClient) => GraphClient,
  ): Promise<{ readonly result: RestoreResult; readonly lines: readonly RestoreLine[] }>;
  /** What a restore would do, of the newest point unless another one is asked for. */
  plan(request: Parameters<Rig['restore']>[0]): Promise<RestorePlan>;
  /** The simulator's own record of what an owner has; never through Graph. */
  truth(kind: string, owner: string, at?: number): Promise<TruthRecord[]>;
  /** A change as a person makes it. */
  act(name: string, input: object): Record<string, unknown>;
  items(resource: Resource, sequence?: number): Promise<ItemVersion[]>;
  /** What the service has sent to anybody. */
  outbox(): readonly unknown[];
  close(): Promise<void>;
}

export interface BackupRunOptions {
  /** What the job of the run protects; everything without it. */
  readonly selection?: Selection;
  /** What other jobs protect of the same resource. */
  readonly beside?: readonly Selection[];
  readonly signal?: AbortSignal;
  readonly checkpoint?: CheckpointRule;
  readonly concurrency?: number;
  /** The service as this run sees it. */
  readonly seenAs?: (graph: GraphClient) => GraphClient;
}

export interface RigOptions extends SimulatorOptions {
  readonly store?: BlobStore;
  readonly clockOfEngine?: Clock;
  readonly threads?: number;
  readonly catalog?: Catalog;
  /** Another simulator's tenant, for a second rig over the same one. */
  readonly shared?: Simulator;
  /** Connections that outlive the rig, where hundreds of rigs follow each other. */
  readonly connections?: KeptConnections;
}

/** A client for the first tenant of a simulator. */
export function clientFor(simulator: Simulator, clock: Clock, ids: Ids, connections?: KeptConnections): GraphClient {
  const [access] = simulator.tenants;
  if (!access) throw new Error('The simulator has no tenant.');
  const create = (options: GraphClientOptions): GraphClient => connections?.client(options) ?? createGraphClient(options);
  return create({
    tenantId: access.tenantId,
    credential: { kind: 'secret', clientId: access.clientId, clientSecret: new Secret(access.clientSecret) },
    endpoints: {
      loginUrl: simulator.login,
      graphUrl: simulator.graph,
      ca: simulator.caPem,
      contentHosts: [new URL(simulator.graph).hostname],
    },
    budgets: createMemoryBudgets({ clock, ids }),
    clock,
    random: createSeededRandom(5),
    ids,
    logger: silentLogger,
    userAgentVersion: '0.0.0',
    licenceCount: 100_000,
    userCount: 1_000,
  });
}

export async function openTestVault(store: BlobStore, clock: Clock, ids: Ids, threads: number): Promise<Vault> {
  const keyRing = createMasterKeyRing({ current: 'test', keys: { test: KEY } });
  const isNew = (await store.stat('vault.header').catch(() => undefined)) === undefined;
  if (isNew) await createVault({ store, keyRing, organisationId: ORGANISATION, clock, ids }).catch(() => undefined);
  return openVault({ store, keyRing, clock, ids, logger: silentLogger, organisationId: ORGANISATION, threads });
}

/** Loaded when it is wanted: a process over another one's simulator begins sooner without. */
async function simulatorOfItsOwn(options: Partial<SimulatorOptions>): Promise<Simulator> {
  const { startSimulator } = await import('@holdfast/m365-simulator');
  return startSimulator({ recipes: ['tiny'], limits: 'off', ...options });
}

export async function createRig(options: RigOptions = {}): Promise<Rig> {
  const {
    store = createMemoryBlobStore(),
    clockOfEngine,
    threads = 0,
    catalog = createMemoryCatalog(),
    shared,
    connections,
    ...rest
  } = options;
  const clock = clockOfEngine ?? systemClock;
  const ids = createIds(clock, createSeededRandom(options.seed ?? 1));
  const simulator = shared ?? (await simulatorOfItsOwn(rest));
  const graph = clientFor(simulator, clock, ids, connections);
  const vault = await openTestVault(store, clock, ids, threads);
  const lease = createMemoryLease();
  const problems = createProblemList();
  const resources = new Map<string, Resource>();
  /** The tenant itself is there only when the simulator runs in this process. */
  const tenantHere = () => {
    const [tenant] = simulator.simulation.tenants.values();
    if (!tenant) throw new Error('The simulator has no tenant.');
    return tenant;
  };

  return {
    simulator,
    graph,
    vault,
    catalog,
    lease,
    problems,
    clock,
    ids,
    resource(kind, graphId, name = graphId) {
      const known = resources.get(`${kind} ${graphId}`);
      const made = known ?? { id: ids.uuid(), kind, graphId, name };
      resources.set(`${kind} ${graphId}`, made);
      return made;
    },
    backup(resource, run = {}) {
      const { seenAs = (seen) => seen } = run;
      const engine = createBackup({
        vault,
        workloadOf: graphWorkloads({ ...graph, with: (options) => seenAs(graph.with(options)) }),
        catalog,
        progress: silentProgress,
        problems,
        lease,
        clock,
        logger: silentLogger,
        ...(run.checkpoint ? { checkpoint: run.checkpoint } : {}),
        ...(run.concurrency ? { concurrency: run.concurrency } : {}),
      });
      const signal = run.signal ?? new AbortController().signal;
      return engine.run({ runId: ids.uuid(), resource, selections: [run.selection ?? {}, ...(run.beside ?? [])], signal });
    },
    async restore(request, report = createMemoryReport(), seenAs = (seen) => seen) {
      const seen = { ...graph, with: (how: Parameters<GraphClient['with']>[0]) => seenAs(graph.with(how)) };
      const engine = createRestore({ vault, graph: seen, catalog, progress: silentProgress, report, clock, logger: silentLogger });
      const { sequence } = await pointOf(catalog, request.source, request.sequence);
      const result = await engine.run({ runId: ids.uuid(), ...request, sequence }, new AbortController().signal);
      return { result, lines: report.lines };
    },
    async plan(request) {
      const report = createMemoryReport();
      const engine = createRestore({ vault, graph, catalog, progress: silentProgress, report, clock, logger: silentLogger });
      const { sequence } = await pointOf(catalog, request.source, request.sequence);
      return engine.plan({ runId: 'plan', ...request, sequence }, new AbortController().signal);
    },
    async truth(kind, owner, at) {
      const provider = simulator.simulation.workloads.flatMap((workload) => workload.truth).find((entry) => entry.kind === kind);
      if (!provider) throw new Error(`There is no ground truth of ${kind}.`);
      const found: TruthRecord[] = [];
      for await (const record of provider.records(tenantHere(), owner, at)) found.push(record);
      return found;
    },
    act(name, input) {
      const activity = simulator.simulation.workloads.flatMap((workload) => workload.activities).find((entry) => entry.name === name);
      if (!activity) throw new Error(`There is no activity ${name}.`);
      return activity.run(tenantHere(), input as never);
    },
    async items(resource, sequence) {
      const found: ItemVersion[] = [];
      for await (const item of catalog.items(resource.id, sequence)) found.push(item);
      return found;
    },
    outbox: () => tenantHere().outbox.list(),
    async close() {
      await graph.close();
      await vault.close();
      if (!shared) await simulator.close();
    },
  };
}
