/**
 * Tenants: the Microsoft 365 tenants that organisations have connected.
 *
 * Connecting tries the credential against Microsoft before anything is saved; a refusal names the field.
 * Secrets and certificates are sealed under the organisation's key and never leave: the API tells that
 * they are set and the end of a thumbprint. One tenant of an organisation is the active one.
 *
 * Provisioning checks permissions, discovers what can be protected and sets up a first location and jobs;
 * it runs as a task that is polled and can be repeated. `graph.use(scope, tenantId, work)` is how other
 * features reach Microsoft 365. What is discovered and which jobs are made is theirs to say.
 */
export { createTenantsFeature } from './feature.ts';
export type { TenantsService } from './tenants.service.ts';
export type { TenantGraphService } from './tenant-graph.service.ts';
export { createTenantTaskHandler, type ProvisioningSteps } from './tenants.tasks.ts';
export { listTenants, readTenant, type TenantRow } from './tenants.store.ts';
