import { sql, type RawBuilder } from 'kysely';

/**
 * Items and everything that ever was in them: a file that was moved out of a folder stays among them. `named` selects
 * sources, owners and keys of items, and what is found is under the owner that named it. An empty key stands for
 * everything of its source, and leads to nothing else.
 */
export function everBelow(named: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    with recursive below (source_id, owner_id, item_key) as (
      ${named}
      union
      select below.source_id, below.owner_id, item.item_key from below
      join catalog_items item on item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
        and item.source_id = below.source_id and item.parent_key = below.item_key
      where below.item_key <> '')
    select source_id, owner_id, item_key from below)`;
}
