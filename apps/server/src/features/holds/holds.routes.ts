import { holds as contract } from '@holdfast/contract/holds';
import type { Realm } from '@holdfast/database';
import type { Actor } from '../../access/actor.ts';
import type { RequestInfo } from '../../http/context.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import type { ResolvedOrganisation } from '../../http/ports.ts';
import { scopeOf } from '../../http/scope.ts';
import { callerOf } from '../identity/index.ts';
import type { HoldAsking, HoldsService } from './holds.service.ts';

interface Asked {
  readonly actor: Actor;
  readonly organisation: ResolvedOrganisation;
  readonly realm: Realm;
  readonly params: { readonly tenantId: string };
  readonly request: RequestInfo;
}

function askingOf(context: Asked): HoldAsking {
  return { actor: context.actor, scope: scopeOf(context), tenantId: context.params.tenantId, caller: callerOf(context.request) };
}

/** Mounts legal holds over one realm. */
export function mountHolds(app: HttpApp, holds: HoldsService, realm: Realm): void {
  mount(
    app,
    contract,
    {
      list: (context) => holds.list(scopeOf(context), context.params.tenantId),
      place: (context) => holds.place(askingOf(context), context.body),
      release: (context) => holds.release(askingOf(context), context.params.holdId, context.body.reason),
    },
    { surface: 'main', realm },
  );
}
