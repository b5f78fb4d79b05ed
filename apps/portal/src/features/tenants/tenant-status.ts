import type { Tenant } from '@holdfast/contract/tenants';
import type { Status } from '../../ui/status-badge.tsx';

const statusOf: Readonly<Record<Tenant['status'], Status>> = {
  connected: 'notProvisioned',
  provisioning: 'provisioning',
  provisioned: 'provisioned',
  deprovisioning: 'deprovisioning',
  failed: 'failed',
};

/** The badge for a tenant's state. */
export function tenantStatus(tenant: Tenant): Status {
  return statusOf[tenant.status];
}
