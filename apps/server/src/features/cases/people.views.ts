import type { CasePerson } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, pageFrom, type PageWindow } from '../../http/paging.ts';
import { keptPeople } from '../marks/index.ts';

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
