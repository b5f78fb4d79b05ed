import type { Client, Worker } from '@holdfast/contract/workers';
import { dashboardDays } from '@holdfast/contract/limits';
import type { Scope } from '@holdfast/database';
import { sha256 } from '@holdfast/foundation/bytes';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { membershipIn, type Actor } from '../../access/actor.ts';
import { createJoining, type JoiningService } from './joining.service.ts';
import { createAccess, createViews, organisationIn, refuseSkew, type WorkersParts } from './worker-access.service.ts';
import {
  beatByToken,
  beatLocal,
  checksOf,
  listWorkers,
  noteCheck,
  noteServedVersion,
  readServedVersion,
  removeOldChecks,
  type Beat,
} from './workers.store.ts';

/** Customers and the workers that serve them. */
export interface WorkersService extends JoiningService {
  clients(actor: Actor, type?: Client['types'][number]): Promise<Client[]>;
  current(actor: Actor): Promise<{ client: Client | null; worker: Worker | null }>;
  choose(actor: Actor, choice: { clientId: string; workerId: string }): Promise<{ client: Client; worker: Worker }>;
  list(actor: Actor, organisationId: string | undefined): Promise<Worker[]>;
  get(scope: Scope, workerId: string): Promise<Worker>;
  check(scope: Scope, ip: string): Promise<{ ip: string; isReachable: boolean; checkedAt: string; lastSeenAt: string | null }>;
  checks(scope: Scope, ip: string): Promise<{ ip: string; items: { at: string; reachable: number; missed: number; load: number }[] }>;
  heartbeat(token: string, beat: Omit<Beat, 'at'>): Promise<void>;
  /** The worker inside this process serves an organisation, in both realms. */
  addLocal(organisationId: Scope['organisationId'], ip: string, version: string): Promise<void>;
  /** The worker inside this process is alive, for every organisation; adds it where it is missing. */
  beatEverywhere(ip: string, beat: Omit<Beat, 'at'>): Promise<void>;
  /** This process serves the API from now on. */
  serve(version: string): Promise<void>;
  /** The version that serves the API; undefined before one did. */
  servedVersion(): Promise<string | undefined>;
  /** Notes for every worker whether it is alive; once a minute. */
  checkAll(): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** Choosing a customer and its worker. */
function createSelection(
  parts: WorkersParts,
  views: ReturnType<typeof createViews>,
  access: ReturnType<typeof createAccess>,
): Pick<WorkersService, 'clients' | 'current' | 'choose' | 'list' | 'get'> {
  const { database, clock } = parts;
  const { tenantsOf, viewOf, workersIn, clients } = views;
  const { existing } = access;
  return {
    clients,
    async current(actor) {
      const [organisationId, workerId] = [await parts.chosen(actor), await parts.lastWorker(actor)];
      const client = (await clients(actor)).find((candidate) => candidate.clientId === organisationId);
      const worker = client?.workers.find((candidate) => candidate.workerId === workerId) ?? null;
      return { client: worker ? (client ?? null) : null, worker };
    },
    async choose(actor, choice) {
      const client = (await clients(actor)).find((candidate) => candidate.clientId === choice.clientId);
      const worker = client?.workers.find((candidate) => candidate.workerId === choice.workerId);
      if (!client || !worker) throw new AppError('not-found');
      for (const realm of ['production', 'staging'] as const) {
        await parts.remember({ accountId: actor.accountId, realm, organisationId: client.clientId, workerId: worker.workerId });
      }
      return { client, worker };
    },
    async list(actor, organisationId) {
      const wanted = (organisationId ?? (await parts.chosen(actor))) as Scope['organisationId'];
      if (!membershipIn(actor, wanted, clock.nowMs())) throw new AppError('not-found');
      return workersIn({ organisationId: wanted, realm: actor.realm });
    },
    async get(scope, workerId) {
      const row = await database.within(scope, (tx) => existing(tx, workerId));
      return viewOf(row, await tenantsOf(scope));
    },
  };
}

/** Whether workers are alive. */
function createWatch(
  parts: WorkersParts,
  views: ReturnType<typeof createViews>,
  access: ReturnType<typeof createAccess>,
): Pick<WorkersService, 'check' | 'checks' | 'heartbeat' | 'addLocal' | 'beatEverywhere' | 'checkAll' | 'serve' | 'servedVersion'> {
  const { database, clock } = parts;
  const { isReachable } = views;
  const { at, addLocalTo } = access;
  return {
    async check(scope, ip) {
      const row = await at(scope, ip);
      return {
        ip,
        isReachable: isReachable(row),
        checkedAt: now(clock).toISOString(),
        lastSeenAt: row.last_seen_at?.toISOString() ?? null,
      };
    },
    async checks(scope, ip) {
      const row = await at(scope, ip);
      const since = new Date(clock.nowMs() - dashboardDays * 24 * HOUR_MS);
      const rows = await database.within(scope, (tx) => checksOf(tx, row.worker_id, since));
      const items = rows.map((hour) => ({
        at: hour.hour_at.toISOString(),
        reachable: hour.reachable,
        missed: hour.missed,
        load: hour.load,
      }));
      return { ip, items };
    },
    async heartbeat(token, beat) {
      const organisationId = organisationIn(token);
      if (!organisationId) throw new AppError('unauthorized');
      await refuseSkew(database, beat.version);
      const seen = { ...beat, at: now(clock) };
      for (const realm of ['production', 'staging'] as const) {
        const isKnown = await database.within({ organisationId, realm }, (tx) => beatByToken(tx, sha256(token), seen));
        if (!isKnown && realm === 'production') throw new AppError('unauthorized');
      }
    },
    async addLocal(organisationId, ip, version) {
      for (const realm of ['production', 'staging'] as const) await addLocalTo({ organisationId, realm }, ip, version);
    },
    async beatEverywhere(ip, beat) {
      const seen = { ...beat, at: now(clock) };
      for (const scope of await parts.allScopes()) {
        await addLocalTo(scope, ip, beat.version);
        await database.within(scope, (tx) => beatLocal(tx, ip, seen));
      }
    },
    serve: (version) => noteServedVersion(database, version, now(clock)),
    servedVersion: () => readServedVersion(database),
    async checkAll() {
      const hourAt = new Date(Math.floor(clock.nowMs() / HOUR_MS) * HOUR_MS);
      for (const scope of await parts.allScopes()) {
        await database.within(scope, async (tx) => {
          for (const row of await listWorkers(tx)) {
            await noteCheck(tx, { workerId: row.worker_id, hourAt, isReachable: isReachable(row), load: row.load });
          }
          await removeOldChecks(tx, new Date(clock.nowMs() - (dashboardDays + 1) * 24 * HOUR_MS));
        });
      }
    },
  };
}

export function createWorkersService(parts: WorkersParts): WorkersService {
  const views = createViews(parts);
  const access = createAccess(parts);
  return Object.freeze<WorkersService>({
    ...createSelection(parts, views, access),
    ...createWatch(parts, views, access),
    ...createJoining(parts, views, access),
  });
}
