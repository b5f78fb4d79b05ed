import { approvals as contract } from '@holdfast/contract/approvals';
import type { Realm } from '@holdfast/database';
import type { Actor } from '../../access/actor.ts';
import type { RequestInfo } from '../../http/context.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import type { ResolvedOrganisation } from '../../http/ports.ts';
import { scopeOf } from '../../http/scope.ts';
import { callerOf } from '../identity/index.ts';
import type { Approvals, Deciding } from './approvals.service.ts';

interface Asked {
  readonly actor: Actor;
  readonly organisation: ResolvedOrganisation;
  readonly realm: Realm;
  readonly params: { readonly tenantId: string; readonly approvalId: string };
  readonly request: RequestInfo;
}

function decidingOf(context: Asked): Deciding {
  return { actor: context.actor, scope: scopeOf(context), caller: callerOf(context.request), ...context.params };
}

/** Mounts four eyes over one realm. */
export function mountApprovals(app: HttpApp, approvals: Approvals, realm: Realm): void {
  mount(
    app,
    contract,
    {
      list: (context) => approvals.list(context.actor, scopeOf(context), context.params.tenantId),
      approve: (context) => approvals.approve(decidingOf(context)),
      refuse: (context) => approvals.refuse(decidingOf(context)),
      withdraw: (context) => approvals.withdraw(decidingOf(context)),
      delay: (context) => approvals.delay(decidingOf(context)),
    },
    { surface: 'main', realm },
  );
}
