/**
 * Tenants and locations in the portal: which Microsoft 365 tenants an organisation has connected, and
 * where their data is stored.
 *
 * `useTenant` names the one that every other page shows; `useTenants` all of them. Switching is a
 * change on the server (the active tenant belongs to the organisation, not to a browser), so it is
 * asked for in a dialog that other parts of the portal use as well.
 *
 * Permissions, backup settings and user synchronisation are the business of `configuration`.
 */
export { ApprovalHint } from './approval-hint.tsx';
export { LocationChoice } from './location-choice.tsx';
export { SwitchTenantDialog } from './switch-tenant-dialog.tsx';
export { WithTenant } from './with-tenant.tsx';
export { TaskProgress } from './task-progress.tsx';
export { useLocations, useTenant, useTenants, useTimeZone } from './tenants.queries.ts';
