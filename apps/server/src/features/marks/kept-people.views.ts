import { sql, type RawBuilder } from 'kysely';

/**
 * One row for each resource of each person: `key` is `u:` and the id in Microsoft 365, or `a:` and the address where no id is
 * known. An archive is that of a mailbox, even where the mailbox was never backed up. A OneDrive belongs to everybody who has
 * its address; a chat to everybody who was a member in any version of it.
 */
export function keptPeople(tenantId: string): RawBuilder<unknown> {
  return sql`(with named as (
      select 'u:' || graph_id as key, lower(address) as address, name, resource_id, kind, 0 as rank
      from resources where tenant_id = ${tenantId} and kind in ('mailbox', 'archive')
      union
      select 'u:' || (member ->> 'userId'), lower(coalesce(member ->> 'email', '')), coalesce(member ->> 'displayName', ''),
        chat.resource_id, chat.kind, 1
      from resources chat
      join catalog_sources source using (organisation_id, realm, resource_id)
      join catalog_items item on item.organisation_id = source.organisation_id and item.realm = source.realm
        and item.source_id = source.source_id and item.item_key = 'chat:' || chat.graph_id
      cross join lateral json_array_elements(case json_typeof(item.detail -> 'properties' -> 'members')
        when 'array' then item.detail -> 'properties' -> 'members' else '[]' end) member
      where chat.tenant_id = ${tenantId} and chat.kind = 'chat' and member::text not like '%\\u0000%' and member ->> 'userId' <> ''
    )
    select key, address, name, resource_id, kind, rank from named
    union all
    select coalesce(owner.key, 'a:' || lower(drive.address)), lower(drive.address), drive.name, drive.resource_id, drive.kind, 2
    from resources drive
    left join (select distinct key, address from named where address <> '') owner on owner.address = lower(drive.address)
    where drive.tenant_id = ${tenantId} and drive.kind = 'drive' and drive.workload = 'onedrive' and drive.address <> '')`;
}
