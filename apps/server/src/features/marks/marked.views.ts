import { sql, type RawBuilder } from 'kysely';
import { everBelow } from '../../storage/index.ts';
import { guardedItems, isOfItems } from './held-items.views.ts';
import { isUnderMinimum } from './policy-archives.views.ts';

type Sql = RawBuilder<unknown>;

/** A condition on the version of an item of the alias `item`, which has a `source_id`, an `item_key` and a `from_point`. */
type Condition = RawBuilder<unknown>;

const ids = (of: readonly string[]): Sql => sql`any(${[...of]}::uuid[])`;
const ours = (alias: string): Sql =>
  sql`${sql.ref(`${alias}.organisation_id`)} = holdfast.organisation() and ${sql.ref(`${alias}.realm`)} = holdfast.realm()`;
const itemOf = sql`(item.source_id, item.item_key)`;

/**
 * Whether one of these holds guards the version. Holds on resources and periods guard the points made in the period, the one before it and
 * the one after it; those on files and folders everything that ever was in them; those by search what they have found.
 */
export function isHeld(holdIds: readonly string[]): Condition {
  const span = sql`select source.organisation_id, source.realm, source.source_id, hold.from_at, hold.to_at,
      coalesce(max(point.sequence) filter (where point.committed_at < hold.from_at), min(point.sequence)) as low,
      coalesce(min(point.sequence) filter (where point.committed_at > hold.to_at), max(point.sequence)) as high
    from holds hold
    join resources resource on resource.organisation_id = hold.organisation_id and resource.realm = hold.realm
      and resource.tenant_id = hold.tenant_id and (hold.resource_id is null or resource.resource_id = hold.resource_id)
    join catalog_sources source on source.organisation_id = resource.organisation_id and source.realm = resource.realm
      and source.resource_id = resource.resource_id
    join catalog_points point on point.organisation_id = source.organisation_id and point.realm = source.realm
      and point.source_id = source.source_id
    where ${ours('hold')} and hold.hold_id = ${ids(holdIds)} and not ${isOfItems}
    group by source.organisation_id, source.realm, source.source_id, hold.hold_id, hold.from_at, hold.to_at`;
  const byPlace = sql`(item.source_id, item.item_key, item.from_point) in (select version.source_id, version.item_key, version.from_point
    from (${span}) span join catalog_items version on version.organisation_id = span.organisation_id and version.realm = span.realm
      and version.source_id = span.source_id and version.from_point <= span.high and version.to_point > span.low)`;
  const named = guardedItems(sql`hold.hold_id = ${ids(holdIds)}`);
  return sql`(${byPlace} or ${itemOf} in (select source_id, item_key from ${named} guarded))`;
}

/**
 * Whether one of these policies is on the item: messages of the archives that it is on, or files of its places, or what its search has found, whatever
 * their age is.
 */
export function isUnderPolicy(policyIds: readonly string[]): Condition {
  const archives = sql`select source.source_id from retention_policies policy
    join resources resource on resource.organisation_id = policy.organisation_id and resource.realm = policy.realm
      and resource.tenant_id = policy.tenant_id and resource.kind = 'archive'
    join catalog_sources source on source.organisation_id = resource.organisation_id and source.realm = resource.realm
      and source.resource_id = resource.resource_id
    where ${ours('policy')} and policy.policy_id = ${ids(policyIds)} and policy.about = 'messages'
      and (policy.is_everything or ${isUnderMinimum})`;
  const places = everBelow(sql`select source.source_id, place.policy_id, place.item_key from retention_policy_places place
    join catalog_sources source using (organisation_id, realm, resource_id) where ${ours('place')} and place.policy_id = ${ids(policyIds)}`);
  return sql`(item.source_id in (${archives})
    or item.source_id in (select source_id from ${places} whole where whole.item_key = '')
    or ${itemOf} in (select source_id, item_key from ${places} placed)
    or ${itemOf} in (select hit.source_id, hit.item_key from retention_policy_hits hit where ${ours('hit')} and hit.policy_id = ${ids(policyIds)}))`;
}

/** What a case is about: what its custodians have, in its period; see `resourceIdsOf`. */
interface CaseGround {
  readonly caseId: string;
  readonly resourceIds: readonly string[];
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Versions in review sets: the frozen one, and others with the very same bytes. */
function reviewed(where: Sql): Condition {
  const copies = sql`review_items copy where ${ours('copy')} and ${where}`;
  return sql`((item.source_id, item.item_key, item.from_point) in (select copy.source_id, copy.item_key, copy.from_point from ${copies})
    or (item.source_id, item.item_key, item.content_hash) in (select copy.source_id, copy.item_key, copy.content_hash from ${copies}))`;
}

/** Whether the item belongs to the case: to what it is about, to its files and folders, or to one of its review sets. The alias `item` has a time. */
export function isInCase({ caseId, resourceIds, from, to }: CaseGround): Condition {
  const files = everBelow(sql`select source.source_id, file.case_id, file.item_key from case_files file
    join catalog_sources source using (organisation_id, realm, resource_id) where ${ours('file')} and file.case_id = ${caseId}`);
  return sql`(item.source_id in (select source.source_id from catalog_sources source where ${ours('source')}
        and source.resource_id = ${ids(resourceIds)})
      and (${from}::timestamptz is null or item.at >= ${from}) and (${to}::timestamptz is null or item.at <= ${to})
    or ${itemOf} in (select source_id, item_key from ${files} filed)
    or ${reviewed(sql`copy.set_id in (select owned.set_id from review_sets owned where ${ours('owned')} and owned.case_id = ${caseId})`)})`;
}

/** Whether a reviewer has put one of these tags on it, or on a copy of it: the first copy carries what is decided of all. */
export function isTagged(tagIds: readonly string[]): Condition {
  return reviewed(sql`exists (select from review_tags given where given.organisation_id = copy.organisation_id and given.realm = copy.realm
    and given.set_id = copy.set_id and given.position = copy.copy_of and given.tag_id = ${ids(tagIds)})`);
}

/** Whether one of these notes is on it, or on a copy of it. */
export function isNoted(noteIds: readonly string[]): Condition {
  return reviewed(sql`exists (select from review_notes note where note.organisation_id = copy.organisation_id and note.realm = copy.realm
    and note.set_id = copy.set_id and note.position = copy.copy_of and note.note_id = ${ids(noteIds)})`);
}
