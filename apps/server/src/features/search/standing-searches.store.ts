import { looksInside } from '@holdfast/contract/query/inside';
import { parseQuery } from '@holdfast/contract/query/parse';
import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { sql, type RawBuilder } from 'kysely';
import { sightBy, unlimitedReach } from '../content-access/index.ts';
import { readSavedSearch } from './saved-searches.store.ts';
import { placeOf } from './search-place.ts';
import { foundItems } from './search.views.ts';
import { unreadVersions } from './unread-versions.views.ts';

/** A saved search for what acts on its hits whoever may open them. */
export interface StandingSearch {
  readonly name: string;
  readonly query: string;
  /** Sources and keys of what it finds now; undefined when its query can no longer be read, so that nobody knows. */
  readonly found: RawBuilder<unknown> | undefined;
}

export interface StandingPlace {
  readonly tenantId: string;
  readonly searchId: string;
  /** Only in these resources; in all of the tenant when absent. */
  readonly resourceIds?: readonly string[];
}

/** Reads a search as it is now; undefined when the tenant has none of this ID. */
export async function readStandingSearch(tx: Tx, clock: Clock, place: StandingPlace): Promise<StandingSearch | undefined> {
  const { tenantId, resourceIds } = place;
  const row = await readSavedSearch(tx, place.searchId);
  if (row?.tenant_id !== tenantId) return undefined;
  const { query } = parseQuery(row.query);
  if (!query) return { name: row.name, query: row.query, found: undefined };
  const within = resourceIds ? { resourceIds, from: null, to: null } : undefined;
  // What its owner may no longer see, their search no longer finds; a hold keeps what it has found.
  const sight = await sightBy(tx, { tenantId, accountId: row.owner_id }, now(clock));
  const asked = await placeOf(tx, clock, { tenantId, query, reach: unlimitedReach, sight });
  // Every copy counts: what is left out of a list of hits because the mailbox has it too is a hit all the same.
  return { name: row.name, query: row.query, found: foundItems({ ...asked, within, hasArchives: false }) };
}

/**
 * Sources and keys of what is kept of some resources and has a version that the index has not read: nobody knows yet which searches find
 * it. Where scans are recognised, what has one that waits is among them.
 */
export function unreadItems(resourceIds: readonly string[], recognisesScans: boolean): RawBuilder<unknown> {
  const here = sql`any(${[...resourceIds]}::uuid[])`;
  const waiting = sql`union select item.source_id, item.item_key from catalog_sources source
    join search_scans scan using (organisation_id, realm, source_id)
    join search_items item using (organisation_id, realm, item_no)
    where source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm() and source.resource_id = ${here}
      and scan.state = 'waiting'`;
  const behind = sql`array(select source.source_id from catalog_sources source
    left join search_sources known using (organisation_id, realm, source_id)
    where source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm() and source.resource_id = ${here}
      and source.head_sequence > coalesce(known.read_through, 0))`;
  return sql`(select source_id, item_key from ${unreadVersions(behind)} unread
    ${recognisesScans ? waiting : sql``})`;
}

/**
 * Sources and keys of what is kept of some resources and was read with an error: nobody knows what it would say. With `inside`, so is what has
 * words that cannot be read.
 */
export function unreadableItems(
  resourceIds: readonly string[],
  inside: readonly ('encrypted' | 'tooLarge' | 'unsupported')[],
): RawBuilder<unknown> {
  return sql`(select item.source_id, item.item_key from catalog_sources source
    join search_items item using (organisation_id, realm, source_id)
    where source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm()
      and source.resource_id = any(${[...resourceIds]}::uuid[]) and item.state = any(${['failed', ...inside]}))`;
}

/** A version of the query of a saved search, for what acts on its hits whoever may open them. */
export interface SearchVersion {
  readonly version: number;
  /** Sources and keys of what it finds now; undefined when it can no longer be read, so that nobody knows. */
  readonly found: RawBuilder<unknown> | undefined;
  /** Whether it depends on what is written inside of items. */
  readonly looksInside: boolean;
}

/**
 * The versions of the query of a search from one of them on, the oldest first; none where the tenant has no such search. They find what
 * nobody in particular sees: marks that people have put on items are on nothing.
 */
export async function readSearchVersions(
  tx: Tx,
  clock: Pick<Clock, 'nowMs'>,
  { tenantId, searchId, since, resourceIds }: { tenantId: string; searchId: string; since: number; resourceIds: readonly string[] },
): Promise<readonly SearchVersion[]> {
  const { rows } = await sql<{ version: number; query: string }>`
    select written.query_version as version, written.query from saved_searches search
    join saved_search_queries written using (organisation_id, realm, search_id)
    where search.search_id = ${searchId} and search.tenant_id = ${tenantId} and written.query_version between ${since} and search.query_version
    order by written.query_version`.execute(tx);
  const versions: SearchVersion[] = [];
  for (const { version, query: text } of rows) {
    const { query } = parseQuery(text);
    const place = query && (await placeOf(tx, clock, { tenantId, query, reach: unlimitedReach, sight: undefined }));
    const within = { resourceIds, from: null, to: null };
    const found = place && foundItems({ ...place, within, hasArchives: false });
    versions.push({ version, found, looksInside: !query || looksInside(query) });
  }
  return versions;
}
