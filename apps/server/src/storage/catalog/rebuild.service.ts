import type { Database, Scope } from '@holdfast/database';
import { catchUpCatalog, readResource, type Catalog, type ResourceKind } from '@holdfast/engine';
import { AppError } from '@holdfast/foundation/errors';
import type { ListedResource, ResourceHead, Vault } from '@holdfast/vault';
import { raiseFence } from '../vaults/lease.store.ts';
import type { KnownResource, ResourcesStore } from './resources.store.ts';
import type { Vaults } from '../vaults/vaults.service.ts';

/** A resource of the vault, and how it came back. Only `rebuilt` is in the catalog afterwards. */
export interface RebuiltResource {
  readonly resourceId: string;
  readonly name: string;
  /**
   * `unnamed`: the vault does not say which resource this is. `in-use`: the database has the same resource under
   * another id already, with backups or runs. `given-up`: prune removes it. `unreadable`: none of its commits can be
   * read; the id is that of its folder.
   */
  readonly result: 'rebuilt' | 'unnamed' | 'in-use' | 'given-up' | 'unreadable';
  /** Restore points that the catalog has now. */
  readonly points: number;
  /** Lost commits: items changed there are missing or outdated until the next backup. */
  readonly lost: readonly number[];
}

/** Where the vault is, as the new database knows it. */
export interface RebuildPlace {
  readonly scope: Scope;
  readonly tenantId: string;
  readonly locationId: string;
}

export interface CatalogRebuildOptions {
  readonly database: Database;
  readonly vaults: Vaults;
  readonly resources: ResourcesStore;
  catalogOf(scope: Scope, locationId: string): Catalog;
  /** Everybody this installation serves: whose vaults are not to be taken from them. */
  allScopes(): Promise<readonly Scope[]>;
}

/** Fills the catalog of a new database from the journals of a vault. */
export interface CatalogRebuild {
  /** Every location of every organisation: for a console that asks which. */
  places(): Promise<(RebuildPlace & { readonly name: string })[]>;
  /** The scope and tenant of a location, whichever organisation it belongs to. `not-found` when there is none. */
  find(locationId: string): Promise<RebuildPlace>;
  /** Rebuilds resource by resource. May be stopped and run again: what is there already is not written twice. */
  run(place: RebuildPlace): AsyncGenerator<RebuiltResource, void, undefined>;
}

const WORKLOAD_OF: Readonly<Record<ResourceKind, KnownResource['workload']>> = {
  mailbox: 'exchange',
  drive: 'onedrive',
  site: 'sharepoint',
  team: 'teams',
  chat: 'teams',
  archive: 'archive',
  journal: 'journal',
};

/** The catalog of a location from its vault alone; nothing is read from Microsoft 365. */
export function createCatalogRebuild(options: CatalogRebuildOptions): CatalogRebuild {
  const { database, vaults, resources } = options;

  async function rebuildOne(vault: Vault, place: RebuildPlace, resourceId: string, head: ResourceHead): Promise<RebuiltResource> {
    const { scope, tenantId, locationId } = place;
    const journal = vault.journal(resourceId);
    const forgotten = await vault.maintenance.forgottenPoints(resourceId);
    const resource = await readResource(journal, head);
    if (!resource) return { resourceId, name: '', result: 'unnamed', points: 0, lost: [] };
    const { kind, graphId, name, address } = resource;
    if (forgotten.isDropped) return { resourceId, name, result: 'given-up', points: 0, lost: [] };
    const isOurs = await resources.adopt(scope, tenantId, { resourceId, kind, workload: WORKLOAD_OF[kind], graphId, name, address });
    if (!isOurs) return { resourceId, name, result: 'in-use', points: 0, lost: [] };
    await raiseFence({ database, scope, locationId }, resourceId, head.fence);
    const catalog = options.catalogOf(scope, locationId);
    const { lost } = await catchUpCatalog(journal, catalog);
    if (forgotten.points.length > 0) await catalog.forgetPoints(resourceId, forgotten.points);
    return { resourceId, name, result: 'rebuilt', points: (await catalog.points(resourceId)).length, lost };
  }

  async function places(): Promise<(RebuildPlace & { readonly name: string })[]> {
    const found: (RebuildPlace & { readonly name: string })[] = [];
    for (const scope of await options.allScopes()) {
      const rows = await database.within(scope, (tx) =>
        tx.selectFrom('locations').select(['location_id', 'tenant_id', 'name']).orderBy('created_at').execute(),
      );
      for (const row of rows) found.push({ scope, tenantId: row.tenant_id, locationId: row.location_id, name: row.name });
    }
    return found;
  }

  async function headsOf(place: RebuildPlace, onLost: (resourceKey: string, lost: readonly number[]) => void): Promise<ListedResource[]> {
    return vaults.use(place.scope, place.locationId, (vault) => Array.fromAsync(vault.resources({ onLost })));
  }

  return Object.freeze<CatalogRebuild>({
    places,
    async find(locationId) {
      for (const { name: _, ...place } of await places()) if (place.locationId === locationId) return place;
      throw new AppError('not-found', { message: `There is no location ${locationId}.`, details: { field: 'location' } });
    },
    async *run(place) {
      const { scope, locationId } = place;
      const others = new Set((await options.allScopes()).map(({ organisationId }): string => organisationId));
      await vaults.takeOver(scope, locationId, (organisationId) => !others.has(organisationId));
      const unreadable: RebuiltResource[] = [];
      const heads = await headsOf(place, (resourceKey, lost) => {
        unreadable.push({ resourceId: `journal/${resourceKey}`, name: '', result: 'unreadable', points: 0, lost });
      });
      yield* unreadable;
      for (const { resourceId, head } of heads) {
        yield await vaults.use(scope, locationId, (vault) => rebuildOne(vault, place, resourceId, head));
      }
    },
  });
}
