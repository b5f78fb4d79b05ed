/**
 * Configuration: the Teams and OneDrive page of the portal.
 *
 * Reads and changes the backup settings of a tenant, reads users and groups from the directory again,
 * signs in to Microsoft and compares each permission with what is needed, and switches the active tenant.
 * The calls are the legacy ones; they work on the tenant that is active behind the chosen worker, or on the
 * one that is named.
 *
 * Settings are versioned, so that two administrators do not overwrite each other. Signing in and the tenants
 * themselves are the business of the tenants feature.
 */
export { createConfigurationFeature } from './feature.ts';
export type { ConfigurationService } from './configuration.service.ts';
