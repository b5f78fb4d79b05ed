import type { Scope, Tx } from '@holdfast/database';
import { createMemoryBudgets, type BudgetPort } from '@holdfast/m365';
import type { Catalog, PointHold } from '@holdfast/engine';
import type { Ground } from './compose-ground.ts';
import {
  createBackupHandler,
  createCatalog,
  createFirstUse,
  createCoverageReader,
  createCoverageViews,
  createGraphBudgets,
  createJobResourcesStore,
  createLease,
  createNotCoveredStore,
  createResourcesStore,
  createStorageOutages,
  createVaults,
  openBlobIndex,
  type LocationStorage,
  type ResourcesStore,
  type SettingsReader,
  type StorageOutages,
  type TenantGraph,
  type Vaults,
} from './features/backup/index.ts';
import {
  createDueJobsStore,
  createJobsService,
  createJobsStore,
  createJobsViews,
  createScheduler,
  type DeletionApproval,
  type JobsAudit,
  type JobsService,
  type JobsViews,
  type Scheduler,
} from './features/jobs/index.ts';
import {
  createRunAccountsStore,
  createRunsStore,
  createRunsViews,
  type RunAccountsStore,
  type RunsStore,
  type RunsViews,
} from './features/monitoring/index.ts';
import { createRestoreHandler, createRestoreViews, createRunLinesStore, createTargetCheck } from './features/restore/index.ts';
import {
  createAssuranceStore,
  createDeletionHandler,
  createDrillHandler,
  createKeepWitness,
  createVaultMemoryStore,
  createVerifyHandler,
  createWitnessFolder,
} from './features/assurance/index.ts';
import { createVaultKeyRings } from './keys/vault-key-rings.ts';
import type { Notifications } from './features/notifications/index.ts';
import { actorEntry } from './features/organisations/index.ts';
import { createRunWorker, type RunHandler } from './work/run-worker.ts';

/** What the job side needs of tenants and locations. */
export interface JobPorts {
  readonly graph: TenantGraph;
  readonly storage: LocationStorage;
  /** The locations of a tenant. */
  locationIds(scope: Scope, tenantId: string): Promise<readonly string[]>;
  /** Legal holds on a resource: a deletion's preview and its run both obey them. */
  holdsOn(scope: Scope, resourceId: string): Promise<readonly PointHold[]>;
  /** The same in the transaction that deletes: a hold that comes later finds what it is on, one that came before is obeyed. */
  holdsWithin(tx: Tx, resourceId: string): Promise<readonly PointHold[]>;
  /** What is configured of a tenant. */
  readonly configuration: SettingsReader;
  /** The second person of deletion jobs. */
  readonly deletionApproval: DeletionApproval;
}

/** Jobs, runs and the vaults they fill, without HTTP. */
export interface JobSide {
  readonly runs: RunsStore;
  readonly accounts: RunAccountsStore;
  readonly runViews: RunsViews;
  readonly jobsViews: JobsViews;
  readonly jobs: JobsService;
  readonly resources: ResourcesStore;
  readonly scheduler: Scheduler;
  readonly vaults: Vaults;
  /** Takes runs from the queue until the process drains. */
  startWorking(worker: string): Promise<void>;
}

function auditOf(ground: Ground): JobsAudit {
  return (tx, { actor, request }, { event, jobId, name, details = {}, reason }) =>
    ground.audit.record(tx, {
      event,
      actor: actorEntry(actor, request && { address: request.address, requestId: request.id }),
      subject: { kind: 'job', id: jobId, name },
      details,
      ...(reason === undefined ? {} : { reason }),
    });
}

/** Budgets of Microsoft 365: in this process when it is the only one, in the database when there may be others. */
export function budgetsOf({ config, database, clock, ids }: Ground): BudgetPort {
  return config.HOLDFAST_DATABASE_URL ? createGraphBudgets({ database, ids }) : createMemoryBudgets({ clock, ids });
}

function composeVaults(ground: Ground, storage: JobPorts['storage'], outages: StorageOutages): Vaults {
  const { database, installation, sealing, clock, random, ids, logger } = ground;
  return createVaults({
    storage,
    keyRingOf: createVaultKeyRings({ masterKey: installation.masterKey, sealing }),
    firstUse: createFirstUse(database),
    indexOf: (scope, locationId) => openBlobIndex({ database, scope, locationId }),
    outages,
    clock,
    random,
    ids,
    logger,
  });
}

/** What is remembered of vaults outside of them: in the database, and in a second place where the operator has chosen one. */
function composeMemory({ config, database, audit, logger }: Ground) {
  return {
    memory: createVaultMemoryStore(database, audit),
    witnesses: createWitnessFolder({ folder: config.HOLDFAST_WITNESS_DIR, logger }),
  };
}

type AssuranceParts = Omit<Parameters<typeof createDrillHandler>[0], 'clock' | 'random' | 'logger'> &
  Pick<JobPorts, 'holdsOn' | 'holdsWithin'> & { readonly remembered: ReturnType<typeof composeMemory> };

/** Runs that prove and tidy what is stored. */
function composeAssurance({ database, clock, random, logger, ids }: Ground, parts: AssuranceParts) {
  const store = createAssuranceStore(database);
  const sparing = (scope: Scope, locationId: string): Catalog =>
    createCatalog({ database, scope, locationId, ids, holdsWithin: (tx, resourceId) => parts.holdsWithin(tx, resourceId) });
  return {
    verify: createVerifyHandler({ vaults: parts.vaults, accounts: parts.accounts, store, ...parts.remembered, clock }),
    deletion: createDeletionHandler({ ...parts, catalogOf: sparing, store, clock }),
    drill: createDrillHandler({ ...parts, clock, random, logger }),
  };
}

type RestoreParts = Omit<Parameters<typeof createRestoreHandler>[0], 'views' | 'clock' | 'random' | 'logger'>;

function composeRestore({ database, clock, random, logger }: Ground, parts: RestoreParts) {
  return createRestoreHandler({ ...parts, views: createRestoreViews(database), clock, random, logger });
}

function composeBackup(
  { database, clock, ids, logger }: Ground,
  { graph, configuration }: JobPorts,
  parts: Pick<Parameters<typeof createBackupHandler>[0], 'vaults' | 'resources' | 'accounts' | 'catalogOf'>,
): RunHandler {
  return createBackupHandler({
    ...parts,
    graph,
    configuration,
    notCovered: createNotCoveredStore({ database, clock }),
    jobResources: createJobResourcesStore(database),
    leaseOf: (scope, locationId) => createLease({ database, scope, locationId, clock, ids }),
    clock,
    logger,
  });
}

/** What is told of runs outside of them. */
export interface RunListener {
  runEnded(scope: Scope, runId: string): Promise<void>;
  /** Somebody's content will be shown to somebody else. */
  contentOpened: Notifications['contentOpened'];
}

export function composeJobs(ground: Ground, ports: JobPorts, listener: RunListener): JobSide {
  const { database, queue, clock, ids, logger, config } = ground;
  const runs = createRunsStore({ database, queue, clock, ids });
  const accounts = createRunAccountsStore({ database, clock });
  const runViews = createRunsViews(database);
  const jobsViews = createJobsViews(database);
  const resources = createResourcesStore({ database, ids });
  const outages = createStorageOutages();
  const vaults = composeVaults(ground, ports.storage, outages);
  const holdsOn = (scope: Scope, resourceId: string): Promise<readonly PointHold[]> => ports.holdsOn(scope, resourceId);
  const coverage = createCoverageReader({
    graph: ports.graph,
    views: createCoverageViews({ database, clock }),
    configuration: ports.configuration,
    holdsOn,
  });
  const store = createJobsStore(database);
  const catalogOf = (scope: Scope, locationId: string): Catalog => createCatalog({ database, scope, locationId, ids });
  const lines = createRunLinesStore({ database, sealing: ground.sealing });
  const holdsWithin: JobPorts['holdsWithin'] = (tx, resourceId) => ports.holdsWithin(tx, resourceId);
  const remembered = composeMemory(ground);
  const keepWitness = createKeepWitness({ vaults, ...remembered, logger });
  const assurance = composeAssurance(ground, {
    remembered,
    graph: ports.graph,
    vaults,
    resources,
    accounts,
    lines,
    catalogOf,
    holdsOn,
    holdsWithin,
  });
  const restore = composeRestore(ground, { graph: ports.graph, vaults, lines, accounts, catalogOf });
  const backup = composeBackup(ground, ports, { vaults, resources, accounts, catalogOf });
  return Object.freeze<JobSide>({
    runs,
    accounts,
    runViews,
    jobsViews,
    resources,
    vaults,
    jobs: createJobsService({
      store,
      views: jobsViews,
      runs,
      runViews,
      coverage,
      approval: ports.deletionApproval,
      checkTarget: createTargetCheck({ graph: ports.graph, views: createRestoreViews(database), clock }),
      contentOpened: (tx, { actor, scope }, { sourceId, reason }) =>
        listener.contentOpened(tx, scope, { content: { by: 'source', value: sourceId }, reader: actor, reason }),
      audit: auditOf(ground),
      clock,
      ids,
    }),
    scheduler: createScheduler({ store: createDueJobsStore(database), runs, clock, logger }),
    async startWorking(worker) {
      const slots = config.HOLDFAST_WORKER_SLOTS;
      const handle = createRunWorker({
        runs,
        accounts,
        outages,
        handlers: { backup, restore, ...assurance },
        worker,
        clock,
        logger,
        async onEnded(scope, run) {
          await listener.runEnded(scope, run.runId);
          await keepWitness(scope, run);
        },
      });
      // One slot of each worker is never for the organisation that has all others: nobody holds everybody up.
      await queue.work('runs', { slots, slotsPerOrganisation: Math.max(1, slots - 1) }, handle);
      await queue.work('restores', { slots, slotsPerOrganisation: slots }, handle);
    },
  });
}
