import type { ConnectionReport, Tenant, tenantBody, tenantUpdateBody } from '@holdfast/contract/tenants';
import type { Task } from '@holdfast/contract/values';
import type { Database, Scope, TaskQueue, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import { announce } from '../../events/live-events.ts';
import type { Caller } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { managedScope } from './chosen-scope.ts';
import { graphCredential, readCertificate } from './credential.ts';
import type { AppSetupsService } from './setups/app-setups.service.ts';
import { tenantPlace, type TenantGraphService } from './tenant-graph.service.ts';
import { seenByWork } from './microsoft-seen.views.ts';
import { taskView, tenantView } from './tenant-view.ts';
import {
  activateTenant,
  addTask,
  addTenant,
  changeTenant,
  endUse,
  hasActiveRun,
  holdsRestorePoints,
  isDeprovisioned,
  listTenants,
  lockTenant,
  readTask,
  readTenant,
  removeTenant,
  runningTask,
  runningTasks,
  takenBy,
  type TaskRow,
  type TenantRow,
} from './tenants.store.ts';

export type TenantBody = z.output<typeof tenantBody>;
export type TenantUpdate = z.output<typeof tenantUpdateBody>;

export interface TenantsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly graph: TenantGraphService;
  readonly queue: Pick<TaskQueue, 'send'>;
  /** App registrations that were prepared here. */
  readonly setups: Pick<AppSetupsService, 'certificateOf' | 'take'>;
  readonly chosen: (actor: Actor) => Promise<string | undefined>;
  /** Whether something under hold would go with a tenant. Told by the features that keep holds. */
  readonly heldBy: (tx: Tx, tenantId: string) => Promise<readonly string[]>;
  /** Whether something that a policy keeps would go with it. */
  readonly keptIn: (tx: Tx, tenantId: string) => Promise<readonly string[]>;
}

/** Who changes which tenant. `expectedVersion` is what the caller saw, when it says so. */
export interface TenantPlace {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly tenantId: string;
  readonly caller: Caller;
  readonly expectedVersion?: string | undefined;
}

/** Microsoft 365 tenants of organisations. */
export interface TenantsService {
  list(actor: Actor, organisationId: string | undefined): Promise<Tenant[]>;
  connect(actor: Actor, body: TenantBody, caller: Caller): Promise<Tenant>;
  get(scope: Scope, tenantId: string): Promise<Tenant>;
  update(place: TenantPlace, body: TenantUpdate): Promise<Tenant>;
  activate(place: TenantPlace): Promise<Tenant>;
  remove(place: TenantPlace): Promise<void>;
  startTask(place: TenantPlace, kind: TaskRow['kind']): Promise<{ taskId: string }>;
  task(scope: Scope, tenantId: string, taskId: string): Promise<Task>;
  permissions(scope: Scope, tenantId: string): Promise<ConnectionReport>;
}

interface Sealed {
  readonly credential: 'secret' | 'certificate';
  readonly sealed_secret: Buffer | null;
  readonly sealed_certificate: Buffer | null;
  readonly thumbprint: string | null;
  readonly credential_expires_at: Date | null;
}

/** Rows of tenants, and what refuses a change of them. */
function createRows(parts: TenantsParts) {
  const { database, audit } = parts;

  async function existing(tx: Tx, tenantId: string): Promise<TenantRow> {
    const row = await lockTenant(tx, tenantId);
    if (!row) throw new AppError('not-found');
    return row;
  }

  async function record(tx: Tx, event: AuditEvent, place: TenantPlace, name: string): Promise<void> {
    await announce(tx, place.scope, { name: 'tenants.changed', tenantId: place.tenantId, data: { tenantId: place.tenantId } });
    await audit.record(tx, { event, actor: actorEntry(place.actor, place.caller), subject: { kind: 'tenant', id: place.tenantId, name } });
  }

  async function refuseTaken(
    tx: Tx,
    body: { name?: string | undefined; microsoftTenantId?: string | undefined },
    except?: string,
  ): Promise<void> {
    const field = await takenBy(tx, { ...body, ...(except === undefined ? {} : { except }) });
    if (field === undefined) return;
    throw new AppError(field === 'name' ? 'tenants.name-taken' : 'tenants.already-connected', { details: { field } });
  }

  async function get(scope: Scope, tenantId: string): Promise<Tenant> {
    return database.within(scope, async (tx) => {
      const row = await readTenant(tx, tenantId);
      if (!row) throw new AppError('not-found');
      return tenantView(row, (await runningTask(tx, tenantId))?.task_id ?? null, (await seenByWork(tx)).get(tenantId));
    });
  }

  return { existing, record, refuseTaken, get };
}

/** Credentials are tried before they are kept. */
function createCredentials(parts: TenantsParts) {
  const { clock, sealing, graph } = parts;

  /** Checks what was typed, tries it against Microsoft, and seals it. Nothing is saved before it has worked. */
  async function proven(
    scope: Scope,
    tenantId: string,
    body: {
      clientId: string;
      microsoftTenantId: string;
      clientSecret?: string | undefined;
      certificate?: string | undefined;
      thumbprint?: string | undefined;
    },
  ): Promise<Sealed> {
    const { clientId, microsoftTenantId, clientSecret, certificate, thumbprint } = body;
    if (certificate !== undefined) {
      const read = readCertificate(certificate, thumbprint, clock.nowMs());
      await graph.tryOut(microsoftTenantId, graphCredential(clientId, { certificate }, clock.nowMs()));
      const sealed = await sealing.seal(scope, certificate, tenantPlace('sealed_certificate', tenantId));
      return {
        credential: 'certificate',
        sealed_secret: null,
        sealed_certificate: sealed,
        thumbprint: read.thumbprint,
        credential_expires_at: read.expiresAt,
      };
    }
    const secret = clientSecret ?? '';
    await graph.tryOut(microsoftTenantId, graphCredential(clientId, { secret }, clock.nowMs()));
    const sealed = await sealing.seal(scope, secret, tenantPlace('sealed_secret', tenantId));
    return { credential: 'secret', sealed_secret: sealed, sealed_certificate: null, thumbprint: null, credential_expires_at: null };
  }

  /** The stored credential stays unless another was typed; a changed client or tenant is tried with what is stored. */
  async function reproven(place: TenantPlace, current: TenantRow, body: TenantUpdate): Promise<Partial<Sealed>> {
    const identifiers = {
      clientId: body.clientId ?? current.client_id,
      microsoftTenantId: body.microsoftTenantId ?? current.microsoft_tenant_id,
    };
    const isTyped = body.clientSecret !== undefined || body.certificate !== undefined;
    if (isTyped) {
      return proven(place.scope, place.tenantId, {
        ...identifiers,
        clientSecret: body.clientSecret,
        certificate: body.certificate,
        thumbprint: body.thumbprint,
      });
    }
    if (identifiers.clientId === current.client_id && identifiers.microsoftTenantId === current.microsoft_tenant_id) return {};
    if (isDeprovisioned(current)) throw new AppError('tenants.deprovisioned');
    const column = current.credential === 'secret' ? 'sealed_secret' : 'sealed_certificate';
    const stored = current[column];
    if (stored === null) throw new AppError('tenants.credential-refused', { details: { field: 'clientSecret' } });
    const text = await sealing.open(place.scope, stored, tenantPlace(column, place.tenantId));
    const proof = current.credential === 'secret' ? { secret: text } : { certificate: text };
    await graph.tryOut(identifiers.microsoftTenantId, graphCredential(identifiers.clientId, proof, clock.nowMs()));
    return {};
  }

  return { proven, reproven };
}

/** One tenant of an organisation is the active one. */
function createSwitching(parts: TenantsParts, rows: ReturnType<typeof createRows>) {
  const { database } = parts;
  const { existing, record, get } = rows;

  async function activate(place: TenantPlace): Promise<Tenant> {
    await database.within(place.scope, async (tx) => {
      const row = await existing(tx, place.tenantId);
      await activateTenant(tx, place.tenantId);
      await record(tx, 'tenants.activated', place, row.name);
    });
    return get(place.scope, place.tenantId);
  }

  return { activate };
}

/** Looking at tenants. */
function createReading(
  parts: TenantsParts,
  rows: ReturnType<typeof createRows>,
): Pick<TenantsService, 'get' | 'list' | 'task' | 'permissions'> {
  const { database, clock, graph } = parts;
  const { get } = rows;
  return {
    get,
    async list(actor, organisationId) {
      const wanted = actor.memberships.filter((membership) => organisationId === undefined || membership.organisationId === organisationId);
      if (organisationId !== undefined && wanted.length === 0) throw new AppError('not-found');
      const lists = await Promise.all(
        wanted.map(({ organisationId: own }) =>
          database.within({ organisationId: own, realm: actor.realm }, async (tx) => {
            const tasks = await runningTasks(tx);
            const seen = await seenByWork(tx);
            return (await listTenants(tx)).map((row) => tenantView(row, tasks.get(row.tenant_id) ?? null, seen.get(row.tenant_id)));
          }),
        ),
      );
      return lists.flat();
    },
    async task(scope, tenantId, taskId) {
      const row = await database.within(scope, (tx) => readTask(tx, tenantId, taskId));
      if (!row) throw new AppError('not-found');
      return taskView(row);
    },
    async permissions(scope, tenantId) {
      const report = await graph.report(scope, tenantId);
      await database.within(scope, (tx) => changeTenant(tx, tenantId, { last_checked_at: now(clock), last_error: report.problem }));
      return report;
    },
  };
}

/** A tenant comes. */
function createConnecting(
  parts: TenantsParts,
  rows: ReturnType<typeof createRows>,
  credentials: ReturnType<typeof createCredentials>,
): Pick<TenantsService, 'connect'> {
  const { database, clock, ids, setups } = parts;
  const { record, refuseTaken, get } = rows;
  const { proven } = credentials;
  return {
    async connect(actor, body, caller) {
      const scope = await managedScope(parts, actor, body.organisationId);
      const tenantId = ids.uuid();
      const { setupId } = body;
      await database.within(scope, (tx) => refuseTaken(tx, body));
      const prepared =
        setupId === undefined || body.clientSecret !== undefined ? {} : { certificate: await setups.certificateOf(scope, setupId) };
      const sealed = await proven(scope, tenantId, { ...body, ...prepared });
      await database.within(scope, async (tx) => {
        await refuseTaken(tx, body);
        if (setupId !== undefined) await setups.take(tx, setupId);
        const isFirst = (await listTenants(tx)).length === 0;
        await addTenant(tx, {
          tenant_id: tenantId,
          name: body.name,
          display_name: body.displayName,
          status: 'connected',
          active: isFirst,
          client_id: body.clientId,
          microsoft_tenant_id: body.microsoftTenantId,
          object_id: body.objectId,
          app_id: body.appId,
          redirect_uri: body.redirectUri,
          ...sealed,
          last_checked_at: now(clock),
          last_error: null,
          created_at: now(clock),
        });
        await record(tx, 'tenants.connected', { scope, actor, tenantId, caller }, body.name);
      });
      return get(scope, tenantId);
    },
  };
}

/** A tenant changes. */
function createChanging(
  parts: TenantsParts,
  rows: ReturnType<typeof createRows>,
  credentials: ReturnType<typeof createCredentials>,
  switching: ReturnType<typeof createSwitching>,
): Pick<TenantsService, 'update' | 'activate'> {
  const { database, graph } = parts;
  const { existing, record, refuseTaken, get } = rows;
  const { reproven } = credentials;
  const { activate } = switching;
  return {
    async update(place, body) {
      const current = await database.within(place.scope, (tx) => existing(tx, place.tenantId));
      await database.within(place.scope, (tx) => refuseTaken(tx, body, place.tenantId));
      const sealed = await reproven(place, current, body);
      await database.within(place.scope, async (tx) => {
        const row = await existing(tx, place.tenantId);
        if (place.expectedVersion !== undefined && place.expectedVersion !== String(row.version))
          throw new AppError('request.precondition-failed');
        await refuseTaken(tx, body, place.tenantId);
        await changeTenant(tx, place.tenantId, {
          name: body.name ?? row.name,
          display_name: body.displayName ?? row.display_name,
          client_id: body.clientId ?? row.client_id,
          microsoft_tenant_id: body.microsoftTenantId ?? row.microsoft_tenant_id,
          object_id: body.objectId ?? row.object_id,
          app_id: body.appId ?? row.app_id,
          redirect_uri: body.redirectUri ?? row.redirect_uri,
          ...sealed,
          version: row.version + 1,
        });
        if (body.active === true) await activateTenant(tx, place.tenantId);
        await record(tx, 'tenants.changed', place, body.name ?? row.name);
      });
      await graph.forget(place.tenantId);
      return get(place.scope, place.tenantId);
    },
    activate,
  };
}

/** A tenant goes, or a task of it begins. */
function createEnding(parts: TenantsParts, rows: ReturnType<typeof createRows>): Pick<TenantsService, 'remove' | 'startTask'> {
  const { database, clock, ids, graph } = parts;
  const { existing, record } = rows;
  return {
    async remove(place) {
      await database.within(place.scope, async (tx) => {
        const row = await existing(tx, place.tenantId);
        if (row.status === 'provisioned' || row.status === 'provisioning' || row.status === 'deprovisioning') {
          throw new AppError('tenants.still-provisioned');
        }
        const holds = await parts.heldBy(tx, place.tenantId);
        if (holds.length > 0) throw new AppError('tenants.in-use', { details: { holds: holds.join(', ') } });
        const policies = await parts.keptIn(tx, place.tenantId);
        if (policies.length > 0) throw new AppError('retention.in-force', { details: { policies: policies.join(', ') } });
        if (await holdsRestorePoints(tx, place.tenantId)) throw new AppError('tenants.holds-restore-points');
        if (await hasActiveRun(tx, place.tenantId)) throw new AppError('tenants.busy');
        await removeTenant(tx, place.tenantId);
        await record(tx, 'tenants.deleted', place, row.name);
      });
      await graph.forget(place.tenantId);
    },
    async startTask(place, kind) {
      const taskId = ids.uuid();
      await database.within(place.scope, async (tx) => {
        const row = await existing(tx, place.tenantId);
        if (await runningTask(tx, place.tenantId)) throw new AppError('tenants.busy');
        if (kind === 'deprovision' && row.status === 'connected') throw new AppError('tenants.not-provisioned');
        if (kind === 'synchronise' && isDeprovisioned(row)) throw new AppError('tenants.deprovisioned');
        await addTask(tx, { taskId, tenantId: place.tenantId, kind, at: now(clock) });
        if (kind === 'provision') await changeTenant(tx, place.tenantId, { status: 'provisioning' });
        if (kind === 'deprovision') await endUse(tx, place.tenantId, now(clock));
        await record(tx, `tenants.${kind}-started`, place, row.name);
        await parts.queue.send('tasks', { key: `tenants:${taskId}`, scope: place.scope, payload: { kind: 'tenant', taskId } }, tx);
      });
      return { taskId };
    },
  };
}

export function createTenantsService(parts: TenantsParts): TenantsService {
  const rows = createRows(parts);
  const credentials = createCredentials(parts);
  const switching = createSwitching(parts, rows);
  return Object.freeze<TenantsService>({
    ...createReading(parts, rows),
    ...createConnecting(parts, rows, credentials),
    ...createChanging(parts, rows, credentials, switching),
    ...createEnding(parts, rows),
  });
}
