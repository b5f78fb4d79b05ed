import { FOREVER, type Database, type Scope, type Tx } from '@holdfast/database';
import { heldBy, isKeptBy, type Catalog, type ItemsQuery, type ItemVersion, type PointHold, type PointKeepers } from '@holdfast/engine';
import { groupsOf } from '@holdfast/foundation/groups';
import type { Ids } from '@holdfast/foundation/ids';
import { sql, type RawBuilder } from 'kysely';
import { BATCH, sourceOf, writeSegment, type OnCaptured } from './catalog-segment.store.ts';
import { versionOf } from './catalog-row.ts';
import { erasedAmong, type OnErased } from './erased-items.store.ts';

const PAGE = 500;
const NOTHING_KEPT: Kept = { holds: [], minimums: [] };

/** A resource as one location keeps it. */
export interface KeptPlace {
  readonly resourceId: string;
  readonly locationId: string;
}

/** What people have ordered to be kept: legal holds, and running minimums of policies. */
export type Kept = Pick<PointKeepers, 'holds' | 'minimums'>;

/** What keeps a resource, which nothing can join before the transaction has ended. */
type KeptWithin = (tx: Tx, place: KeptPlace) => Promise<Kept>;

interface Reader {
  readonly database: Database;
  readonly scope: Scope;
  readonly locationId: string;
  readonly keptWithin?: KeptWithin | undefined;
}

function conditions(sourceId: string, sequence: number | undefined, query: ItemsQuery): RawBuilder<unknown> {
  const parts = [
    sql`organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId}`,
    sequence === undefined ? sql`to_point = ${FOREVER}` : sql`from_point <= ${sequence} and to_point > ${sequence}`,
  ];
  if (query.kinds) parts.push(sql`kind = any(${[...query.kinds]})`);
  if (query.parentKey === null) parts.push(sql`parent_key is null`);
  if (typeof query.parentKey === 'string') parts.push(sql`parent_key = ${query.parentKey}`);
  if (query.notProtected) parts.push(sql`not_protected is not null`);
  if (query.keys) parts.push(sql`item_key = any(${[...query.keys]})`);
  return sql.join(parts, sql` and `);
}

async function* streamItems(
  reader: Reader,
  state: { readonly resourceId: string; readonly sequence: number | undefined },
  query: ItemsQuery,
): AsyncGenerator<ItemVersion, void, undefined> {
  const { resourceId, sequence } = state;
  const source = await reader.database.within(reader.scope, (tx) => sourceOf(tx, reader.locationId, resourceId));
  if (!source) return;
  const where = conditions(source.source_id, sequence, query);
  for (let after = ''; ;) {
    const from = after;
    const { rows } = await reader.database.within(reader.scope, (tx) =>
      sql<Parameters<typeof versionOf>[0]>`
        select item_key, parent_key, kind, name, size_bytes, detail from catalog_items
        where ${where} and item_key > ${from} order by item_key limit ${PAGE}`.execute(tx),
    );
    for (const row of rows) yield versionOf(row);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.item_key;
  }
}

/** What a folder's number of children changed at points that are gone counts at the point after them. */
async function moveCounts(tx: Tx, sourceId: string): Promise<void> {
  const points = sql`catalog_points point where point.source_id = ${sourceId}`;
  await sql`
    with moved as (
      delete from catalog_folder_counts counted
      where counted.source_id = ${sourceId} and not exists (select from ${points} and point.sequence = counted.sequence)
        and exists (select from ${points} and point.sequence > counted.sequence)
      returning parent_key, sequence, kind, change)
    insert into catalog_folder_counts as counted (source_id, parent_key, sequence, kind, change)
    select ${sourceId}, parent_key, (select min(point.sequence) from ${points} and point.sequence > moved.sequence), kind, sum(change)
    from moved group by 2, 3, 4
    on conflict (organisation_id, realm, source_id, parent_key, sequence, kind) do update set change = counted.change + excluded.change`.execute(
    tx,
  );
  await sql`delete from catalog_folder_counts where source_id = ${sourceId} and change = 0`.execute(tx);
}

/** What a hold is on now, of the points of a source. */
async function underHold(tx: Tx, sourceId: string, holds: readonly PointHold[]): Promise<ReadonlySet<number>> {
  if (holds.length === 0) return new Set();
  const rows = await tx
    .selectFrom('catalog_points')
    .select(['sequence', 'committed_at'])
    .where('source_id', '=', sourceId)
    .orderBy('sequence')
    .execute();
  const dated = rows.map((row) => ({ sequence: row.sequence, atMs: row.committed_at.getTime() }));
  return new Set(holds.flatMap((hold) => [...heldBy(dated, hold)]));
}

async function forgetPoints(reader: Reader, resourceId: string, sequences: readonly number[]): Promise<readonly number[]> {
  return reader.database.within(reader.scope, async (tx) => {
    const source = await sourceOf(tx, reader.locationId, resourceId, { isLocked: true });
    if (!source) return [];
    const id = source.source_id;
    const { holds, minimums } = (await reader.keptWithin?.(tx, { resourceId, locationId: reader.locationId })) ?? NOTHING_KEPT;
    const spared = await underHold(tx, id, holds);
    const isKept = (sequence: number): boolean => spared.has(sequence) || minimums.some((minimum) => isKeptBy(minimum, sequence));
    const going = sequences.filter((sequence) => !isKept(sequence));
    if (going.length === 0) return [];
    await tx.deleteFrom('catalog_points').where('source_id', '=', id).where('sequence', 'in', going).execute();
    await sql`
      delete from catalog_items item
      where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${id} and to_point <> ${FOREVER}
        and not exists (select from catalog_points point where point.source_id = ${id}
          and point.sequence >= item.from_point and point.sequence < item.to_point)`.execute(tx);
    await moveCounts(tx, id);
    await sql`
      update catalog_sources set (points, oldest_point_at, newest_point_at) =
        (select count(*), min(committed_at), max(committed_at) from catalog_points where source_id = ${id})
      where source_id = ${id}`.execute(tx);
    return going;
  });
}

/** The catalog of one location, in PostgreSQL. Holds the promises of `catalog.contract.ts`. With `keptWithin` it forgets nothing that is kept so. */
export function createCatalog(options: {
  readonly database: Database;
  readonly scope: Scope;
  readonly locationId: string;
  readonly ids: Ids;
  readonly keptWithin?: KeptWithin;
  readonly onCaptured?: OnCaptured;
  readonly onErased?: OnErased;
}): Catalog {
  const { database, scope, locationId, ids, keptWithin, onCaptured, onErased } = options;
  const reader: Reader = { database, scope, locationId, keptWithin };
  return Object.freeze<Catalog>({
    apply: (segment) => database.within(scope, (tx) => writeSegment(tx, { locationId, ids, onCaptured, onErased }, segment)),
    items: (resourceId, sequence, query = {}) => streamItems(reader, { resourceId, sequence }, query),
    forgetPoints: (resourceId, sequences) => forgetPoints(reader, resourceId, sequences),
    erased: (resourceId, keys) => database.within(scope, (tx) => erasedAmong(tx, resourceId, keys)),
    async head(resourceId) {
      const source = await database.within(scope, (tx) => sourceOf(tx, locationId, resourceId));
      return source && { sequence: source.head_sequence, hash: source.head_hash, cursor: source.head_cursor };
    },
    async lookup(resourceId, keys) {
      const found = new Map<string, ItemVersion>();
      for (const some of groupsOf(keys, BATCH)) {
        for await (const item of streamItems(reader, { resourceId, sequence: undefined }, { keys: some })) found.set(item.key, item);
      }
      return found;
    },
    points(resourceId) {
      return database.within(scope, async (tx) => {
        const source = await sourceOf(tx, locationId, resourceId);
        if (!source) return [];
        const rows = await tx
          .selectFrom('catalog_points')
          .select(['sequence', 'committed_at', 'run_id'])
          .where('source_id', '=', source.source_id)
          .orderBy('sequence')
          .execute();
        return rows.map((row) => ({ sequence: row.sequence, committedAt: row.committed_at.toISOString(), runId: row.run_id }));
      });
    },
  });
}
