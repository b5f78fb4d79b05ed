import { forwarding } from '@holdfast/contract/forwarding';
import type { Realm } from '@holdfast/database';
import type { Actor } from '../../access/actor.ts';
import type { RequestInfo } from '../../http/context.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { callerOf } from '../identity/index.ts';
import type { Asked, ForwardingService } from './forwarding.service.ts';

interface Request {
  readonly actor: Actor;
  readonly query: { readonly organisationId?: string | undefined };
  readonly request: RequestInfo;
}

const askedBy = ({ actor, query, request }: Request): Asked => ({
  actor,
  organisationId: query.organisationId,
  caller: callerOf(request),
});

export function mountForwarding(app: HttpApp, service: ForwardingService, realm: Realm): void {
  mount(
    app,
    forwarding,
    {
      list: async (context) => ({ items: await service.list(askedBy(context)) }),
      create: (context) => service.create(askedBy(context), context.body),
      change: (context) => service.change(askedBy(context), context.params.destinationId, context.body),
      remove: (context) => service.remove(askedBy(context), context.params.destinationId),
      test: async (context) => ({ failure: await service.test(askedBy(context), context.params.destinationId) }),
      renewSecret: async (context) => ({ secret: await service.renewSecret(askedBy(context), context.params.destinationId) }),
    },
    { surface: 'main', realm },
  );
}
