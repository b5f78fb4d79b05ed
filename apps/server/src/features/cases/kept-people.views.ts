import type { CasePerson } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, pageFrom, type PageWindow } from '../../http/paging.ts';

/**
 * One row for each resource of each person: `key` is `u:` and the id in Microsoft 365, or `a:` and the address where no id is
 * known. A archive is that of a mailbox, even where the mailbox was never backed up. A
 * OneDrive belongs to everybody who has its address; a chat to everybody who was a member in any version of it.
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

const people = (tenantId: string): RawBuilder<unknown> => sql`(
  select key, coalesce((array_agg(name order by rank, name) filter (where name <> ''))[1], key) as name,
    coalesce((array_agg(address order by rank, address) filter (where address <> ''))[1], '') as address,
    string_agg(lower(name) || ' ' || address, ' ') as words,
    count(distinct resource_id) filter (where kind = 'mailbox')::bigint as mailboxes,
    count(distinct resource_id) filter (where kind = 'drive')::bigint as drives,
    count(distinct resource_id) filter (where kind = 'chat')::bigint as chats,
    count(distinct resource_id) filter (where kind = 'archive')::bigint as archives
  from ${keptPeople(tenantId)} kept group by key)`;

/** Everybody who has something in the backups, by name. */
export async function peoplePage(
  tx: Tx,
  tenantId: string,
  query: { readonly search?: string | undefined; readonly window: PageWindow },
): Promise<Page<CasePerson>> {
  const { search = '', window } = query;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean).map(likePattern);
  const { rows } = await sql<CasePerson & { total: number }>`
    select key, name, address, mailboxes, drives, chats, archives, count(*) over ()::bigint as total from ${people(tenantId)} person
    where words like all(${words}::text[]) order by lower(name), key limit ${window.limit} offset ${window.offset}`.execute(tx);
  const items = rows.map(({ total: _total, ...person }) => person);
  return pageFrom(items, rows[0]?.total ?? 0, window);
}

/** These people, as far as they are known. */
export async function peopleByKey(tx: Tx, tenantId: string, keys: readonly string[]): Promise<readonly CasePerson[]> {
  const { rows } = await sql<CasePerson>`
    select key, name, address, mailboxes, drives, chats, archives from ${people(tenantId)} person where key = any(${[...keys]})`.execute(
    tx,
  );
  return rows;
}
