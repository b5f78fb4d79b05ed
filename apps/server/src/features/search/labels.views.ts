import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';

/** A sensitivity label that something carries, and how many items do. */
export interface FoundLabel {
  readonly labelId: string;
  readonly name: string;
  readonly items: number;
}

/** Mail brings the labels of other organisations along: those that most items carry come first, and the others are named. */
const MOST = 500;

/** The labels that mails and files of a tenant carry, those of the most items first, each under the name that it has most often. */
export async function foundLabels(tx: Tx, tenantId: string): Promise<readonly FoundLabel[]> {
  const { rows } = await sql<FoundLabel>`
    with named as (
      select label.label_id, label.name, count(distinct (item.source_id, item.item_key)) as items
      from catalog_sources source
      join resources resource using (organisation_id, realm, resource_id)
      join search_items item using (organisation_id, realm, source_id)
      join search_labels label using (organisation_id, realm, item_no)
      where resource.tenant_id = ${tenantId} group by label.label_id, label.name)
    select label_id as "labelId", (array_agg(name order by name = '', items desc, name))[1] as name, sum(items)::bigint as items
    from named group by label_id order by 3 desc, 2, 1 limit ${MOST}`.execute(tx);
  return rows;
}

/** The GUIDs of the labels that mails and files of a tenant carry under a name, whatever its case. */
export async function labelIdsOf(tx: Tx, tenantId: string, name: string): Promise<readonly string[]> {
  const { rows } = await sql<{ label_id: string }>`
    select distinct label.label_id from search_labels label
    join search_items item using (organisation_id, realm, item_no)
    join catalog_sources source using (organisation_id, realm, source_id)
    join resources resource using (organisation_id, realm, resource_id)
    where resource.tenant_id = ${tenantId} and lower(label.name) = lower(${name}) order by 1`.execute(tx);
  return rows.map((row) => row.label_id);
}

const labelled = (resourceIds: readonly string[], labelIds: readonly string[]): RawBuilder<unknown> => sql`catalog_sources source
  join search_items item using (organisation_id, realm, source_id)
  join search_labels label using (organisation_id, realm, item_no)
  where source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm()
    and source.resource_id = any(${[...resourceIds]}::uuid[]) and label.label_id = any(${[...labelIds]})`;

/** Sources and keys of what has carried one of some labels in any version that is kept, and when it was set, where somebody wrote it down. */
export function labelledItems(resourceIds: readonly string[], labelIds: readonly string[]): RawBuilder<unknown> {
  return sql`(select item.source_id, item.item_key, label.set_at from ${labelled(resourceIds, labelIds)})`;
}

/** Sources and keys of what carries one of some labels in its newest version. */
export function labelledNow(resourceIds: readonly string[], labelIds: readonly string[]): RawBuilder<unknown> {
  return sql`(select item.source_id, item.item_key from ${labelled(resourceIds, labelIds)}
    and exists (select from catalog_items newest where newest.organisation_id = item.organisation_id and newest.realm = item.realm
      and newest.source_id = item.source_id and newest.item_key = item.item_key and newest.from_point = item.from_point
      and newest.to_point = ${FOREVER}))`;
}

/** Sources and keys of mails and files that were read without anybody being able to tell their labels. */
export function itemsOfUnknownLabels(resourceIds: readonly string[]): RawBuilder<unknown> {
  return sql`(select item.source_id, item.item_key from catalog_sources source
    join search_items item using (organisation_id, realm, source_id)
    where source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm()
      and source.resource_id = any(${[...resourceIds]}::uuid[]) and not item.labels_known and item.kind in ('email', 'docs'))`;
}
