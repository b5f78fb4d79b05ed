import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { mountAuditorAccess } from './auditor-access.routes.ts';
import { createAuditorAccessService, type AuditorAccessParts } from './auditor-access.service.ts';

/** What auditors may read: granted and ended by whoever grants proxy rights, read by the auditor alone. */
export function createAuditorAccessFeature(
  parts: Omit<AuditorAccessParts, 'cases'> & { readonly caseReviews: AuditorAccessParts['cases'] },
): Feature {
  const service = createAuditorAccessService({ ...parts, cases: parts.caseReviews });
  return Object.freeze<Feature>({ mount: (app) => inEachRealm((realm) => mountAuditorAccess(app, service, realm)) });
}
