import { locations as contract, workerLocations } from '@holdfast/contract/locations';
import { AppError } from '@holdfast/foundation/errors';
import type { Actor } from '../../access/actor.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { RequestInfo } from '../../http/context.ts';
import { mount } from '../../http/mount.ts';
import type { ResolvedOrganisation } from '../../http/ports.ts';
import { callerOf } from '../identity/index.ts';
import type { LocationPlace, LocationsService } from './locations.service.ts';

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

/** Mounts locations under the base path of a realm. */
export function mountLocations(app: HttpApp, service: LocationsService, realm: 'production' | 'staging'): void {
  const scopeOf = (organisation: ResolvedOrganisation) => ({ organisationId: organisation.organisationId, realm });
  const placeOf = ({ actor, organisation, params, request }: Asked): LocationPlace => ({
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
      list: async ({ organisation, params }) => ({ items: await service.list(scopeOf(organisation), params.tenantId) }),
      test: ({ body }) => service.test(body),
      create: (context) => service.create(placeOf(context), context.body),
      get: async ({ organisation, params, reply }) => {
        const location = await service.get(scopeOf(organisation), params.tenantId, params.locationId);
        reply.etag(location.version);
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
