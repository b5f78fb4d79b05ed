import type { Realm, Scope } from '@holdfast/database';
import type { ResolvedOrganisation } from './ports.ts';

/** The rows that a request may see: those of the organisation behind its path, in its realm. */
export function scopeOf(context: { readonly organisation: ResolvedOrganisation; readonly realm: Realm }): Scope {
  return { organisationId: context.organisation.organisationId, realm: context.realm };
}
