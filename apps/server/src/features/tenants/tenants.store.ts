import { activeRunStatuses } from '@holdfast/contract/run-status';
import type { OrganisationTables, Tx } from '@holdfast/database';
import type { Insertable, Selectable, Updateable } from 'kysely';

export type TenantRow = Selectable<OrganisationTables['tenants']>;
export type TaskRow = Selectable<OrganisationTables['tenant_tasks']>;

export function listTenants(tx: Tx): Promise<TenantRow[]> {
  return tx.selectFrom('tenants').selectAll().orderBy('created_at').execute();
}

export function readTenant(tx: Tx, tenantId: string): Promise<TenantRow | undefined> {
  return tx.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst();
}

/** The same, locked until the end of the transaction. */
export function lockTenant(tx: Tx, tenantId: string): Promise<TenantRow | undefined> {
  return tx.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId).forUpdate().executeTakeFirst();
}

/** Whether the credential must not be used. Provisioning uses it to find out whether the tenant can come back. */
export function isDeprovisioned({ deprovisioned_at: at, status }: Pick<TenantRow, 'deprovisioned_at' | 'status'>): boolean {
  return at !== null && status !== 'provisioning';
}

/** Takes a tenant out of use: from now on its credential is refused, and none of its jobs is due. */
export async function endUse(tx: Tx, tenantId: string, at: Date): Promise<void> {
  await changeTenant(tx, tenantId, { status: 'deprovisioning', deprovisioned_at: at });
  await tx.updateTable('jobs').set({ next_run_at: null }).where('tenant_id', '=', tenantId).execute();
}

/** Which of the names that must be unique is taken by another tenant. */
export async function takenBy(
  tx: Tx,
  wanted: { readonly name?: string | undefined; readonly microsoftTenantId?: string | undefined; readonly except?: string },
): Promise<'name' | 'microsoftTenantId' | undefined> {
  const others = (await listTenants(tx)).filter((row) => row.tenant_id !== wanted.except);
  const isSame = (a: string, b: string | undefined): boolean => b !== undefined && a.toLowerCase() === b.toLowerCase();
  if (others.some((row) => isSame(row.name, wanted.name))) return 'name';
  return others.some((row) => isSame(row.microsoft_tenant_id, wanted.microsoftTenantId)) ? 'microsoftTenantId' : undefined;
}

export async function addTenant(tx: Tx, tenant: Insertable<OrganisationTables['tenants']>): Promise<void> {
  await tx.insertInto('tenants').values(tenant).execute();
}

export async function changeTenant(tx: Tx, tenantId: string, change: Updateable<OrganisationTables['tenants']>): Promise<void> {
  await tx.updateTable('tenants').set(change).where('tenant_id', '=', tenantId).execute();
}

/** Makes one tenant the active one; the others are not. */
export async function activateTenant(tx: Tx, tenantId: string): Promise<void> {
  await tx.updateTable('tenants').set({ active: false }).where('active', '=', true).where('tenant_id', '!=', tenantId).execute();
  await tx.updateTable('tenants').set({ active: true }).where('tenant_id', '=', tenantId).execute();
}

/** Removes a tenant with its jobs and locations. What is in a vault stays there. */
export async function removeTenant(tx: Tx, tenantId: string): Promise<void> {
  const locations = tx.selectFrom('locations').select('location_id').where('tenant_id', '=', tenantId);
  await tx.deleteFrom('catalog_sources').where('location_id', 'in', locations).execute();
  for (const table of ['jobs', 'locations', 'tenants'] as const) await tx.deleteFrom(table).where('tenant_id', '=', tenantId).execute();
}

/** Whether a location of the tenant holds something that could be restored. */
export async function holdsRestorePoints(tx: Tx, tenantId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('catalog_sources as source')
    .innerJoin('locations as location', 'location.location_id', 'source.location_id')
    .select('source.source_id')
    .where('location.tenant_id', '=', tenantId)
    .where('source.points', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a run of the tenant waits or is at work: a deprovisioned one may still be stopping. */
export async function hasActiveRun(tx: Tx, tenantId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('runs')
    .select('run_id')
    .where('tenant_id', '=', tenantId)
    .where('status', 'in', activeRunStatuses)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function addTask(tx: Tx, task: { taskId: string; tenantId: string; kind: TaskRow['kind']; at: Date }): Promise<void> {
  await tx
    .insertInto('tenant_tasks')
    .values({
      task_id: task.taskId,
      tenant_id: task.tenantId,
      kind: task.kind,
      status: 'pending',
      stage: 'waiting',
      created_at: task.at,
      started_at: null,
      ended_at: null,
      message: null,
    })
    .execute();
}

export function readTask(tx: Tx, tenantId: string, taskId: string): Promise<TaskRow | undefined> {
  return tx.selectFrom('tenant_tasks').selectAll().where('task_id', '=', taskId).where('tenant_id', '=', tenantId).executeTakeFirst();
}

export function taskById(tx: Tx, taskId: string): Promise<TaskRow | undefined> {
  return tx.selectFrom('tenant_tasks').selectAll().where('task_id', '=', taskId).executeTakeFirst();
}

/** The task that is under way, by tenant. */
export async function runningTasks(tx: Tx): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.selectFrom('tenant_tasks').select(['tenant_id', 'task_id']).where('status', 'in', ['pending', 'running']).execute();
  return new Map(rows.map((row) => [row.tenant_id, row.task_id]));
}

export async function runningTask(tx: Tx, tenantId: string): Promise<TaskRow | undefined> {
  return tx
    .selectFrom('tenant_tasks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('status', 'in', ['pending', 'running'])
    .executeTakeFirst();
}

export async function changeTask(tx: Tx, taskId: string, change: Updateable<OrganisationTables['tenant_tasks']>): Promise<void> {
  await tx.updateTable('tenant_tasks').set(change).where('task_id', '=', taskId).execute();
}
