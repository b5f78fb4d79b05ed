import type { Hold } from '@holdfast/contract/holds';
import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import type { PointHold } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { KeptPlace } from '../../storage/index.ts';
import { readStandingSearch, unreadItems } from '../search/index.ts';
import { isOfItems } from '../marks/index.ts';
import { itemsOf, pointsOfItems } from './held-items.store.ts';

/** A file or folder that a hold names. */
export type ItemRow = Pick<Selectable<OrganisationTables['hold_items']>, 'item_key' | 'name' | 'is_container'>;

/** A hold with what it is on. */
export type HoldRow = Selectable<OrganisationTables['holds']> & {
  readonly items: readonly ItemRow[];
  readonly resource_name: string | null;
  readonly resource_address: string | null;
  readonly resource_kind: NonNullable<Hold['resource']>['kind'] | null;
};

/** What holds by search depend on. */
export interface StandingOptions {
  readonly clock: Clock;
  /** Whether scans are read: one that waits may be a hit. */
  readonly recognisesScans: boolean;
}

/** A hold by search, with the search. */
export type SearchedHold = Pick<HoldRow, 'hold_id' | 'tenant_id' | 'search_id'>;

/** Holds over PostgreSQL. Functions that take `tx` are part of the caller's transaction. */
export interface HoldsStore {
  within: Database['within'];
  add(tx: Tx, row: Insertable<OrganisationTables['holds']>, items?: readonly ItemRow[]): Promise<void>;
  /** Those of the items that a restore point of the resource has, wherever it is kept, under the names they had last. */
  itemsOf(tx: Tx, resourceId: string, keys: readonly string[]): Promise<readonly ItemRow[]>;
  list(tx: Tx, tenantId: string): Promise<readonly HoldRow[]>;
  /** The holds in force that refer to a saved search. */
  ofSearch(tx: Tx, searchId: string): Promise<readonly Pick<HoldRow, 'hold_id' | 'name'>[]>;
  /** The holds in force by search, of all tenants. */
  bySearch(tx: Tx): Promise<readonly SearchedHold[]>;
  /**
   * Puts what the search finds now on hold, in some resources or in all. False when its query can no longer be read: then
   * nobody knows what is on hold, and everything is.
   */
  remember(tx: Tx, hold: SearchedHold, resourceIds?: readonly string[]): Promise<boolean>;
  /** The holds that were placed in a case, those that were released too. */
  ofCase(tx: Tx, caseId: string): Promise<readonly HoldRow[]>;
  read(tx: Tx, holdId: string): Promise<HoldRow | undefined>;
  /** Changes a hold that has not been released; false when it has. */
  change(tx: Tx, holdId: string, change: Updateable<OrganisationTables['holds']>): Promise<boolean>;
  hasResource(tx: Tx, tenantId: string, resourceId: string): Promise<boolean>;
  /** The names of the holds in force on anything of a tenant. */
  heldBy(tx: Tx, tenantId: string): Promise<readonly string[]>;
  /** The names of the holds on an archived mailbox, as a mailbox or as an archive. None can be placed until the transaction has ended. */
  onArchive(tx: Tx, resourceId: string): Promise<readonly string[]>;
  /** The holds that a resource is under. None can be placed until the transaction has ended. */
  on(tx: Tx, place: KeptPlace): Promise<readonly PointHold[]>;
}

function shown(tx: Tx) {
  return tx
    .selectFrom('holds')
    .leftJoin('resources', (join) =>
      join
        .onRef('resources.organisation_id', '=', 'holds.organisation_id')
        .onRef('resources.realm', '=', 'holds.realm')
        .onRef('resources.resource_id', '=', 'holds.resource_id'),
    )
    .selectAll('holds')
    .select(
      sql<
        ItemRow[]
      >`(select coalesce(json_agg(json_build_object('item_key', named.item_key, 'name', named.name, 'is_container', named.is_container)
          order by named.is_container desc, lower(named.name), named.item_key), '[]')
        from hold_items named where named.organisation_id = holds.organisation_id and named.realm = holds.realm
          and named.hold_id = holds.hold_id)`.as('items'),
    )
    .select(['resources.name as resource_name', 'resources.address as resource_address'])
    .select(sql<HoldRow['resource_kind']>`nullif(resources.kind, 'journal')`.as('resource_kind'));
}

function pointHold({ name, from_at, to_at }: Pick<HoldRow, 'name' | 'from_at' | 'to_at'>, sequences?: ReadonlySet<number>): PointHold {
  return {
    name,
    ...(from_at ? { fromMs: from_at.getTime() } : {}),
    ...(to_at ? { toMs: to_at.getTime() } : {}),
    ...(sequences ? { sequences } : {}),
  };
}

/** Placing a hold and deleting what is not held keep out of each other's way: whoever comes second sees what the first did. */
async function lockHolds(tx: Tx, kind: 'placing' | 'obeying'): Promise<void> {
  const lock = sql.raw(kind === 'placing' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await sql`select ${lock}(hashtextextended('holds ' || holdfast.organisation()::text, 0))`.execute(tx);
}

function inForce(tx: Tx) {
  return tx.selectFrom('holds').where('holds.released_at', 'is', null);
}

/** What the search of a hold finds joins what it has found before: nothing leaves it until the hold ends. */
async function remember(tx: Tx, clock: Clock, hold: SearchedHold, resourceIds?: readonly string[]): Promise<boolean> {
  const { hold_id: holdId, tenant_id: tenantId, search_id: searchId } = hold;
  const search =
    searchId === null ? undefined : await readStandingSearch(tx, clock, { tenantId, searchId, ...(resourceIds ? { resourceIds } : {}) });
  if (!search?.found) return false;
  await sql`insert into hold_hits (hold_id, source_id, item_key) select ${holdId}, found.source_id, found.item_key from ${search.found} found
    on conflict do nothing`.execute(tx);
  return true;
}

interface HoldOnPlace extends SearchedHold, Pick<HoldRow, 'name' | 'from_at' | 'to_at' | 'search_query'> {
  readonly is_of_items: boolean;
}

/** The holds on anything of a resource, as its restore points are under them. */
async function holdsOn(tx: Tx, { clock, recognisesScans }: StandingOptions, place: KeptPlace): Promise<PointHold[]> {
  await lockHolds(tx, 'obeying');
  const { rows } = await sql<HoldOnPlace>`
    select hold.hold_id, hold.tenant_id, hold.search_id, hold.search_query, hold.name, hold.from_at, hold.to_at, ${isOfItems} as is_of_items
    from holds hold join resources resource on resource.organisation_id = hold.organisation_id and resource.realm = hold.realm
      and resource.tenant_id = hold.tenant_id
    where resource.resource_id = ${place.resourceId} and hold.released_at is null
      and (hold.resource_id is null or hold.resource_id = ${place.resourceId})
    order by hold.placed_at`.execute(tx);
  const unknown = new Set<string>();
  const bySearch = rows.filter((row) => row.search_query !== null);
  for (const row of bySearch) if (!(await remember(tx, clock, row, [place.resourceId]))) unknown.add(row.hold_id);
  const ofItems = rows.filter((row) => row.is_of_items && !unknown.has(row.hold_id));
  const points = await pointsOfItems(tx, place, {
    ids: ofItems.map((row) => row.hold_id),
    bySearch: ofItems.filter((row) => row.search_query !== null).map((row) => row.hold_id),
    unread: unreadItems([place.resourceId], recognisesScans),
  });
  return rows.map((row) => pointHold(row, points.get(row.hold_id)));
}

/** Whether a hold by search is on anything of these resources, or nobody can tell. */
async function findsIn(
  tx: Tx,
  { clock, recognisesScans }: StandingOptions,
  hold: SearchedHold,
  resourceIds: readonly string[],
): Promise<boolean> {
  if (!(await remember(tx, clock, hold, resourceIds))) return true;
  const { rows } = await sql`
    select from hold_hits hit join catalog_sources source using (organisation_id, realm, source_id)
    where hit.hold_id = ${hold.hold_id} and source.resource_id = any(${[...resourceIds]}::uuid[]) limit 1`.execute(tx);
  if (rows.length > 0) return true;
  for (const resourceId of resourceIds) {
    const unread = await sql`select from ${unreadItems([resourceId], recognisesScans)} unread limit 1`.execute(tx);
    if (unread.rows.length > 0) return true;
  }
  return false;
}

/**
 * The names of the holds on an archived mailbox: as a mailbox, as an archive, or on everything of its tenant. One by search keeps
 * all of it while it finds anything in either, or what is there has not been read yet.
 */
async function holdsOnArchive(tx: Tx, options: StandingOptions, resourceId: string): Promise<readonly string[]> {
  await lockHolds(tx, 'obeying');
  const { rows: owned } = await sql<{ resource_id: string }>`
    select same.resource_id from resources archive join resources same on same.organisation_id = archive.organisation_id
      and same.realm = archive.realm and same.tenant_id = archive.tenant_id and same.graph_id = archive.graph_id
    where archive.resource_id = ${resourceId} and same.kind in ('mailbox', 'archive')`.execute(tx);
  const resourceIds = owned.map((row) => row.resource_id);
  const { rows } = await sql<SearchedHold & Pick<HoldRow, 'name' | 'search_query'>>`
    select hold.hold_id, hold.tenant_id, hold.search_id, hold.search_query, hold.name from holds hold
    join resources archive on archive.organisation_id = hold.organisation_id and archive.realm = hold.realm
      and archive.tenant_id = hold.tenant_id and archive.resource_id = ${resourceId}
    where hold.released_at is null and (hold.resource_id is null or hold.resource_id = any(${resourceIds}::uuid[]))
    order by hold.name`.execute(tx);
  const names = new Set<string>();
  for (const hold of rows) if (hold.search_query === null || (await findsIn(tx, options, hold, resourceIds))) names.add(hold.name);
  return [...names];
}

export function createHoldsStore(database: Database, options: StandingOptions): HoldsStore {
  return Object.freeze<HoldsStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    async add(tx, row, items = []) {
      await lockHolds(tx, 'placing');
      await tx.insertInto('holds').values(row).execute();
      if (items.length === 0) return;
      await tx
        .insertInto('hold_items')
        .values(items.map((item) => ({ hold_id: row.hold_id, ...item })))
        .execute();
    },
    itemsOf,
    list: (tx, tenantId) =>
      shown(tx)
        .where('holds.tenant_id', '=', tenantId)
        .orderBy((by) => by('released_at', 'is not', null))
        .orderBy('placed_at', 'desc')
        .execute(),
    ofSearch: (tx, searchId) => inForce(tx).where('search_id', '=', searchId).select(['hold_id', 'name']).orderBy('name').execute(),
    bySearch: (tx) =>
      inForce(tx).where('search_query', 'is not', null).select(['hold_id', 'tenant_id', 'search_id']).orderBy('placed_at').execute(),
    remember: (tx, hold, resourceIds) => remember(tx, options.clock, hold, resourceIds),
    ofCase: (tx, caseId) => shown(tx).where('holds.case_id', '=', caseId).orderBy('resources.name').orderBy('hold_id').execute(),
    read: (tx, holdId) => shown(tx).where('hold_id', '=', holdId).executeTakeFirst(),
    async change(tx, holdId, change) {
      const row = await tx
        .updateTable('holds')
        .set(change)
        .where('hold_id', '=', holdId)
        .where('released_at', 'is', null)
        .returning('hold_id')
        .executeTakeFirst();
      return row !== undefined;
    },
    async hasResource(tx, tenantId, resourceId) {
      const row = await tx
        .selectFrom('resources')
        .select('resource_id')
        .where('tenant_id', '=', tenantId)
        .where('resource_id', '=', resourceId)
        .where('kind', '<>', 'journal')
        .executeTakeFirst();
      return row !== undefined;
    },
    async heldBy(tx, tenantId) {
      const rows = await inForce(tx).select('name').distinct().where('tenant_id', '=', tenantId).orderBy('name').execute();
      return rows.map(({ name }) => name);
    },
    onArchive: (tx, resourceId) => holdsOnArchive(tx, options, resourceId),
    on: (tx, place) => holdsOn(tx, options, place),
  });
}
