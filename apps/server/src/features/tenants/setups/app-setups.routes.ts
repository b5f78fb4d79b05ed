import { appSetups as contract } from '@holdfast/contract/app-setups';
import type { HttpApp } from '../../../http/http-app.ts';
import { mount } from '../../../http/mount.ts';
import type { Actor } from '../../../access/actor.ts';
import type { RequestInfo } from '../../../http/context.ts';
import { callerOf } from '../../identity/index.ts';
import type { AppSetupsService, SetupAsking } from './app-setups.service.ts';

interface Asked {
  readonly actor: Actor;
  readonly request: RequestInfo;
  readonly query: { readonly organisationId?: string | undefined };
}

function asking({ actor, request, query }: Asked): SetupAsking {
  return { actor, caller: callerOf(request), organisationId: query.organisationId };
}

/** Mounts the preparation of app registrations under the base path of a realm. */
export function mountAppSetups(app: HttpApp, service: AppSetupsService, realm: 'production' | 'staging'): void {
  mount(
    app,
    contract,
    {
      prepare: (context) => service.prepare(asking(context), context.body),
      get: (context) => service.get(asking(context), context.params.setupId),
      check: (context) => service.check(asking(context), context.params.setupId, context.body),
    },
    { surface: 'main', realm },
  );
}
