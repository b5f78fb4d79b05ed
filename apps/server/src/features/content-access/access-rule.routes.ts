import { contentAccess } from '@holdfast/contract/content-access';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { askingOf } from '../identity/index.ts';
import type { AccessRuleService } from './access-rule.service.ts';

/** Mounts the rule on who opens content of others, over one realm. */
export function mountAccessRule(app: HttpApp, service: AccessRuleService, realm: Realm): void {
  mount(
    app,
    contentAccess,
    {
      read: (context) => service.read({ scope: scopeOf(context) }),
      change: (context) => service.change({ ...askingOf(context), tenantId: context.params.tenantId }, context.body.access),
    },
    { surface: 'main', realm },
  );
}
