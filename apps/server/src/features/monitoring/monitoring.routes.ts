import { monitoring } from '@holdfast/contract/monitoring';
import { AppError } from '@holdfast/foundation/errors';
import type { Realm, Scope } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { RunsViews } from '../../runs/runs.views.ts';

/** Mounts monitoring over one realm. */
export function createMonitoringRoutes(app: HttpApp, views: RunsViews, realm: Realm): void {
  async function requireRun(scope: Scope, params: { readonly tenantId: string; readonly reportId: string }) {
    const found = await views.get(scope, params.tenantId, params.reportId);
    if (!found) throw new AppError('not-found');
    return found;
  }
  mount(
    app,
    monitoring,
    {
      list: (context) => views.list(scopeOf(context), context.params.tenantId, context.query),
      get: (context) => requireRun(scopeOf(context), context.params),
      async accounts(context) {
        const run = await requireRun(scopeOf(context), context.params);
        return views.accounts(scopeOf(context), run.reportId, context.query);
      },
      async problems(context) {
        const run = await requireRun(scopeOf(context), context.params);
        return views.problems(scopeOf(context), run.reportId, context.query);
      },
    },
    { surface: 'main', realm },
  );
}
