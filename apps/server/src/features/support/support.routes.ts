import { support } from '@holdfast/contract/support';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { SupportService } from './support.service.ts';

/** Mounts the bundle for support over one realm. */
export function createSupportRoutes(app: HttpApp, service: SupportService, realm: Realm): void {
  mount(
    app,
    support,
    {
      bundle: (context) =>
        service.bundle({ actor: context.actor, scope: scopeOf(context), request: context.request }, context.params.tenantId),
    },
    { surface: 'main', realm },
  );
}
