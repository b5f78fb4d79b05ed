import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { createCaseAccess, type CasesParts } from './case-access.ts';
import { createCaseExports, type CaseExports } from './case-exports.ts';
import { createCaseFilesService } from './case-files.service.ts';
import { createCasePeopleService } from './case-people.service.ts';
import { createCaseQueriesService } from './case-queries.service.ts';
import { createCaseReviews, type CaseReviews } from './case-reviews.ts';
import { mountCases } from './cases.routes.ts';
import { createCasesService, type CasesService } from './cases.service.ts';

export interface CasesFeature extends Feature {
  /** For the printed log of a case. */
  readonly cases: Pick<CasesService, 'get' | 'log'>;
  readonly caseExports: CaseExports;
  readonly caseReviews: CaseReviews;
}

export function createCasesFeature(parts: CasesParts): CasesFeature {
  const access = createCaseAccess(parts);
  const services = {
    cases: createCasesService(parts, access),
    people: createCasePeopleService(parts, access),
    queries: createCaseQueriesService(parts, access),
    files: createCaseFilesService(parts, access),
  };
  return Object.freeze<CasesFeature>({
    cases: services.cases,
    caseExports: createCaseExports(parts, access),
    caseReviews: createCaseReviews(parts, access),
    mount: (app) => inEachRealm((realm) => mountCases(app, services, realm)),
  });
}
