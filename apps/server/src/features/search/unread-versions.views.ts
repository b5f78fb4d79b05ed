import { sql, type RawBuilder } from 'kysely';
import { searchedKinds } from './searched-kinds.ts';

/**
 * Versions that some sources (a uuid[]) keep and that the index has not read: `source_id`, `item_key`, `from_point`, `to_point` and `at`. Those
 * that `besides` leaves out are not among them; it may ask for everything that a row of the catalog has, as `item`. Grouped and not joined:
 * while an index begins to fill there are no statistics of its size, and a join would compare each with each.
 */
export function unreadVersions(sources: RawBuilder<unknown>, besides = sql`true`): RawBuilder<unknown> {
  return sql`(select source_id, item_key, from_point, max(to_point) as to_point, max(at) as at from (
      select item.source_id, item.item_key, item.from_point, item.to_point, coalesce(item.modified_at, item.created_at) as at, false as is_read
      from catalog_items item
      where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
        and item.source_id = any(${sources}) and item.kind = any(${searchedKinds}) and ${besides}
      union all
      select read.source_id, read.item_key, read.from_point, null, null, true
      from search_items read
      where read.organisation_id = holdfast.organisation() and read.realm = holdfast.realm() and read.source_id = any(${sources})) one
    group by source_id, item_key, from_point having not bool_or(is_read))`;
}

/** The first restore point that shows a version called `unread`, to be joined: a version that none shows is not read. */
export const firstShown = sql`lateral (select sequence from catalog_points point where point.organisation_id = holdfast.organisation()
  and point.realm = holdfast.realm() and point.source_id = unread.source_id and point.sequence >= unread.from_point
  and point.sequence < unread.to_point order by sequence limit 1) shown on true`;
