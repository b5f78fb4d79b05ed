import path from 'node:path';
import type { Database, Scope, Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Config } from '../../settings/config.ts';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Approvals } from '../approvals/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import { createLocationStores, type LocationStores } from './location-stores.service.ts';
import { mountLocations, mountWorkerLocations } from './locations.routes.ts';
import { createLocationsService, type LocationsService } from './locations.service.ts';
import { createPlaces } from './places.service.ts';
import { retentionApproval, retentionEffects } from './retention-approval.ts';

export interface LocationsPorts {
  readonly config: Pick<Config, 'HOLDFAST_DATA_DIR' | 'HOLDFAST_LOCATION_ROOTS' | 'HOLDFAST_ALLOWED_HOSTS'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly approvals: Approvals;
  readonly scopes: () => Promise<Scope[]>;
  /** Retention policies that keep something in a location: it is not removed then. */
  keptIn(tx: Tx, tenantId: string, locationId: string): Promise<readonly string[]>;
}

export interface LocationsFeature extends Feature {
  readonly locations: LocationsService;
  readonly stores: LocationStores;
  /** The locations of a tenant. */
  locationIds(scope: Scope, tenantId: string): Promise<readonly string[]>;
}

/** Keeping things for a shorter time takes two people. */
export function createLocationsFeature(ports: LocationsPorts): LocationsFeature {
  const { config, database, approvals } = ports;
  const defaultRoot = path.join(config.HOLDFAST_DATA_DIR, 'vaults');
  const rules = { roots: [...config.HOLDFAST_LOCATION_ROOTS, defaultRoot], allowedHosts: config.HOLDFAST_ALLOWED_HOSTS };
  const stores = createLocationStores({ ...ports, rules });
  const locations = createLocationsService({
    ...ports,
    stores,
    places: createPlaces({ database, allScopes: ports.scopes, defaultRoot }),
    approval: retentionApproval(approvals),
    defaultRoot,
  });
  approvals.on('shorterRetention', retentionEffects(locations));
  return Object.freeze<LocationsFeature>({
    locations,
    stores,
    locationIds: async (scope, tenantId) => (await locations.list(scope, tenantId)).map(({ locationId }) => locationId),
    mount(app) {
      inEachRealm((realm) => mountLocations(app, locations, realm));
      mountWorkerLocations(app, locations);
    },
  });
}
