import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';

type Sql = RawBuilder<unknown>;

/** Mailboxes and their archives, of whose owner a mark is. */
const whose = sql`join resources whose on whose.organisation_id = hidden.organisation_id and whose.realm = hidden.realm
  and whose.tenant_id = hidden.tenant_id and whose.graph_id = hidden.graph_id and whose.kind in ('mailbox', 'archive')`;
const ours = sql`hidden.organisation_id = holdfast.organisation() and hidden.realm = holdfast.realm()`;

/** Whether the alias `item`, which has a `source_id`, is a message that the owner of its mailbox has marked as private. */
export function isPrivate(original: Sql): Sql {
  return sql`exists (select from private_messages hidden ${whose}
    join catalog_sources place on place.organisation_id = whose.organisation_id and place.realm = whose.realm and place.resource_id = whose.resource_id
    where ${ours} and hidden.message_id = ${original} and place.source_id = item.source_id)`;
}

/** Whether anybody has marked anything: without it nothing has to be asked of each item. */
export async function isAnythingPrivate(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('private_messages').select('message_id').limit(1).executeTakeFirst()) !== undefined;
}

/** Whether a private message is among these items of a resource. A folder, like the whole of a mailbox, has what is in it. */
export async function holdsPrivate(tx: Tx, resourceId: string, items: 'all' | readonly string[]): Promise<boolean> {
  const { rows: marked } = await sql<{ message_id: string }>`
    select hidden.message_id from private_messages hidden ${whose} where ${ours} and whose.resource_id = ${resourceId}`.execute(tx);
  if (items === 'all' || marked.length === 0) return marked.length > 0;
  const { rows } = await sql`
    select from catalog_items item join catalog_sources source using (organisation_id, realm, source_id)
    where source.resource_id = ${resourceId} and item.item_key = any(${[...items]}::text[])
      and (item.is_container or exists (select from json_array_elements(item.detail -> 'contents') content
        where content ->> 'role' = 'mime' and content #>> '{ref,sha256}' = any(${marked.map((one) => one.message_id)}::text[])))
    limit 1`.execute(tx);
  return rows.length > 0;
}
