import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { createCaseAccess, type CasesParts } from './case-access.ts';
import { createCasePeopleService } from './case-people.service.ts';
import { createCaseQueriesService } from './case-queries.service.ts';
import { mountCases } from './cases.routes.ts';
import { createCasesService } from './cases.service.ts';

export interface CasesFeature {
  mount(app: HttpApp, realm: Realm): void;
}

export function createCasesFeature(parts: CasesParts): CasesFeature {
  const access = createCaseAccess(parts);
  const services = {
    cases: createCasesService(parts, access),
    people: createCasePeopleService(parts, access),
    queries: createCaseQueriesService(parts, access),
  };
  return Object.freeze<CasesFeature>({ mount: (app, realm) => mountCases(app, services, realm) });
}
