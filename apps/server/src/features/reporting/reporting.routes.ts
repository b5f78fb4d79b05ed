import { reporting } from '@holdfast/contract/reporting';
import type { Realm } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { RunsViews } from '../../runs/index.ts';
import type { ProtectionViews } from './protection.views.ts';
import type { ReportsViews } from './reports.views.ts';

export interface ReportingParts {
  readonly runs: RunsViews;
  readonly reports: ReportsViews;
  readonly protection: ProtectionViews;
  readonly clock: Clock;
}

/** Mounts reports of runs, of months, of what is not protected and of what was proved. */
export function createReportingRoutes(app: HttpApp, parts: ReportingParts, realm: Realm): void {
  mount(
    app,
    reporting,
    {
      runs: (context) => parts.runs.list(scopeOf(context), context.params.tenantId, { ...context.query, active: false }),
      async accounts(context) {
        const scope = scopeOf(context);
        const month = await parts.reports.monthAccounts(scope, context.params, context.query);
        if (month) return month;
        const run = await parts.runs.get(scope, context.params.tenantId, context.params.reportId);
        if (!run) throw new AppError('not-found');
        return parts.runs.accounts(scope, run.reportId, context.query);
      },
      monthly: async (context) => ({ items: await parts.reports.monthly(scopeOf(context), context.params.tenantId) }),
      protection: (context) => parts.protection.notProtected(scopeOf(context), context.params.tenantId, context.query),
      evidence: async (context) => ({
        items: await parts.reports.evidence(scopeOf(context), context.params.tenantId, now(parts.clock), context.query),
      }),
    },
    { surface: 'main', realm },
  );
}
