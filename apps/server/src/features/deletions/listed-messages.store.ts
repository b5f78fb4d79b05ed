import { FOREVER, type Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { Keeper } from './keepers.ts';

/** One archive of one mailbox that has messages of a list. */
export interface ListedPlace {
  readonly resourceId: string;
  readonly locationId: string;
}

/** What becomes of a message of the list. */
export interface ListedState {
  readonly key: string;
  readonly state: 'listed' | 'kept' | 'erased' | 'gone';
  readonly keepers: readonly Keeper[];
  /** The version that counts from now on; the one before where it is left out. */
  readonly fromPoint?: number;
}

/** As many messages as are looked up at a time: every statement names its keys, so that it reads no more of an archive than it needs. */
const PAGE = 1_000;

/** Versions that the source of an archive has now, by message. */
export async function versionsNow(tx: Tx, sourceIds: readonly string[], keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ item_key: string; from_point: number }>`
    select item_key, from_point from catalog_items where organisation_id = holdfast.organisation() and realm = holdfast.realm()
      and source_id = any(${[...sourceIds]}::uuid[]) and item_key = any(${[...keys]}) and to_point = ${FOREVER}`.execute(tx);
  return new Map(rows.map((row) => [row.item_key, row.from_point]));
}

/** The archive of one location as the list knows it. */
export async function sourcesIn(tx: Tx, { resourceId, locationId }: ListedPlace): Promise<string[]> {
  const rows = await tx
    .selectFrom('catalog_sources')
    .select('source_id')
    .where('resource_id', '=', resourceId)
    .where('location_id', '=', locationId)
    .execute();
  return rows.map((row) => row.source_id);
}

interface ListedPage {
  /** The key of the last message before. */
  readonly after: string;
  readonly limit: number;
  readonly states: readonly ListedState['state'][];
}

/** Messages of one archive in some states, in the order of their keys. */
function listedPage(tx: Tx, deletionId: string, { resourceId, locationId }: ListedPlace, { after, limit, states }: ListedPage) {
  return tx
    .selectFrom('message_deletion_items')
    .select(['item_key', 'from_point', 'state'])
    .where('deletion_id', '=', deletionId)
    .where('resource_id', '=', resourceId)
    .where('location_id', '=', locationId)
    .where('state', 'in', states)
    .where('item_key', '>', after)
    .orderBy('item_key')
    .limit(limit)
    .execute();
}

interface Listed {
  readonly key: string;
  readonly fromPoint: number;
  readonly isGone: boolean;
}

/** What is listed of one archive and not erased, by key. */
export async function* listedPages(tx: Tx, deletionId: string, place: ListedPlace): AsyncGenerator<readonly Listed[], void, undefined> {
  for (let after = ''; ;) {
    const rows = await listedPage(tx, deletionId, place, { after, limit: PAGE, states: ['listed', 'kept', 'gone'] });
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => ({ key: row.item_key, fromPoint: row.from_point, isGone: row.state === 'gone' }));
    after = last.item_key;
  }
}

/** Messages of the list that are not in the archive as they were previewed. */
export async function changedSince(tx: Tx, deletionId: string): Promise<number> {
  let changed = 0;
  for (const place of await placesOf(tx, deletionId)) {
    const sources = await sourcesIn(tx, place);
    for await (const page of listedPages(tx, deletionId, place)) {
      const now = await versionsNow(
        tx,
        sources,
        page.map(({ key }) => key),
      );
      changed += page.filter(({ key, fromPoint, isGone }) => !isGone && now.get(key) !== fromPoint).length;
    }
  }
  return changed;
}

/** The archives that have messages of the list, in order. */
export async function placesOf(tx: Tx, deletionId: string): Promise<readonly ListedPlace[]> {
  const rows = await tx
    .selectFrom('message_deletion_items')
    .select(['resource_id', 'location_id'])
    .distinct()
    .where('deletion_id', '=', deletionId)
    .orderBy('resource_id')
    .orderBy('location_id')
    .execute();
  return rows.map((row) => ({ resourceId: row.resource_id, locationId: row.location_id }));
}

/**
 * Messages of one archive that are to go, after a key, in the order of their keys. What the preview or an earlier attempt found to be
 * kept is not among them: whoever approved has read that it stays.
 */
export async function listedAfter(
  tx: Tx,
  deletionId: string,
  place: ListedPlace,
  { after, limit }: Pick<ListedPage, 'after' | 'limit'>,
): Promise<readonly string[]> {
  const rows = await listedPage(tx, deletionId, place, { after, limit, states: ['listed'] });
  return rows.map((row) => row.item_key);
}

export async function noteStates(
  tx: Tx,
  deletionId: string,
  { resourceId, locationId }: ListedPlace,
  states: readonly ListedState[],
): Promise<void> {
  if (states.length === 0) return;
  await sql`
    update message_deletion_items listed set state = said.state, kept_by = said.kept_by::jsonb,
      from_point = coalesce(said.from_point, listed.from_point)
    from unnest(${states.map(({ key }) => key)}::text[], ${states.map(({ state }) => state)}::text[],
      ${states.map(({ keepers }) => JSON.stringify(keepers))}::text[],
      ${states.map(({ fromPoint }) => fromPoint ?? null)}::bigint[]) as said (item_key, state, kept_by, from_point)
    where listed.deletion_id = ${deletionId} and listed.resource_id = ${resourceId} and listed.location_id = ${locationId}
      and listed.item_key = said.item_key`.execute(tx);
}

/** Of some messages those that this deletion has erased. */
export async function erasedBy(
  tx: Tx,
  deletionId: string,
  { resourceId, locationId }: ListedPlace,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ message_id: string }>`
    select message_id from tombstones where deletion_id = ${deletionId} and resource_id = ${resourceId} and location_id = ${locationId}
      and message_id = any(${[...keys]})`.execute(tx);
  return new Set(rows.map((row) => row.message_id));
}
