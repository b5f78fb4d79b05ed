import { Failure } from '../http/failure.ts';
import type { Tenant } from '../state/tenant.ts';
import { siteState } from './list-records.ts';

/** Refuses whatever is asked of a site that is archived: so does the service, and in the same words of a locked one. */
export function requireNotArchived(tenant: Tenant, siteId: string): void {
  if (!siteState(tenant, siteId).isArchived) return;
  const message = 'Access to this site has been blocked. Please contact the administrator to resolve this problem.';
  throw new Failure(423, 'notAllowed', message, { inner: 'resourceLocked' });
}
