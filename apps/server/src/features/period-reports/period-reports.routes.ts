import { periodReports as contract } from '@holdfast/contract/period-reports';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { askingOf } from '../identity/index.ts';
import type { PeriodReportsService } from './period-reports.service.ts';

/** Mounts the reports of months and other periods. */
export function mountPeriodReports(app: HttpApp, service: PeriodReportsService, realm: Realm): void {
  mount(
    app,
    contract,
    {
      list: (context) => service.list(scopeOf(context), context.params.tenantId, context.query),
      make: (context) => service.make(askingOf(context), context.params.tenantId, context.body),
      get: (context) => service.get(scopeOf(context), context.params, context.query.language),
      file: (context) => service.file(scopeOf(context), context.params, context.query.language),
    },
    { surface: 'main', realm },
  );
}
