import type { Client, Worker } from '@holdfast/contract/workers';
import { mayDo } from '@holdfast/contract/actions';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { isUuid, type Ids } from '@holdfast/foundation/ids';
import { membershipIn, type Actor } from '../../access/actor.ts';
import type { AuditInbox } from '../audit/index.ts';
import { readOrganisation } from '../organisations/index.ts';
import { addWorker, listWorkers, readServedVersion, readWorker, workerAt, type WorkerRow } from './workers.store.ts';
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

const REACHABLE_MS = 90_000;

/** Tokens of workers name their organisation, so that the scope is known before the row is looked for. */
export function tokenFor(kind: 'wj' | 'wh', organisationId: string, secret: string): string {
  return `hf_${kind}_${organisationId}_${secret}`;
}

export function organisationIn(token: string): Scope['organisationId'] | undefined {
  const part = token.split('_')[2] ?? '';
  return isUuid(part) ? (part as Scope['organisationId']) : undefined;
}

/** A worker that is too far from what serves the API would write what others can't read. */
export async function refuseSkew(database: Database, version: string): Promise<void> {
  const served = await readServedVersion(database);
  if (served !== undefined && !worksWith(served, version)) throw new AppError('workers.version-refused', { details: { field: 'version' } });
}

/** How workers and customers look from outside. */
export function createViews(parts: WorkersParts) {
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
      isLocal: row.is_local,
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
export function createAccess(parts: WorkersParts) {
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
        name: 'Server 1',
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
