import { FOREVER } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';

/**
 * Whether Microsoft 365 no longer has an item, by an alias that has the columns of `search_items`. Archives never let go
 * of anything, so that the mailbox of an archived message is asked, where a backup knows it: it is gone when none of the
 * current messages has its bytes.
 */
export function isGone(alias: string): RawBuilder<unknown> {
  const item = sql.raw(alias);
  const scope = (other: string) => sql.raw(`${other}.organisation_id = ${alias}.organisation_id and ${other}.realm = ${alias}.realm`);
  return sql`(case when exists (select from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
      where ${scope('source')} and source.source_id = ${item}.source_id and resource.kind = 'archive')
    then exists (select from ${mailboxOf(alias)} mailbox) and not exists (
      select from ${mailboxOf(alias)} mailbox
      join search_items copy on ${scope('copy')} and copy.source_id = mailbox.source_id and copy.content_hash = ${item}.content_hash
      join catalog_items version on ${scope('version')} and version.source_id = copy.source_id and version.item_key = copy.item_key
        and version.from_point = copy.from_point
      where version.to_point = ${FOREVER})
    else not exists (select from catalog_items version where ${scope('version')} and version.source_id = ${item}.source_id
      and version.item_key = ${item}.item_key and version.to_point = ${FOREVER}) end)`;
}

/** The backups of the mailbox that an item of an archive is of. */
function mailboxOf(alias: string): RawBuilder<unknown> {
  const item = sql.raw(alias);
  return sql`(select kept.source_id from catalog_sources archived
    join resources archive using (organisation_id, realm, resource_id)
    join resources mailbox on mailbox.organisation_id = archive.organisation_id and mailbox.realm = archive.realm
      and mailbox.tenant_id = archive.tenant_id and mailbox.graph_id = archive.graph_id and mailbox.kind = 'mailbox'
    join catalog_sources kept on kept.organisation_id = mailbox.organisation_id and kept.realm = mailbox.realm
      and kept.resource_id = mailbox.resource_id and kept.points > 0
    where archived.organisation_id = ${item}.organisation_id and archived.realm = ${item}.realm
      and archived.source_id = ${item}.source_id)`;
}
