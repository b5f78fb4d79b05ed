import { restore } from '@holdfast/contract/restore';
import type { Realm } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { RestoreService } from './restore.service.ts';
import type { RestoreViews } from './restore.views.ts';

/** Mounts plans, reports and downloads of restores over one realm. */
export function createRestoreRoutes(
  app: HttpApp,
  parts: { readonly service: RestoreService; readonly views: RestoreViews },
  realm: Realm,
): void {
  const { service, views } = parts;
  mount(
    app,
    restore,
    {
      plan(context) {
        const { locationId, restore: settings } = context.body;
        const place = { tenantId: context.params.tenantId, locationId };
        return service.plan({ actor: context.actor, scope: scopeOf(context) }, place, settings, context.signal);
      },
      async report(context) {
        const scope = scopeOf(context);
        const { tenantId, reportId } = context.params;
        if (!(await views.hasLines(scope, tenantId, reportId))) throw new AppError('not-found');
        return views.lines(scope, reportId, context.query);
      },
      download: (context) => service.download({ actor: context.actor, scope: scopeOf(context) }, context.params, context.signal),
      downloadInfo: (context) => service.info({ actor: context.actor, scope: scopeOf(context) }, context.params),
    },
    { surface: 'main', realm },
  );
}
