/**
 * Provisioning: what happens when a tenant is connected, read again or let go.
 *
 * The directory is read and what can be protected is remembered; a first location and a job for each workload that is
 * switched on are made, unless there are jobs already, by the organisation's first owner under the product's name. A
 * tenant that goes has its runs cancelled, one that comes back its jobs resumed.
 *
 * When this happens is the business of tenants, which keep the tasks.
 */
export { createProvisioningFeature } from './feature.ts';
