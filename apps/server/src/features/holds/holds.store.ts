import type { Hold } from '@holdfast/contract/holds';
import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import type { PointHold } from '@holdfast/engine';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';

/** A hold with what it is on. */
export type HoldRow = Selectable<OrganisationTables['holds']> & {
  readonly resource_name: string | null;
  readonly resource_address: string | null;
  readonly resource_kind: NonNullable<Hold['resource']>['kind'] | null;
};

/** Holds over PostgreSQL. Functions that take `tx` are part of the caller's transaction. */
export interface HoldsStore {
  within: Database['within'];
  add(tx: Tx, row: Insertable<OrganisationTables['holds']>): Promise<void>;
  list(tx: Tx, tenantId: string): Promise<readonly HoldRow[]>;
  /** The holds that were placed in a case, those that were released too. */
  ofCase(tx: Tx, caseId: string): Promise<readonly HoldRow[]>;
  read(tx: Tx, holdId: string): Promise<HoldRow | undefined>;
  /** Changes a hold that has not been released; false when it has. */
  change(tx: Tx, holdId: string, change: Updateable<OrganisationTables['holds']>): Promise<boolean>;
  hasResource(tx: Tx, tenantId: string, resourceId: string): Promise<boolean>;
  /** The names of the holds in force on anything of a tenant. */
  heldBy(tx: Tx, tenantId: string): Promise<readonly string[]>;
  /** The holds that a resource is under. None can be placed until the transaction has ended. */
  on(tx: Tx, resourceId: string): Promise<readonly PointHold[]>;
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
    .select(['resources.name as resource_name', 'resources.address as resource_address', 'resources.kind as resource_kind']);
}

function pointHold({ name, from_at, to_at }: Pick<HoldRow, 'name' | 'from_at' | 'to_at'>): PointHold {
  return { name, ...(from_at ? { fromMs: from_at.getTime() } : {}), ...(to_at ? { toMs: to_at.getTime() } : {}) };
}

/** Placing a hold and deleting what is not held keep out of each other's way: whoever comes second sees what the first did. */
async function lockHolds(tx: Tx, kind: 'placing' | 'obeying'): Promise<void> {
  const lock = sql.raw(kind === 'placing' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await sql`select ${lock}(hashtextextended('holds ' || holdfast.organisation()::text, 0))`.execute(tx);
}

export function createHoldsStore(database: Database): HoldsStore {
  return Object.freeze<HoldsStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    async add(tx, row) {
      await lockHolds(tx, 'placing');
      await tx.insertInto('holds').values(row).execute();
    },
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
    async on(tx, resourceId) {
      await lockHolds(tx, 'obeying');
      const rows = await tx
        .selectFrom('holds')
        .innerJoin('resources', (join) =>
          join
            .onRef('resources.organisation_id', '=', 'holds.organisation_id')
            .onRef('resources.realm', '=', 'holds.realm')
            .onRef('resources.tenant_id', '=', 'holds.tenant_id'),
        )
        .select(['holds.name', 'holds.from_at', 'holds.to_at'])
        .where('resources.resource_id', '=', resourceId)
        .where('holds.released_at', 'is', null)
        .where((where) => where.or([where('holds.resource_id', 'is', null), where('holds.resource_id', '=', resourceId)]))
        .orderBy('holds.placed_at')
        .execute();
      return rows.map(pointHold);
    },
  });
}
