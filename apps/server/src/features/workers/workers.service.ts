import type { Client, Worker } from '@holdfast/contract/workers';
import { mayDo } from '@holdfast/contract/actions';
import { dashboardDays } from '@holdfast/contract/limits';
import type { Database, Scope, Tx } from '@holdfast/database';
import { sha256 } from '@holdfast/foundation/bytes';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { isUuid, type Ids } from '@holdfast/foundation/ids';
import { membershipIn, type Actor } from '../../access/actor.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Caller } from '../identity/index.ts';
import { actorEntry, readOrganisation } from '../organisations/index.ts';
import {
  addJoinToken,
  addWorker,
  beatByToken,
  beatLocal,
  changeWorker,
  checksOf,
  listWorkers,
  noteCheck,
  noteServedVersion,
  readServedVersion,
  readWorker,
  removeOldChecks,
  removeWorker,
  takeJoinToken,
  workerAt,
  type Beat,
  type WorkerRow,
} from './workers.store.ts';
import { worksWith } from './version.policy.ts';
import { activeTenant, customerTypes } from './workers.views.ts';

export interface WorkersParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly chosen: (actor: Actor) => Promise<string | undefined>;
  readonly lastWorker: (actor: Actor) => Promise<string | null>;
  readonly remember: (choice: { accountId: string; realm: Scope['realm']; organisationId: string; workerId: string }) => Promise<void>;
  readonly allScopes: () => Promise<Scope[]>;
}

export interface WorkerBody {
  readonly name: string;
  readonly ip: string;
  readonly indexIp: string;
}

/** Customers and the workers that serve them. */
export interface WorkersService {
  clients(actor: Actor, type?: Client['types'][number]): Promise<Client[]>;
  current(actor: Actor): Promise<{ client: Client | null; worker: Worker | null }>;
  choose(actor: Actor, choice: { clientId: string; workerId: string }): Promise<{ client: Client; worker: Worker }>;
  list(actor: Actor, organisationId: string | undefined): Promise<Worker[]>;
  get(scope: Scope, workerId: string): Promise<Worker>;
  check(scope: Scope, ip: string): Promise<{ ip: string; isReachable: boolean; checkedAt: string; lastSeenAt: string | null }>;
  checks(scope: Scope, ip: string): Promise<{ ip: string; items: { at: string; reachable: number; missed: number; load: number }[] }>;
  createJoinToken(actor: Actor, organisationId: string | undefined, caller: Caller): Promise<{ token: string; expiresAt: string }>;
  join(
    request: WorkerBody & { joinToken: string; version: string },
    caller: Caller,
  ): Promise<{ workerId: string; heartbeatToken: string; heartbeatSeconds: number }>;
  heartbeat(token: string, beat: Omit<Beat, 'at'>): Promise<void>;
  update(actor: Actor, workerId: string, body: WorkerBody, caller: Caller): Promise<Worker>;
  remove(actor: Actor, workerId: string, caller: Caller): Promise<void>;
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

const REACHABLE_MS = 90_000;
const JOIN_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const heartbeatSeconds = 30;

/** Tokens of workers name their organisation, so that the scope is known before the row is looked for. */
function tokenFor(kind: 'wj' | 'wh', organisationId: string, secret: string): string {
  return `hf_${kind}_${organisationId}_${secret}`;
}

function organisationIn(token: string): Scope['organisationId'] | undefined {
  const part = token.split('_')[2] ?? '';
  return isUuid(part) ? (part as Scope['organisationId']) : undefined;
}

/** A worker that is too far from what serves the API would write what others can't read. */
async function refuseSkew(database: Database, version: string): Promise<void> {
  const served = await readServedVersion(database);
  if (served !== undefined && !worksWith(served, version)) throw new AppError('workers.version-refused', { details: { field: 'version' } });
}

/** How workers and customers look from outside. */
function createViews(parts: WorkersParts) {
  const { database, clock } = parts;

  function isReachable(row: WorkerRow): boolean {
    return row.last_seen_at !== null && clock.nowMs() - row.last_seen_at.getTime() < REACHABLE_MS;
  }

  /** Both tenants behind a worker: the one of this realm, and that of staging. */
  async function tenantsOf(scope: Scope): Promise<{ current: string | null; staging: string | null }> {
    const current = await database.within(scope, activeTenant);
    const staging = scope.realm === 'staging' ? current : await database.within({ ...scope, realm: 'staging' }, activeTenant);
    return { current, staging };
  }

  function viewOf(row: WorkerRow, tenants: { current: string | null; staging: string | null }): Worker {
    return {
      workerId: row.worker_id,
      name: row.name,
      ip: row.ip,
      indexIp: row.index_ip,
      organizationId: row.organisation_id,
      tenant_id: tenants.current,
      stagingtenant_id: tenants.staging,
      version: row.version,
      isReachable: isReachable(row),
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
      load: Math.min(1, Math.max(0, row.load)),
      runningRuns: row.running_runs,
    };
  }

  async function workersIn(scope: Scope): Promise<Worker[]> {
    const tenants = await tenantsOf(scope);
    return (await database.within(scope, listWorkers)).map((row) => viewOf(row, tenants));
  }

  async function clientOf(actor: Actor, membership: Actor['memberships'][number]): Promise<Client | undefined> {
    const scope: Scope = { organisationId: membership.organisationId, realm: actor.realm };
    const found = await database.within(scope, async (tx) => ({ own: await readOrganisation(tx), types: await customerTypes(tx) }));
    if (!found.own || !membershipIn(actor, membership.organisationId, clock.nowMs())) return undefined;
    const { name, abbr } = found.own;
    return { clientId: membership.organisationId, name, abbr, role: membership.role, types: found.types, workers: await workersIn(scope) };
  }

  async function clients(actor: Actor, type?: Client['types'][number]): Promise<Client[]> {
    const all = await Promise.all(actor.memberships.map((membership) => clientOf(actor, membership)));
    return all.flatMap((client) => (client && (type === undefined || client.types.includes(type)) ? [client] : []));
  }

  return { isReachable, tenantsOf, viewOf, workersIn, clientOf, clients };
}

/** Which worker a caller means, and whether they may change it. */
function createAccess(parts: WorkersParts) {
  const { database, clock, ids } = parts;

  async function manage(actor: Actor, organisationId: string | undefined): Promise<Scope> {
    const wanted = (organisationId ?? (await parts.chosen(actor))) as Scope['organisationId'];
    const membership = membershipIn(actor, wanted, clock.nowMs());
    if (!membership) throw new AppError('not-found');
    if (!mayDo(membership.role, 'workers.manage')) throw new AppError('access-denied');
    return { organisationId: wanted, realm: actor.realm };
  }

  /** The organisation of mine that has the worker; not found otherwise. */
  async function scopeOfWorker(actor: Actor, workerId: string): Promise<Scope> {
    for (const { organisationId } of actor.memberships) {
      const scope: Scope = { organisationId, realm: actor.realm };
      if (await database.within(scope, (tx) => readWorker(tx, workerId))) return manage(actor, organisationId);
    }
    throw new AppError('not-found');
  }

  async function existing(tx: Tx, workerId: string): Promise<WorkerRow> {
    const row = await readWorker(tx, workerId);
    if (!row) throw new AppError('not-found');
    return row;
  }

  async function at(scope: Scope, ip: string): Promise<WorkerRow> {
    const row = await database.within(scope, (tx) => workerAt(tx, ip));
    if (!row) throw new AppError('not-found');
    return row;
  }

  async function addLocalTo(scope: Scope, ip: string, version: string): Promise<void> {
    await database.within(scope, async (tx) => {
      const organisation = await readOrganisation(tx);
      if (!organisation || (await workerAt(tx, ip))) return;
      await addWorker(tx, {
        workerId: ids.uuid(),
        name: 'This server',
        ip,
        indexIp: ip,
        version,
        heartbeatHash: null,
        isLocal: true,
        at: now(clock),
      });
    });
  }

  return { manage, scopeOfWorker, existing, at, addLocalTo };
}

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

/** Workers come, change and go. */
function createRegistration(
  parts: WorkersParts,
  views: ReturnType<typeof createViews>,
  access: ReturnType<typeof createAccess>,
): Pick<WorkersService, 'createJoinToken' | 'join' | 'update' | 'remove'> {
  const { database, clock, ids } = parts;
  const { tenantsOf, viewOf } = views;
  const { manage, scopeOfWorker, existing } = access;
  return {
    async createJoinToken(actor, organisationId, caller) {
      const scope = await manage(actor, organisationId);
      const token = tokenFor('wj', scope.organisationId, ids.token(32));
      const expiresAt = new Date(clock.nowMs() + JOIN_MS);
      await database.within(scope, async (tx) => {
        await addJoinToken(tx, sha256(token), expiresAt);
        await parts.audit.record(tx, { event: 'workers.join-token-made', actor: actorEntry(actor, caller) });
      });
      return { token, expiresAt: expiresAt.toISOString() };
    },
    async join(request, caller) {
      const organisationId = organisationIn(request.joinToken);
      if (!organisationId) throw new AppError('workers.join-refused');
      await refuseSkew(database, request.version);
      const heartbeatToken = tokenFor('wh', organisationId, ids.token(32));
      const workerId = ids.uuid();
      const { name, ip, indexIp, version } = request;
      const own = { workerId, name, ip, indexIp, version, heartbeatHash: sha256(heartbeatToken), isLocal: false, at: now(clock) };
      await database.within({ organisationId, realm: 'production' }, async (tx) => {
        if (!(await takeJoinToken(tx, sha256(request.joinToken), now(clock)))) throw new AppError('workers.join-refused');
        if (!(await addWorker(tx, own))) throw new AppError('workers.address-taken', { details: { field: 'ip' } });
        await parts.audit.record(tx, {
          event: 'workers.joined',
          actor: { kind: 'worker', id: workerId, name, address: caller.address, requestId: caller.requestId },
          subject: { kind: 'worker', id: workerId, name },
          details: { ip, indexIp },
        });
      });
      await database.within({ organisationId, realm: 'staging' }, (tx) => addWorker(tx, own));
      return { workerId, heartbeatToken, heartbeatSeconds };
    },
    async update(actor, workerId, body, caller) {
      const scope = await scopeOfWorker(actor, workerId);
      await database.within(scope, async (tx) => {
        const row = await existing(tx, workerId);
        const other = await workerAt(tx, body.ip);
        if (other && other.worker_id !== workerId) throw new AppError('workers.address-taken', { details: { field: 'ip' } });
        await changeWorker(tx, workerId, { name: body.name, ip: body.ip, index_ip: body.indexIp });
        await parts.audit.record(tx, {
          event: 'workers.changed',
          actor: actorEntry(actor, caller),
          subject: { kind: 'worker', id: workerId, name: body.name },
          details: { before: row.ip, ip: body.ip },
        });
      });
      const row = await database.within(scope, (tx) => existing(tx, workerId));
      return viewOf(row, await tenantsOf(scope));
    },
    async remove(actor, workerId, caller) {
      const scope = await scopeOfWorker(actor, workerId);
      await database.within(scope, async (tx) => {
        const row = await existing(tx, workerId);
        await removeWorker(tx, workerId);
        await parts.audit.record(tx, {
          event: 'workers.removed',
          actor: actorEntry(actor, caller),
          subject: { kind: 'worker', id: workerId, name: row.name },
        });
      });
    },
  };
}

export function createWorkersService(parts: WorkersParts): WorkersService {
  const views = createViews(parts);
  const access = createAccess(parts);
  return Object.freeze<WorkersService>({
    ...createSelection(parts, views, access),
    ...createWatch(parts, views, access),
    ...createRegistration(parts, views, access),
  });
}
