import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Scope } from '@holdfast/database';
import { createGraphClient, type GraphCredential } from '@holdfast/m365';
import type { Actor } from './access/actor.ts';
import { deletionApproval, retentionApproval, retentionEffects } from './compose-approvals.ts';
import type { Ground } from './compose-ground.ts';
import type { JobPorts, JobSide } from './compose-jobs.ts';
import { budgetsOf } from './compose-jobs.ts';
import { provisioningSteps } from './compose-provisioning.ts';
import type { Approvals } from './features/approvals/index.ts';
import { createConfigurationService, mountConfiguration } from './features/configuration/index.ts';
import type { Holds } from './features/holds/index.ts';
import { lastChoice, rememberChoice } from './features/identity/index.ts';
import {
  createLocationsService,
  createLocationStores,
  createPlaces,
  mountLocations,
  mountWorkerLocations,
} from './features/locations/index.ts';
import { allScopes } from './features/organisations/index.ts';
import {
  createTenantGraphService,
  createTenantsService,
  createTenantTaskHandler,
  mountTenants,
  type GraphFor,
} from './features/tenants/index.ts';
import { createWorkerRegistration, createWorkersService, mountSelection, mountWorkers } from './features/workers/index.ts';
import type { HttpApp } from './http/http-app.ts';

/** Tenants, workers, locations and configuration, and what jobs need of them. */
export interface Tenants extends JobPorts {
  mountMain(app: HttpApp, realm: Scope['realm']): void;
  mountLegacy(app: HttpApp): void;
  /** A new organisation gets what else it needs. */
  onFounded(organisationId: Scope['organisationId']): Promise<void>;
  /**
   * Takes tasks of tenants from the queue, and says that this process is alive. `isAlone` for a worker in a
   * process of its own: it is known by the organisations it joined. Returns how to stop saying so.
   */
  startWorking(
    jobSide: Pick<JobSide, 'jobs' | 'resources'>,
    options: { readonly isAlone: boolean; readonly onSynchronised: (scope: Scope) => Promise<void> },
  ): Promise<() => void>;
  /** Joins with the token of the settings; refuses to work beside a version that is too far. */
  joinAlone(): Promise<void>;
  /** This process serves the API. */
  serve(): Promise<void>;
  /** Notes once a minute which workers are alive. */
  startChecking(): () => void;
  close(): Promise<void>;
}

const BEAT_MS = 30_000;
const CHECK_MS = 60_000;
const TASK_SLOTS = 2;
const HAND_ON_MS = 25_000;

/** Microsoft's addresses come from the settings alone. */
function graphFactory(ground: Ground): GraphFor {
  const { config, clock, ids, random, logger, version } = ground;
  const caFile = config.HOLDFAST_GRAPH_CA_FILE;
  const ca = caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') };
  const endpoints = { loginUrl: config.HOLDFAST_LOGIN_URL, graphUrl: config.HOLDFAST_GRAPH_URL, ...ca };
  const budgets = budgetsOf(ground);
  return (tenantId: string, credential: GraphCredential) =>
    createGraphClient({ tenantId, credential, endpoints, budgets, clock, random, ids, logger, userAgentVersion: version });
}

/** Whom somebody works for: what they chose last, as long as they belong to it. */
function choices({ database }: Ground) {
  const choiceOf = (actor: Actor) => database.installation((tx) => lastChoice(tx, actor.accountId, actor.realm));
  return {
    chosen: async (actor: Actor): Promise<string | undefined> => {
      const choice = await choiceOf(actor);
      const isMember = actor.memberships.some(({ organisationId }) => organisationId === choice?.organisationId);
      return isMember ? choice?.organisationId : actor.memberships[0]?.organisationId;
    },
    lastWorker: async (actor: Actor): Promise<string | null> => (await choiceOf(actor))?.workerId ?? null,
  };
}

function composeServices(ground: Ground, approvals: Approvals, holds: Holds) {
  const { config, database, clock, ids, sealing, audit, queue } = ground;
  const { chosen, lastWorker } = choices(ground);
  const roots = config.HOLDFAST_LOCATION_ROOTS;
  const defaultRoot = path.join(config.HOLDFAST_DATA_DIR, 'vaults');
  const rules = { roots: [...roots, defaultRoot], allowedHosts: config.HOLDFAST_ALLOWED_HOSTS };
  const graph = createTenantGraphService({ database, clock, sealing, graphFor: graphFactory(ground) });
  const stores = createLocationStores({ database, clock, ids, sealing, rules });
  const tenants = createTenantsService({
    database,
    clock,
    ids,
    sealing,
    audit,
    graph,
    queue,
    chosen,
    heldBy: (tx, tenantId) => holds.heldBy(tx, tenantId),
  });
  return {
    graph,
    stores,
    tenants,
    locations: createLocationsService({
      database,
      clock,
      ids,
      sealing,
      audit,
      stores,
      places: createPlaces({ database, allScopes: () => allScopes(database), defaultRoot }),
      approval: retentionApproval(approvals),
      defaultRoot,
    }),
    configuration: createConfigurationService({ database, clock, audit, tenants, graph }),
    workers: createWorkersService({
      database,
      clock,
      ids,
      audit,
      chosen,
      lastWorker,
      remember: (choice) => database.installation((tx) => rememberChoice(tx, choice)),
      allScopes: () => allScopes(database),
    }),
  };
}

export function composeTenants(ground: Ground, approvals: Approvals, holds: Holds): Tenants {
  const { config, database, clock, logger, queue, version } = ground;
  const services = composeServices(ground, approvals, holds);
  const { graph, stores, tenants, locations, configuration, workers } = services;
  approvals.on('shorterRetention', retentionEffects(locations));

  const registration = createWorkerRegistration({
    workers,
    file: path.join(config.HOLDFAST_DATA_DIR, 'worker', 'registration.json'),
    self: {
      name: config.HOLDFAST_WORKER_NAME,
      ip: config.HOLDFAST_WORKER_IP,
      indexIp: config.HOLDFAST_WORKER_INDEX_IP ?? config.HOLDFAST_WORKER_IP,
      version,
    },
    ids: ground.ids,
    logger,
  });

  /** After an update of the rest, this process hands its work on and takes none any more. */
  async function stayInStep(): Promise<void> {
    try {
      await registration.requireVersion();
    } catch (error) {
      await queue.stop(HAND_ON_MS);
      throw error;
    }
  }

  function repeat(everyMs: number, what: string, work: () => Promise<void>): () => void {
    const run = (): void => {
      work().catch((error: unknown) => logger.warn({ err: error }, what));
    };
    run();
    return clock.every(everyMs, run);
  }

  return Object.freeze<Tenants>({
    graph,
    storage: stores,
    configuration,
    deletionApproval: deletionApproval(approvals),
    holdsOn: (scope, resourceId) => holds.holdsOn(scope, resourceId),
    holdsWithin: (tx, resourceId) => holds.holdsWithin(tx, resourceId),
    locationIds: async (scope, tenantId) => (await locations.list(scope, tenantId)).map(({ locationId }) => locationId),
    mountMain(app, realm) {
      mountTenants(app, tenants, realm);
      mountLocations(app, locations, realm);
      mountWorkers(app, workers, realm);
    },
    mountLegacy(app) {
      mountSelection(app, workers);
      mountWorkerLocations(app, locations);
      for (const realm of ['production', 'staging'] as const) mountConfiguration(app, configuration, realm);
    },
    onFounded: (organisationId) => workers.addLocal(organisationId, config.HOLDFAST_WORKER_IP, version),
    serve: () => workers.serve(version),
    async joinAlone() {
      await registration.requireVersion();
      const token = config.HOLDFAST_WORKER_JOIN_TOKEN;
      if (token) await registration.join(token.reveal());
    },
    async startWorking(jobSide, { isAlone, onSynchronised }) {
      const { resources, jobs } = jobSide;
      const steps = provisioningSteps({ database, resources, jobs, locations, configuration, onSynchronised });
      const handle = createTenantTaskHandler({ database, clock, logger, graph, steps });
      await queue.work('tasks', { slots: TASK_SLOTS, slotsPerOrganisation: TASK_SLOTS }, async (task) => {
        const { taskId } = task.payload;
        if (typeof taskId === 'string') await handle(task.scope, taskId);
      });
      const beat = { version, load: 0, runningRuns: 0 };
      return repeat(BEAT_MS, 'the heartbeat of this worker failed', async () => {
        const { running } = await queue.counts('runs');
        const now = { ...beat, load: Math.min(1, running / config.HOLDFAST_WORKER_SLOTS), runningRuns: running };
        if (isAlone) await stayInStep();
        const isJoined = isAlone && (await registration.beat(now));
        if (!isJoined) await workers.beatEverywhere(config.HOLDFAST_WORKER_IP, now);
      });
    },
    startChecking: () => repeat(CHECK_MS, 'workers could not be checked', () => workers.checkAll()),
    close: () => graph.close(),
  });
}
