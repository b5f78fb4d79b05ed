import type { compliance } from '@holdfast/contract/compliance';
import type { ResponseOf } from '@holdfast/contract/route';
import { vi } from 'vitest';
import type { SimulatedTenant } from '../../../testing/simulated-tenant.ts';

/** Asks for a scan and waits until its report is made. */
export async function scanTenant(tenant: SimulatedTenant): Promise<void> {
  const { taskId } = await tenant.call<{ taskId: string }>(`${tenant.tenantId}/data-management/scans`, {});
  await vi.waitFor(
    async () => {
      const { items } = await tenant.call<ResponseOf<typeof compliance.scans>>(`${tenant.tenantId}/data-management/scans`);
      const status = items.find((scan) => scan.reportId === taskId)?.status;
      if (status !== 'successful') throw new Error(`Scan ${taskId} is ${String(status)}.`);
    },
    { timeout: 60_000, interval: 200 },
  );
}
