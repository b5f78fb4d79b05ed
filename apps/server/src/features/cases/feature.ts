import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { createCaseAccess, type CasesParts } from './case-access.ts';
import { createCasePeopleService } from './case-people.service.ts';
import { createCaseQueriesService } from './case-queries.service.ts';
import { mountCases } from './cases.routes.ts';
import { createCasesService } from './cases.service.ts';

export function createCasesFeature(parts: CasesParts): Feature {
  const access = createCaseAccess(parts);
  const services = {
    cases: createCasesService(parts, access),
    people: createCasePeopleService(parts, access),
    queries: createCaseQueriesService(parts, access),
  };
  return Object.freeze<Feature>({
    mount: (app) => inEachRealm((realm) => mountCases(app, services, realm)),
  });
}
