import type { Hold } from '@holdfast/contract/holds';
import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import type { PointHold } from '@holdfast/engine';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { KeptPlace } from '../../storage/index.ts';
import { itemsOf, pointsOfItems } from './held-items.store.ts';

type ItemRow = Pick<Selectable<OrganisationTables['hold_items']>, 'item_key' | 'name' | 'is_container'>;

/** A hold with what it is on. */
export type HoldRow = Selectable<OrganisationTables['holds']> & {
  readonly items: readonly ItemRow[];
  readonly resource_name: string | null;
  readonly resource_address: string | null;
  readonly resource_kind: NonNullable<Hold['resource']>['kind'] | null;
};

/** Holds over PostgreSQL. Functions that take `tx` are part of the caller's transaction. */
export interface HoldsStore {
  within: Database['within'];
  add(tx: Tx, row: Insertable<OrganisationTables['holds']>, items?: readonly ItemRow[]): Promise<void>;
  /** Those of the items that a restore point of the resource has, wherever it is kept, under the names they had last. */
  itemsOf(tx: Tx, resourceId: string, keys: readonly string[]): Promise<readonly ItemRow[]>;
  list(tx: Tx, tenantId: string): Promise<readonly HoldRow[]>;
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

/** The names of the holds on an archived mailbox: as a mailbox, as an archive, or on everything of its tenant. */
async function holdsOnArchive(tx: Tx, resourceId: string): Promise<readonly string[]> {
  await lockHolds(tx, 'obeying');
  const { rows } = await sql<{ name: string }>`
    select distinct hold.name from holds hold
    join resources archive on archive.organisation_id = hold.organisation_id and archive.realm = hold.realm
      and archive.tenant_id = hold.tenant_id and archive.resource_id = ${resourceId}
    left join resources named on named.organisation_id = hold.organisation_id and named.realm = hold.realm and named.resource_id = hold.resource_id
    where hold.released_at is null and (hold.resource_id is null
      or named.graph_id = archive.graph_id and named.kind in ('mailbox', 'archive'))
    order by hold.name`.execute(tx);
  return rows.map(({ name }) => name);
}

export function createHoldsStore(database: Database): HoldsStore {
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
      const rows = await tx
        .selectFrom('holds')
        .select('name')
        .distinct()
        .where('tenant_id', '=', tenantId)
        .where('released_at', 'is', null)
        .orderBy('name')
        .execute();
      return rows.map(({ name }) => name);
    },
    onArchive: holdsOnArchive,
    async on(tx, place) {
      await lockHolds(tx, 'obeying');
      const rows = await tx
        .selectFrom('holds')
        .innerJoin('resources', (join) =>
          join
            .onRef('resources.organisation_id', '=', 'holds.organisation_id')
            .onRef('resources.realm', '=', 'holds.realm')
            .onRef('resources.tenant_id', '=', 'holds.tenant_id'),
        )
        .select(['holds.hold_id', 'holds.name', 'holds.from_at', 'holds.to_at'])
        .where('resources.resource_id', '=', place.resourceId)
        .where('holds.released_at', 'is', null)
        .where((where) => where.or([where('holds.resource_id', 'is', null), where('holds.resource_id', '=', place.resourceId)]))
        .orderBy('holds.placed_at')
        .execute();
      const ofItems = await pointsOfItems(
        tx,
        place,
        rows.map(({ hold_id }) => hold_id),
      );
      return rows.map((row) => pointHold(row, ofItems.get(row.hold_id)));
    },
  });
}
