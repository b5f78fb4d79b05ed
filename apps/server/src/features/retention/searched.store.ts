import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { databaseNow } from '../../platform/database-now.views.ts';
import { readSearchVersions, unreadableItems, unreadItems, type SearchVersion } from '../search/index.ts';
import { isSearched, maximumOf, type PolicyRow } from './policy-row.ts';

/** Items of some resources, and policies that may be on them. */
export interface SearchedWanted {
  readonly policies: readonly PolicyRow[];
  readonly resourceIds: readonly string[];
  /** Whether scans are read: one that waits may be a hit. */
  readonly recognisesScans: boolean;
}

type Items = RawBuilder<unknown>;
type Found = SearchVersion & { readonly found: Items };

/** Everything that is kept of some resources. */
const everythingIn = (resourceIds: readonly string[]): Items => sql`select item.source_id, item.item_key from catalog_sources source
  join catalog_items item using (organisation_id, realm, source_id)
  where source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm()
    and source.resource_id = any(${[...resourceIds]}::uuid[]) and not item.is_container`;

/**
 * The versions of its search that a policy goes by: the one that two people have approved, and those that somebody has written since. Undefined
 * when one of them cannot be read any longer, or there is no such search.
 */
async function versionsOf(tx: Tx, policy: PolicyRow, resourceIds: readonly string[]): Promise<readonly Found[] | undefined> {
  const { tenant_id: tenantId, search_id: searchId, search_version: approved, current_version: current, activated_at: at } = policy;
  if (searchId === null || approved === null || current === null) return undefined;
  const nowMs = await databaseNow(tx);
  const since = at === null ? current : approved;
  const versions = await readSearchVersions(tx, { nowMs: () => nowMs }, { tenantId, searchId, since, resourceIds });
  const found = versions.flatMap((one) => (one.found === undefined ? [] : [{ ...one, found: one.found }]));
  return found.length === 0 || found.length < versions.length ? undefined : found;
}

/** What a policy keeps: what its search has ever found, what it finds, and what nobody knows of yet. */
function keptOf({ policy_id: policyId }: PolicyRow, versions: readonly Found[], wanted: Omit<SearchedWanted, 'policies'>): Items {
  const { resourceIds, recognisesScans } = wanted;
  const inside = versions.some(({ looksInside }) => looksInside) ? (['encrypted', 'tooLarge'] as const) : [];
  return sql`${sql.join(
    versions.map(({ found }) => sql`select source_id, item_key from ${found} found`),
    sql` union all `,
  )}
    union all select source_id, item_key from retention_policy_hits where policy_id = ${policyId}
    union all select source_id, item_key from ${unreadItems(resourceIds, recognisesScans)} unread
    union all select source_id, item_key from ${unreadableItems(resourceIds, inside)} unreadable`;
}

/** What a maximum may delete: what its search certainly finds. */
function deletedOf([version]: readonly Found[], { resourceIds, recognisesScans }: Omit<SearchedWanted, 'policies'>): Items {
  if (version === undefined) return sql`select null::uuid as source_id, null::text as item_key where false`;
  const inside = version.looksInside ? (['encrypted', 'tooLarge', 'unsupported'] as const) : [];
  return sql`select source_id, item_key from ${version.found} found where item_key not in (
    select item_key from ${unreadItems(resourceIds, recognisesScans)} unread
    union all select item_key from ${unreadableItems(resourceIds, inside)} unreadable)`;
}

/**
 * What policies by search are on in some resources: `source_id`, `item_key`, the policy as `owner_id`, and whether it `deletes` the item or
 * keeps it; whether it may delete at all is for `deletesIn` to say. A search that nobody can read any longer keeps everything and deletes
 * nothing. Undefined when none of the policies is by search.
 */
export async function searchedItems(tx: Tx, { policies, ...wanted }: SearchedWanted): Promise<Items | undefined> {
  const parts: Items[] = [];
  for (const policy of policies.filter(isSearched)) {
    const { policy_id: id } = policy;
    const versions = await versionsOf(tx, policy, wanted.resourceIds);
    const kept = versions === undefined ? everythingIn(wanted.resourceIds) : keptOf(policy, versions, wanted);
    parts.push(sql`select source_id, item_key, ${id}::uuid as owner_id, false as deletes from (${kept}) kept`);
    if (versions === undefined || maximumOf(policy) === null) continue;
    parts.push(sql`select source_id, item_key, ${id}::uuid, true from (${deletedOf(versions, wanted)}) deleted`);
  }
  return parts.length === 0 ? undefined : sql`(${sql.join(parts, sql` union all `)})`;
}

/** Of some messages of an archive those that its search has the maximum of a policy delete; all of the archive without keys. */
export async function searchedToDelete(tx: Tx, wanted: SearchedWanted, keys?: readonly string[]): Promise<ReadonlySet<string>> {
  const items = await searchedItems(tx, wanted);
  if (items === undefined) return new Set();
  const { rows } = await sql<{ item_key: string }>`select distinct item_key from ${items} searched
    where deletes ${keys === undefined ? sql`` : sql`and item_key = any(${[...keys]})`}`.execute(tx);
  return new Set(rows.map((row) => row.item_key));
}

/** Remembers what the search of a policy in force finds: its minimum stays on that. False when nobody can read the search. */
export async function rememberSearched(tx: Tx, policy: PolicyRow, resourceIds: readonly string[]): Promise<boolean> {
  const versions = await versionsOf(tx, policy, resourceIds);
  for (const { found } of versions ?? []) {
    await sql`insert into retention_policy_hits (policy_id, source_id, item_key)
      select ${policy.policy_id}, found.source_id, found.item_key from ${found} found on conflict do nothing`.execute(tx);
  }
  return versions !== undefined;
}
