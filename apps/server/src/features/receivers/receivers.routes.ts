import { receivers as contract } from '@holdfast/contract/receivers';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { askingOf } from '../identity/index.ts';
import { assign, type AssignParts } from './assign.service.ts';
import type { ReceiversService } from './receivers.service.ts';

export interface ReceiverRoutesParts extends AssignParts {
  readonly service: ReceiversService;
}

/** Mounts receivers under the base path of a realm. */
export function mountReceivers(app: HttpApp, { service, ...parts }: ReceiverRoutesParts, realm: Realm): void {
  mount(
    app,
    contract,
    {
      list: async (context) => ({ items: await service.list(scopeOf(context), context.params.tenantId) }),
      create: (context) => service.create(askingOf(context), context.params.tenantId, context.body),
      change: (context) => service.change(askingOf(context), context.params, context.body),
      remove: (context) => service.remove(askingOf(context), context.params),
      test: (context) => service.test(askingOf(context), context.params),
      renewAddress: (context) => service.renewAddress(askingOf(context), context.params),
      unassigned: async (context) => ({ items: await service.unassigned(scopeOf(context), context.params) }),
      assign: async (context) => ({ messages: await assign(parts, askingOf(context), context.params, context.body) }),
    },
    { surface: 'main', realm },
  );
}
