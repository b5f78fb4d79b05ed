import type { Scope, Tx } from '@holdfast/database';
import { createMemoryBudgets, type BudgetPort } from '@holdfast/m365';
import type { PointHold } from '@holdfast/engine';
import type { Ground } from './compose-ground.ts';
import {
  createFirstUse,
  createGraphBudgets,
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
  type JobApproval,
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
import { createKeepWitness, createVaultMemoryStore, createWitnessFolder } from './features/assurance/index.ts';
import { composeKinds } from './job-kinds.ts';
import { createVaultKeyRings } from './keys/vault-key-rings.ts';
import type { Notifications } from './features/notifications/index.ts';
import { actorEntry } from './features/organisations/index.ts';
import { createJobKinds } from './runs/kinds.ts';
import { createRunWorker } from './work/run-worker.ts';

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
  readonly deletionApproval: JobApproval;
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
  const outages = createStorageOutages();
  const vaults = composeVaults(ground, ports.storage, outages);
  const remembered = composeMemory(ground);
  const resources = createResourcesStore({ database, ids });
  const kinds = createJobKinds(
    composeKinds({
      ...ground,
      ...ports,
      ...remembered,
      vaults,
      accounts,
      resources,
      contentOpened: (tx, { actor, scope }, { sourceId, reason }) =>
        listener.contentOpened(tx, scope, { content: { by: 'source', value: sourceId }, reader: actor, reason }),
    }),
  );
  const keepWitness = createKeepWitness({ vaults, ...remembered, logger });
  return Object.freeze<JobSide>({
    runs,
    accounts,
    runViews,
    jobsViews,
    resources,
    vaults,
    jobs: createJobsService({
      store: createJobsStore(database),
      views: jobsViews,
      runs,
      runViews,
      kinds,
      approval: ports.deletionApproval,
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
        handlers: kinds.handlers,
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
