import { approvals as contract } from '@holdfast/contract/approvals';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { askingOf } from '../identity/index.ts';
import type { Approvals } from './approvals.service.ts';

/** Mounts four eyes over one realm. */
export function mountApprovals(app: HttpApp, approvals: Approvals, realm: Realm): void {
  mount(
    app,
    contract,
    {
      list: (context) => approvals.list(context.actor, scopeOf(context), context.params.tenantId),
      approve: (context) => approvals.approve({ ...askingOf(context), ...context.params }),
      refuse: (context) => approvals.refuse({ ...askingOf(context), ...context.params, ...context.body }),
      withdraw: (context) => approvals.withdraw({ ...askingOf(context), ...context.params }),
      delay: (context) => approvals.delay({ ...askingOf(context), ...context.params }),
    },
    { surface: 'main', realm },
  );
}
