import type { DeletionMention } from '@holdfast/contract/deletions';
import type { SearchHit } from '@holdfast/contract/search';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';

/** What becomes of hits that a deletion lists, by their numbers. */
export async function statesOf(
  tx: Tx,
  deletionId: string,
  hits: readonly SearchHit[],
): Promise<ReadonlyMap<string, Pick<DeletionMention, 'state' | 'keepers'>>> {
  const { rows } = await sql<{ hit_id: string } & Pick<DeletionMention, 'state' | 'keepers'>>`
    select hit.hit_id, (array_agg(listed.state order by listed.state = 'kept' desc))[1] as state,
      coalesce((array_agg(listed.kept_by) filter (where listed.state = 'kept'))[1], '[]'::jsonb) as keepers
    from unnest(${hits.map(({ hitId }) => hitId)}::text[], ${hits.map(({ resource }) => resource.resourceId)}::uuid[],
      ${hits.map(({ nodeId }) => nodeId)}::text[]) hit (hit_id, resource_id, item_key)
    join message_deletion_items listed on listed.deletion_id = ${deletionId} and listed.resource_id = hit.resource_id
      and listed.item_key = hit.item_key group by hit.hit_id`.execute(tx);
  return new Map(rows.map(({ hit_id: hitId, ...state }) => [hitId, state]));
}

/**
 * Takes the items of a selection off the list of a deletion, and with a message its copy in the archive or backup of the same mailbox.
 * Items of some resources stay.
 */
export async function removeListed(
  tx: Tx,
  { deletionId, selectionId, besides }: { readonly deletionId: string; readonly selectionId: string; readonly besides: readonly string[] },
): Promise<void> {
  await sql`
    with chosen as (
      select owner.resource_id, owner.graph_id, owner.tenant_id, owner.kind, picked.item_key, item.content_hash
      from search_selection_items picked
      join search_items item using (organisation_id, realm, source_id, item_key, from_point)
      join catalog_sources source using (organisation_id, realm, source_id)
      join resources owner using (organisation_id, realm, resource_id) where picked.selection_id = ${selectionId}
    ), unlisted as (
      select resource_id, item_key from chosen
      union
      select archive.resource_id, chosen.content_hash from chosen
      join resources archive on archive.kind = 'archive' and (archive.tenant_id, archive.graph_id) = (chosen.tenant_id, chosen.graph_id) where chosen.kind = 'mailbox'
      union
      select mailbox.resource_id, same.item_key from chosen
      join resources mailbox on mailbox.kind = 'mailbox' and (mailbox.tenant_id, mailbox.graph_id) = (chosen.tenant_id, chosen.graph_id)
      join catalog_sources source on source.organisation_id = mailbox.organisation_id and source.realm = mailbox.realm
        and source.resource_id = mailbox.resource_id
      join search_items same on same.organisation_id = source.organisation_id and same.realm = source.realm
        and same.source_id = source.source_id and same.content_hash = chosen.item_key
      where chosen.kind = 'archive')
    delete from message_deletion_items listed using unlisted
    where listed.deletion_id = ${deletionId} and listed.resource_id = unlisted.resource_id and listed.item_key = unlisted.item_key
      and not listed.resource_id = any(${[...besides]}::uuid[])`.execute(tx);
}
