import { configuration as contract } from '@holdfast/contract/configuration';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { askingOf, type AskedOfOrganisation } from '../identity/index.ts';
import type { ConfigurationPlace, ConfigurationService } from './configuration.service.ts';

function placeOf(context: AskedOfOrganisation): ConfigurationPlace {
  return { ...askingOf(context), tenantId: context.organisation.tenantId };
}

/** Mounts the configuration calls: under /api, and for the staging realm under /apollo-beta. */
export function mountConfiguration(app: HttpApp, service: ConfigurationService, realm: Realm): void {
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
    { surface: 'legacy', realm },
  );
}
