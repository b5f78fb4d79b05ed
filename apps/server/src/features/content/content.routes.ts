import { content } from '@holdfast/contract/content';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { ContentService } from './content.service.ts';

/** Mounts the reading of single items over one realm. */
export function createContentRoutes(app: HttpApp, service: ContentService, realm: Realm): void {
  mount(
    app,
    content,
    {
      open: (context) =>
        service.open({ actor: context.actor, scope: scopeOf(context) }, { tenantId: context.params.tenantId, ...context.body }),
      preview: (context) =>
        service.preview({ actor: context.actor, scope: scopeOf(context) }, context.params.tenantId, context.params.ticket),
      file: (context) => service.file({ actor: context.actor, scope: scopeOf(context) }, { ...context.params, ...context.query }),
    },
    { surface: 'main', realm },
  );
}
