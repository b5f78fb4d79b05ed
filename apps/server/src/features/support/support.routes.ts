import { support } from '@holdfast/contract/support';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { requestedBy } from '../../http/requested-by.ts';
import type { SupportService } from './support.service.ts';

/** Mounts the bundle for support over one realm. */
export function createSupportRoutes(app: HttpApp, service: SupportService, realm: Realm): void {
  mount(
    app,
    support,
    {
      bundle: (context) => service.bundle(requestedBy(context), context.params.tenantId),
    },
    { surface: 'main', realm },
  );
}
