import type { SavedSearch } from '@holdfast/contract/saved-searches';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { foundItems, type SearchPlace } from './search.views.ts';

/** A saved search with the query that is in force. */
export type SavedSearchRow = Selectable<OrganisationTables['saved_searches']> & { readonly query: string };

export function savedSearchOf(row: SavedSearchRow): SavedSearch {
  return {
    searchId: row.search_id,
    name: row.name,
    query: row.query,
    queryVersion: row.query_version,
    version: row.version,
    hasAlert: row.has_alert,
    newHits: row.new_hits,
    checkedAt: row.checked_at?.toISOString() ?? null,
    owner: row.owner,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
  };
}

function all(tx: Tx) {
  return tx
    .selectFrom('saved_searches')
    .innerJoin('saved_search_queries', (join) =>
      join
        .onRef('saved_search_queries.organisation_id', '=', 'saved_searches.organisation_id')
        .onRef('saved_search_queries.realm', '=', 'saved_searches.realm')
        .onRef('saved_search_queries.search_id', '=', 'saved_searches.search_id')
        .onRef('saved_search_queries.query_version', '=', 'saved_searches.query_version'),
    )
    .selectAll('saved_searches')
    .select('saved_search_queries.query');
}

/** Lets one change of saved searches at a time see what is there, until the end of the transaction. */
export async function lockSavedSearches(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('searches ' || holdfast.organisation() || holdfast.realm(), 0))`.execute(tx);
}

export function listSavedSearches(tx: Tx, tenantId: string): Promise<SavedSearchRow[]> {
  return all(tx)
    .where('tenant_id', '=', tenantId)
    .orderBy(sql`lower(name)`)
    .execute();
}

export function readSavedSearch(tx: Tx, searchId: string): Promise<SavedSearchRow | undefined> {
  return all(tx).where('saved_searches.search_id', '=', searchId).executeTakeFirst();
}

export async function isSearchNameTaken(tx: Tx, { tenantId, name, except }: Named): Promise<boolean> {
  const row = await tx
    .selectFrom('saved_searches')
    .select('search_id')
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .$if(except !== undefined, (rows) => rows.where('search_id', '<>', except ?? ''))
    .executeTakeFirst();
  return row !== undefined;
}

interface Named {
  readonly tenantId: string;
  readonly name: string;
  readonly except?: string | undefined;
}

export async function addQuery(tx: Tx, row: Insertable<OrganisationTables['saved_search_queries']>): Promise<void> {
  await tx.insertInto('saved_search_queries').values(row).execute();
}

export async function changeSavedSearch(tx: Tx, searchId: string, change: Updateable<OrganisationTables['saved_searches']>): Promise<void> {
  await tx.updateTable('saved_searches').set(change).where('search_id', '=', searchId).execute();
}

/** Somebody has seen so many of the new hits. */
export async function forgetNewHits(tx: Tx, searchId: string, seen: number): Promise<void> {
  await sql`update saved_searches set new_hits = greatest(0, new_hits - ${seen}::bigint) where search_id = ${searchId}`.execute(tx);
}

/** Remembers everything that a search finds now, and answers how many items are remembered for the first time. */
export async function rememberHits(tx: Tx, searchId: string, place: SearchPlace): Promise<number> {
  const { rows } = await sql<{ added: number }>`with added as (
      insert into saved_search_hits (search_id, source_id, item_key)
      select ${searchId}, found.source_id, found.item_key from ${foundItems(place)} found
      where not exists (select from saved_search_hits known where known.organisation_id = holdfast.organisation()
        and known.realm = holdfast.realm() and known.search_id = ${searchId} and known.source_id = found.source_id
        and known.item_key = found.item_key)
      on conflict do nothing returning 1)
    select count(*)::bigint as added from added`.execute(tx);
  return rows[0]?.added ?? 0;
}

export async function forgetHits(tx: Tx, searchId: string): Promise<void> {
  await tx.deleteFrom('saved_search_hits').where('search_id', '=', searchId).execute();
}

/** The items that one query finds and another one does not. */
export async function countWithout(tx: Tx, place: SearchPlace, without: SearchPlace): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::bigint as count
    from (select * from ${foundItems(place)} these except select * from ${foundItems(without)} those) difference`.execute(tx);
  return rows[0]?.count ?? 0;
}

const isDue = (before: Date) => sql<boolean>`(has_alert and (checked_at is null or checked_at < ${before}))`;

/** Searches whose alert is due, the one that has waited longest first. */
export async function dueAlerts(tx: Tx, before: Date): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('saved_searches')
    .select('search_id')
    .where(isDue(before))
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .execute();
  return rows.map((row) => row.search_id);
}

/** One of them, locked; undefined when another worker has it or has checked it. */
export function takeDueAlert(tx: Tx, searchId: string, before: Date): Promise<SavedSearchRow | undefined> {
  return all(tx)
    .where('saved_searches.search_id', '=', searchId)
    .where(isDue(before))
    .forUpdate(['saved_searches'])
    .skipLocked()
    .executeTakeFirst();
}

/** The search of each of these holds that is one by search, as it is now; its query is null once there is none. */
export async function searchesOfHolds(
  tx: Tx,
  holdIds: readonly string[],
): Promise<readonly { readonly query: string | null; readonly owner_id: string | null }[]> {
  const held = await tx
    .selectFrom('holds')
    .select('search_id')
    .where('hold_id', 'in', holdIds)
    .where('search_query', 'is not', null)
    .execute();
  const searches: { query: string | null; owner_id: string | null }[] = [];
  for (const { search_id: searchId } of held) {
    const row = searchId === null ? undefined : await readSavedSearch(tx, searchId);
    searches.push({ query: row?.query ?? null, owner_id: row?.owner_id ?? null });
  }
  return searches;
}
