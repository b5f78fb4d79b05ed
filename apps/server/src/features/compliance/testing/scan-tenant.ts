import type { SimulatedTenant } from '../../../testing/simulated-tenant.ts';

/** Asks for a scan and waits until its report is made. */
export async function scanTenant(tenant: SimulatedTenant): Promise<void> {
  const { taskId } = await tenant.call<{ taskId: string }>(`${tenant.tenantId}/data-management/scans`, {});
  const { status } = await tenant.ended(taskId, 60_000);
  if (status !== 'successful') throw new Error(`Scan ${taskId} is ${status}.`);
}
