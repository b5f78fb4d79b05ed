import { printedReports as contract } from '@holdfast/contract/printed-reports';
import { inEachRealm } from '../../http/in-each-realm.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { requestedBy } from '../../http/requested-by.ts';
import type { Feature } from '../../platform/feature.ts';
import { caseAskingOf } from '../cases/index.ts';
import { askingOf } from '../identity/index.ts';
import { createPrintedReportsService, type PrintedReportsParts } from './printed-reports.service.ts';

export function createPrintedReportsFeature(ports: PrintedReportsParts): Feature {
  const service = createPrintedReportsService(ports);
  return Object.freeze<Feature>({
    mount: (app) =>
      inEachRealm((realm) =>
        mount(
          app,
          contract,
          {
            protection: (context) => service.protection(scopeOf(context), context.params.tenantId, context.query.language),
            dataManagement: (context) => service.dataManagement(scopeOf(context), context.params, context.query.language),
            auditLog: (context) => {
              const { language, ...period } = context.query;
              return service.auditLog(askingOf(context), { ...context.params, ...period }, language);
            },
            mail: (context) => service.mail(requestedBy(context), context.params, context.query.language),
            erasureLetter: (context) => service.erasureLetter(scopeOf(context), context.params, context.query.language),
            accessLetter: (context) => service.accessLetter(scopeOf(context), context.params, context.query.language),
            caseLog: (context) => service.caseLog({ ...caseAskingOf(context), language: context.query.language }, context.params.caseId),
            run: (context) => service.run(scopeOf(context), context.params, context.query.language),
          },
          { surface: 'main', realm },
        ),
      ),
  });
}
