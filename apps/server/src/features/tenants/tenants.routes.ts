import { tenants as contract } from '@holdfast/contract/tenants';
import type { HttpApp } from '../../http/http-app.ts';
import type { Actor } from '../../access/actor.ts';
import type { RequestInfo } from '../../http/context.ts';
import { mount } from '../../http/mount.ts';
import type { ResolvedOrganisation } from '../../http/ports.ts';
import { callerOf } from '../identity/index.ts';
import type { TenantPlace, TenantsService } from './tenants.service.ts';

interface Asked {
  readonly actor: Actor;
  readonly organisation: ResolvedOrganisation;
  readonly params: { readonly tenantId: string };
  readonly request: RequestInfo;
}

function ifMatch(request: RequestInfo): string | undefined {
  const header = request.headers['if-match'];
  return typeof header === 'string' ? header.replaceAll('"', '') : undefined;
}

/** Mounts tenants under the base path of a realm. */
export function mountTenants(app: HttpApp, service: TenantsService, realm: 'production' | 'staging'): void {
  const scopeOf = (organisation: ResolvedOrganisation) => ({ organisationId: organisation.organisationId, realm });
  const placeOf = ({ actor, organisation, params, request }: Asked): TenantPlace => ({
    actor,
    scope: scopeOf(organisation),
    tenantId: params.tenantId,
    caller: callerOf(request),
    expectedVersion: ifMatch(request),
  });
  mount(
    app,
    contract,
    {
      list: async ({ actor, query }) => ({ items: await service.list(actor, query.organisationId) }),
      connect: ({ actor, body, request }) => service.connect(actor, body, callerOf(request)),
      get: async ({ organisation, params, reply }) => {
        const tenant = await service.get(scopeOf(organisation), params.tenantId);
        reply.etag(tenant.version);
        return tenant;
      },
      update: (context) => {
        const { active, ...others } = context.body;
        const isSwitchAlone = active === true && Object.keys(others).length === 0;
        return isSwitchAlone ? service.activate(placeOf(context)) : service.update(placeOf(context), context.body);
      },
      remove: (context) => service.remove(placeOf(context)),
      provision: (context) => service.startTask(placeOf(context), 'provision'),
      deprovision: (context) => service.startTask(placeOf(context), 'deprovision'),
      permissions: ({ organisation, params }) => service.permissions(scopeOf(organisation), params.tenantId),
      task: ({ organisation, params }) => service.task(scopeOf(organisation), params.tenantId, params.taskId),
    },
    { surface: 'main', realm },
  );
}
