import { locations as contract, workerLocations } from '@holdfast/contract/locations';
import { AppError } from '@holdfast/foundation/errors';
import type { HttpApp } from '../../http/http-app.ts';
import { expectedVersion } from '../../http/etag.ts';
import { mount } from '../../http/mount.ts';
import type { ResolvedOrganisation } from '../../http/ports.ts';
import { scopeOf } from '../../http/scope.ts';
import { askingOf, type AskedOfOrganisation } from '../identity/index.ts';
import type { LocationPlace, LocationsService } from './locations.service.ts';

interface Asked extends AskedOfOrganisation {
  readonly params: { readonly tenantId: string };
}

function placeOf(context: Asked): LocationPlace {
  return { ...askingOf(context), tenantId: context.params.tenantId, expectedVersion: expectedVersion(context.request) };
}

/** Mounts locations under the base path of a realm. */
export function mountLocations(app: HttpApp, service: LocationsService, realm: 'production' | 'staging'): void {
  mount(
    app,
    contract,
    {
      list: async (context) => ({ items: await service.list(scopeOf(context), context.params.tenantId) }),
      test: (context) => service.test(scopeOf(context), context.body),
      testAgain: (context) => service.testAgain(placeOf(context), context.params.locationId),
      create: (context) => service.create(placeOf(context), context.body),
      get: async (context) => {
        const location = await service.get(scopeOf(context), context.params.tenantId, context.params.locationId);
        context.reply.etag(location.version);
        return location;
      },
      update: (context) => service.update(placeOf(context), context.params.locationId, context.body),
      remove: (context) => service.remove(placeOf(context), context.params.locationId),
    },
    { surface: 'main', realm },
  );
}

/** Mounts locations by worker, under /api. */
export function mountWorkerLocations(app: HttpApp, service: LocationsService): void {
  async function behind(organisation: ResolvedOrganisation, use?: 'backup' | 'archive') {
    if (organisation.tenantId === undefined) throw new AppError('not-found');
    return { items: await service.list({ organisationId: organisation.organisationId, realm: 'production' }, organisation.tenantId, use) };
  }
  mount(
    app,
    workerLocations,
    {
      all: ({ organisation }) => behind(organisation),
      backup: ({ organisation }) => behind(organisation, 'backup'),
      archive: ({ organisation }) => behind(organisation, 'archive'),
    },
    { surface: 'legacy', realm: 'production' },
  );
}
