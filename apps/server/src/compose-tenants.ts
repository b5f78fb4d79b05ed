import type { Scope } from '@holdfast/database';
import type { Ground } from './compose-ground.ts';
import type { JobPorts } from './compose-jobs.ts';
import type { HttpApp } from './http/app.ts';
import { createLocationStorage } from './work/location-storage.store.ts';
import { createTenantGraph } from './work/tenant-graph.store.ts';

/** Tenants, workers, locations and configuration, and what jobs need of them. */
export interface Tenants extends JobPorts {
  mountMain(app: HttpApp, realm: Scope['realm']): void;
  mountLegacy(app: HttpApp): void;
  /** A new organisation gets what else it needs. */
  onFounded(organisationId: Scope['organisationId']): Promise<void>;
}

export function composeTenants(ground: Ground): Tenants {
  return Object.freeze<Tenants>({
    graph: createTenantGraph(ground),
    storage: createLocationStorage(ground),
    mountMain: () => undefined,
    mountLegacy: () => undefined,
    onFounded: async () => undefined,
  });
}
