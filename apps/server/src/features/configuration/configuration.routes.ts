import { configuration as contract } from '@holdfast/contract/configuration';
import type { Actor } from '../../access/actor.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { RequestInfo } from '../../http/context.ts';
import { mount } from '../../http/mount.ts';
import type { ResolvedOrganisation } from '../../http/ports.ts';
import { callerOf } from '../identity/index.ts';
import type { ConfigurationPlace, ConfigurationService } from './configuration.service.ts';

interface Asked {
  readonly actor: Actor;
  readonly organisation: ResolvedOrganisation;
  readonly request: RequestInfo;
}

/** Mounts the configuration calls under /api. */
export function mountConfiguration(app: HttpApp, service: ConfigurationService): void {
  const placeOf = ({ actor, organisation, request }: Asked): ConfigurationPlace => ({
    actor,
    scope: { organisationId: organisation.organisationId, realm: 'production' },
    tenantId: organisation.tenantId,
    caller: callerOf(request),
  });
  mount(
    app,
    contract,
    {
      read: (context) => service.read(placeOf(context)),
      update: (context) => service.update(placeOf(context), context.body.settings, context.body.version),
      synchroniseUsers: (context) => service.synchroniseUsers(placeOf(context)),
      testConnection: (context) => service.testConnection(placeOf(context)),
      switchTenant: (context) => service.switchTenant(placeOf(context), context.body.tenantId),
    },
    { surface: 'legacy', realm: 'production' },
  );
}
