import path from 'node:path';
import type { Database, Scope, TaskQueue } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Config } from '../../settings/config.ts';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { OrganisationResolver } from '../../http/ports.ts';
import { rememberOrganisations } from '../../http/remembered-organisations.ts';
import { nothingToStop, type Feature, type Role } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Choices } from '../identity/index.ts';
import { createOrganisationResolver } from './organisation-resolver.ts';
import { createWorkerRegistration, type WorkerRegistration } from './registration.service.ts';
import { mountSelection, mountWorkers } from './workers.routes.ts';
import { createWorkersService, type WorkersService } from './workers.service.ts';

export interface WorkersPorts {
  readonly config: Config;
  readonly version: string;
  /** The roles of this process. */
  readonly roles: readonly Role[];
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly logger: Logger;
  readonly queue: TaskQueue;
  readonly choices: Choices;
  readonly scopes: () => Promise<Scope[]>;
}

export interface WorkersFeature extends Feature {
  /** Finds the organisation that a request means. */
  readonly organisations: OrganisationResolver;
  /** A new organisation is served by the worker of this process. */
  onFounded(organisationId: Scope['organisationId']): Promise<void>;
}

const BEAT_MS = 30_000;
const CHECK_MS = 60_000;
const HAND_ON_MS = 25_000;

function registrationOf(ports: WorkersPorts, workers: WorkersService): WorkerRegistration {
  const { config, version } = ports;
  return createWorkerRegistration({
    ...ports,
    workers,
    file: path.join(config.HOLDFAST_DATA_DIR, 'worker', 'registration.json'),
    self: {
      name: config.HOLDFAST_WORKER_NAME,
      ip: config.HOLDFAST_WORKER_IP,
      indexIp: config.HOLDFAST_WORKER_INDEX_IP ?? config.HOLDFAST_WORKER_IP,
      version,
    },
  });
}

/** Does something at once and then regularly, whether it succeeds or not. Returns how to stop. */
function repeatedly({ clock, logger }: WorkersPorts, everyMs: number, what: string, work: () => Promise<void>): () => void {
  const run = (): void => {
    work().catch((error: unknown) => logger.warn({ err: error }, what));
  };
  run();
  return clock.every(everyMs, run);
}

/** The work of a worker: it joins, if it is a process of its own, and says that it is alive. */
function createBeating(ports: WorkersPorts, workers: WorkersService): () => Promise<() => void> {
  const { config, queue, version } = ports;
  // Known by the organisations it joined; a worker inside a server is known by all.
  const isAlone = !ports.roles.includes('api');
  const registration = registrationOf(ports, workers);

  /** After an update of the rest, this process hands its work on and takes none any more. */
  async function stayInStep(): Promise<void> {
    try {
      await registration.requireVersion();
    } catch (error) {
      await queue.stop(HAND_ON_MS);
      throw error;
    }
  }

  async function join(): Promise<void> {
    await registration.requireVersion();
    const token = config.HOLDFAST_WORKER_JOIN_TOKEN;
    if (token) await registration.join(token.reveal());
  }

  return async () => {
    if (isAlone) await join();
    const beat = { version, load: 0, runningRuns: 0 };
    return repeatedly(ports, BEAT_MS, 'the heartbeat of this worker failed', async () => {
      const { running } = await queue.counts('runs');
      const now = { ...beat, load: Math.min(1, running / config.HOLDFAST_WORKER_SLOTS), runningRuns: running };
      if (isAlone) await stayInStep();
      const isJoined = isAlone && (await registration.beat(now));
      if (!isJoined) await workers.beatEverywhere(config.HOLDFAST_WORKER_IP, now);
    });
  };
}

export function createWorkersFeature(ports: WorkersPorts): WorkersFeature {
  const { config, clock, choices, version } = ports;
  const workers = createWorkersService({ ...ports, ...choices, allScopes: ports.scopes });
  return Object.freeze<WorkersFeature>({
    organisations: rememberOrganisations(createOrganisationResolver({ ...ports, chosen: choices.chosen }), clock),
    onFounded: (organisationId) => workers.addLocal(organisationId, config.HOLDFAST_WORKER_IP, version),
    mount(app) {
      inEachRealm((realm) => mountWorkers(app, workers, realm));
      mountSelection(app, workers);
    },
    start: {
      async api() {
        await workers.serve(version);
        return nothingToStop;
      },
      worker: createBeating(ports, workers),
      scheduler: () => repeatedly(ports, CHECK_MS, 'workers could not be checked', () => workers.checkAll()),
    },
  });
}
