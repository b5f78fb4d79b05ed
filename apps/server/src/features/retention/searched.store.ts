import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { databaseNow } from '../../platform/database-now.views.ts';
import {
  itemsOfUnknownLabels,
  labelledItems,
  labelledNow,
  readSearchVersions,
  unreadableItems,
  unreadItems,
  type SearchVersion,
} from '../search/index.ts';
import { hasLabels, isSearched, maximumOf, type PolicyRow } from './policy-row.ts';

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

/** Sources and keys that a policy by search or label keeps, with `labelled_at` where it goes by labels, and those that it may delete. */
interface Reach {
  readonly kept: Items;
  readonly deleted: Items;
}

/** What a policy keeps: what its search has ever found, what it finds, and what nobody knows of yet. */
function keptOf({ policy_id: policyId }: PolicyRow, versions: readonly Found[], wanted: Omit<SearchedWanted, 'policies'>): Items {
  const { resourceIds, recognisesScans } = wanted;
  const inside = versions.some(({ looksInside }) => looksInside) ? (['encrypted', 'tooLarge'] as const) : [];
  const none = sql`null::timestamptz as labelled_at`;
  return sql`select source_id, item_key, ${none} from (${sql.join(
    versions.map(({ found }) => sql`select source_id, item_key from ${found} found`),
    sql` union all `,
  )}
    union all select source_id, item_key from retention_policy_hits where policy_id = ${policyId}
    union all select source_id, item_key from ${unreadItems(resourceIds, recognisesScans)} unread
    union all select source_id, item_key from ${unreadableItems(resourceIds, inside)} unreadable) searched`;
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
 * What a policy by label is on: it keeps what carries one of its labels in any version, what has ever done so while it was in force, and what
 * nobody knows the labels of; it may delete what carries one in its newest version.
 */
function byLabels({ policy_id: policyId, labels }: PolicyRow, resourceIds: readonly string[]): Reach {
  const labelIds = labels.map(({ labelId }) => labelId);
  const unknown = sql`select source_id, item_key from ${unreadItems(resourceIds, false)} unread
    union all select source_id, item_key from ${itemsOfUnknownLabels(resourceIds)} unknown`;
  return {
    kept: sql`select source_id, item_key, coalesce(set_at, '-infinity'::timestamptz) as labelled_at from ${labelledItems(resourceIds, labelIds)} labelled
      union all select source_id, item_key, '-infinity' from retention_policy_hits where policy_id = ${policyId}
      union all select source_id, item_key, 'infinity' from (${unknown}) unknown`,
    deleted: sql`select source_id, item_key from ${labelledNow(resourceIds, labelIds)} labelled
      where item_key not in (select item_key from (${unknown}) unknown)`,
  };
}

/** What a policy by search is on. A search that nobody can read any longer keeps everything and deletes nothing. */
async function bySearch(tx: Tx, policy: PolicyRow, wanted: Omit<SearchedWanted, 'policies'>): Promise<Reach> {
  const versions = await versionsOf(tx, policy, wanted.resourceIds);
  if (versions !== undefined) return { kept: keptOf(policy, versions, wanted), deleted: deletedOf(versions, wanted) };
  const everything = sql`select source_id, item_key, null::timestamptz as labelled_at from (${everythingIn(wanted.resourceIds)}) everything`;
  return { kept: everything, deleted: deletedOf([], wanted) };
}

/**
 * What policies by search or label are on in some resources: `source_id`, `item_key`, the policy as `owner_id`, and whether it `deletes` the
 * item or keeps it; whether it may delete at all is for `deletesIn` to say. `labelled_at` is when the label of a policy by label was set:
 * `-infinity` where nobody wrote it down, `infinity` while nobody knows the labels. Undefined when none of the policies is by search or label.
 */
export async function searchedItems(tx: Tx, { policies, ...wanted }: SearchedWanted): Promise<Items | undefined> {
  const parts: Items[] = [];
  for (const policy of policies.filter(isSearched)) {
    const { policy_id: id } = policy;
    const { kept, deleted } = hasLabels(policy) ? byLabels(policy, wanted.resourceIds) : await bySearch(tx, policy, wanted);
    parts.push(sql`select source_id, item_key, ${id}::uuid as owner_id, false as deletes, labelled_at from (${kept}) kept`);
    if (maximumOf(policy) === null) continue;
    parts.push(sql`select source_id, item_key, ${id}::uuid, true, null::timestamptz from (${deleted}) deleted`);
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

/** Remembers what the search or the labels of a policy in force find: its minimum stays on that. False when nobody can read the search. */
export async function rememberSearched(tx: Tx, policy: PolicyRow, resourceIds: readonly string[]): Promise<boolean> {
  const labelIds = policy.labels.map(({ labelId }) => labelId);
  const versions = hasLabels(policy) ? [{ found: labelledItems(resourceIds, labelIds) }] : await versionsOf(tx, policy, resourceIds);
  for (const { found } of versions ?? []) {
    await sql`insert into retention_policy_hits (policy_id, source_id, item_key)
      select ${policy.policy_id}, found.source_id, found.item_key from ${found} found
      on conflict do nothing`.execute(tx);
  }
  return versions !== undefined;
}
