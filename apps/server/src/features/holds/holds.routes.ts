import { holds as contract } from '@holdfast/contract/holds';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { askingOf } from '../identity/index.ts';
import type { HoldsService } from './holds.service.ts';

/** Mounts legal holds over one realm. */
export function mountHolds(app: HttpApp, holds: HoldsService, realm: Realm): void {
  mount(
    app,
    contract,
    {
      list: (context) => holds.list(scopeOf(context), context.params.tenantId),
      guarded: (context) => holds.guarded(scopeOf(context), context.params.tenantId),
      place: (context) => holds.place({ ...askingOf(context), tenantId: context.params.tenantId }, context.body),
      release: (context) =>
        holds.release({ ...askingOf(context), tenantId: context.params.tenantId }, context.params.holdId, context.body.reason),
    },
    { surface: 'main', realm },
  );
}
