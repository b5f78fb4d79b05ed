import { cases as contract } from '@holdfast/contract/cases';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import type { Language } from '../../http/language.ts';
import { mount } from '../../http/mount.ts';
import { askingOf, type AskedOfOrganisation } from '../identity/index.ts';
import type { CaseAsking } from './case-access.ts';
import type { CaseFilesService } from './case-files.service.ts';
import type { CasePeopleService } from './case-people.service.ts';
import type { CaseQueriesService } from './case-queries.service.ts';
import type { CasesService } from './cases.service.ts';

interface CaseServices {
  readonly cases: CasesService;
  readonly people: CasePeopleService;
  readonly queries: CaseQueriesService;
  readonly files: CaseFilesService;
}

type Asked = AskedOfOrganisation & {
  readonly params: { readonly tenantId: string };
  readonly request: { readonly language: Language };
};

/** Who asks for something of a case. */
export function caseAskingOf(context: Asked): CaseAsking {
  return { ...askingOf(context), tenantId: context.params.tenantId, language: context.request.language };
}

/** Mounts eDiscovery cases over one realm. */
export function mountCases(app: HttpApp, { cases, people, queries, files }: CaseServices, realm: Realm): void {
  const asking = caseAskingOf;
  mount(
    app,
    contract,
    {
      list: (context) => cases.list(asking(context), context.query),
      get: (context) => cases.get(asking(context), context.params.caseId),
      create: (context) => cases.create(asking(context), context.body),
      update: (context) => cases.update(asking(context), context.params.caseId, context.body),
      close: (context) => cases.close(asking(context), context.params.caseId, context.body),
      reopen: (context) => cases.reopen(asking(context), context.params.caseId, context.body.reason),
      log: (context) => cases.log(asking(context), context.params.caseId, context.query),
      addMember: (context) => people.addMember(asking(context), context.params.caseId, context.body.userId),
      removeMember: (context) => people.removeMember(asking(context), context.params.caseId, context.params.userId),
      people: (context) => people.people(asking(context), context.params.caseId, context.query),
      addCustodians: (context) => people.addCustodians(asking(context), context.params.caseId, context.body.keys),
      removeCustodian: (context) => people.removeCustodian(asking(context), context.params.caseId, context.params.custodianId),
      placeHolds: (context) => people.placeHolds(asking(context), context.params.caseId, context.body),
      addQuery: (context) => queries.addQuery(asking(context), context.params.caseId, context.body),
      changeQuery: (context) => queries.changeQuery(asking(context), context.params.caseId, context.params.queryId, context.body),
      removeQuery: (context) => queries.removeQuery(asking(context), context.params.caseId, context.params.queryId),
      countQuery: (context) => queries.countQuery(asking(context), context.params.caseId, context.params.queryId),
      addFiles: (context) => files.addFiles(asking(context), context.params.caseId, context.body),
      removeFile: (context) => files.removeFile(asking(context), context.params.caseId, context.params.fileId),
      report: (context) => queries.report(asking(context), context.params.caseId),
      queryHits: (context) => queries.queryHits(asking(context), context.params, context.body),
    },
    { surface: 'main', realm },
  );
}
