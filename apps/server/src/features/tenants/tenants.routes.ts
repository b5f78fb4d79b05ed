import { tenants as contract } from '@holdfast/contract/tenants';
import type { HttpApp } from '../../http/http-app.ts';
import { expectedVersion } from '../../http/etag.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { askingOf, callerOf, type AskedOfOrganisation } from '../identity/index.ts';
import type { TenantPlace, TenantsService } from './tenants.service.ts';

interface Asked extends AskedOfOrganisation {
  readonly params: { readonly tenantId: string };
}

function placeOf(context: Asked): TenantPlace {
  return { ...askingOf(context), tenantId: context.params.tenantId, expectedVersion: expectedVersion(context.request) };
}

/** Mounts tenants under the base path of a realm. */
export function mountTenants(app: HttpApp, service: TenantsService, realm: 'production' | 'staging'): void {
  mount(
    app,
    contract,
    {
      list: async ({ actor, query }) => ({ items: await service.list(actor, query.organisationId) }),
      connect: ({ actor, body, request }) => service.connect(actor, body, callerOf(request)),
      get: async (context) => {
        const tenant = await service.get(scopeOf(context), context.params.tenantId);
        context.reply.etag(tenant.version);
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
      permissions: (context) => service.permissions(scopeOf(context), context.params.tenantId),
      task: (context) => service.task(scopeOf(context), context.params.tenantId, context.params.taskId),
    },
    { surface: 'main', realm },
  );
}
