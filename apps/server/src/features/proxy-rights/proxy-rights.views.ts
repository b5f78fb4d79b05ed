import { openApprovalStatuses } from '@holdfast/contract/approvals';
import type { Page } from '@holdfast/contract/paging';
import type { ProxyAccount, proxyAccountsQuery, ProxyRight, proxyRightsQuery } from '@holdfast/contract/proxy-rights';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';

type Sql = RawBuilder<unknown>;
type RightRow = Selectable<OrganisationTables['proxy_rights']> & {
  readonly state: ProxyRight['state'];
  readonly private_access: ProxyRight['includesPrivate'];
  readonly people: number;
  readonly mailboxes: number;
  readonly synchronised_at: Date | null;
};

export type ProxyRightsQuery = z.output<typeof proxyRightsQuery>;
export type ProxyAccountsQuery = z.output<typeof proxyAccountsQuery>;

/** Whether a right reaches a resource: its own, that of somebody it names, or any. A drive has no id of its owner, only an address. */
export const reaches: Sql = sql`(granted.target_kind = 'everyone' or resource.graph_id = granted.target_id or exists (
  select from proxy_people person where person.organisation_id = granted.organisation_id and person.realm = granted.realm
    and person.tenant_id = granted.tenant_id and person.party_id = granted.target_id
    and (granted.target_kind = 'account' or person.gone_at is null)
    and (resource.graph_id = person.person_id
      or (resource.kind = 'drive' and lower(resource.address) = any(person.addresses)))))`;

/** Whether a resource belongs to somebody who is exempt: neither a role nor a proxy right opens it. */
export const isExempt: Sql = sql`exists (select from proxy_exemptions exempt where exempt.organisation_id = resource.organisation_id
  and exempt.realm = resource.realm and exempt.tenant_id = resource.tenant_id and exempt.ended_at is null
  and (resource.graph_id = exempt.party_id or exists (
    select from proxy_people person where person.organisation_id = exempt.organisation_id and person.realm = exempt.realm
      and person.tenant_id = exempt.tenant_id and person.party_id = exempt.party_id
      and (exempt.party_kind = 'account' or person.gone_at is null)
      and (resource.graph_id = person.person_id
        or (resource.kind = 'drive' and lower(resource.address) = any(person.addresses))))))`;

/** Somebody who holds a right now: the account itself, or a member of the group as last synchronised. */
export const holdsNow: Sql = sql`holding.organisation_id = granted.organisation_id and holding.realm = granted.realm
  and holding.tenant_id = granted.tenant_id and holding.party_id = granted.holder_id and holding.gone_at is null`;

function shown(tenantId: string, at: Date): Sql {
  return sql`(select granted.*, case when granted.removed_at is not null then 'removed' when granted.access_to <= ${at} then 'expired'
        when granted.access_from > ${at} then 'upcoming' else 'active' end as state,
      case when granted.includes_private then 'yes' when exists (select from approvals asked where asked.kind = 'privateAccess'
        and asked.subject_id::text = granted.proxy_right_id::text and asked.status = any(${[...openApprovalStatuses]}::text[])) then 'waiting' else 'no' end as private_access,
      (select count(*) from proxy_people holding where ${holdsNow})::int as people,
      (select count(*) from resources resource where resource.organisation_id = granted.organisation_id
        and resource.realm = granted.realm and resource.tenant_id = granted.tenant_id
        and resource.kind = 'mailbox' and ${reaches} and not ${isExempt})::int as mailboxes,
      (select min(party.synchronised_at) from proxy_parties party where party.organisation_id = granted.organisation_id
        and party.realm = granted.realm and party.tenant_id = granted.tenant_id
        and party.party_id in (granted.holder_id, granted.target_id)) as synchronised_at
    from proxy_rights granted where granted.tenant_id = ${tenantId})`;
}

function viewOf(row: RightRow): ProxyRight {
  return {
    proxyRightId: row.proxy_right_id,
    state: row.state,
    holder: { kind: row.holder_kind, id: row.holder_id, name: row.holder_name, address: row.holder_address },
    target: { kind: row.target_kind, id: row.target_id, name: row.target_name, address: row.target_address },
    may: row.may,
    mailFrom: row.mail_from?.toISOString() ?? null,
    mailTo: row.mail_to?.toISOString() ?? null,
    accessFrom: row.access_from.toISOString(),
    accessTo: row.access_to.toISOString(),
    purpose: row.purpose,
    granter: row.granter,
    grantedAt: row.granted_at.toISOString(),
    remover: row.remover,
    removedAt: row.removed_at?.toISOString() ?? null,
    includesPrivate: row.private_access,
    people: row.people,
    mailboxes: row.mailboxes,
    synchronisedAt: row.synchronised_at?.toISOString() ?? null,
  };
}

const COLUMNS = {
  holder: sql`holder_name`,
  target: sql`target_name`,
  accessFrom: sql`access_from`,
  accessTo: sql`access_to`,
  grantedAt: sql`granted_at`,
};

function conditionOf({ state, holderId, search }: Pick<ProxyRightsQuery, 'state' | 'holderId' | 'search'>): Sql {
  const pattern = likePattern(search ?? '');
  return sql`(${state ?? null}::text is null or state = ${state ?? null}) and (${holderId ?? null}::text is null or holder_id = ${holderId ?? null})
    and (holder_name || ' ' || holder_address || ' ' || target_name || ' ' || target_address || ' ' || purpose) ilike ${pattern}`;
}

export async function listProxyRights(tx: Tx, tenantId: string, query: ProxyRightsQuery, at: Date): Promise<Page<ProxyRight>> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof COLUMNS>(query.sort, { column: 'grantedAt', isDescending: true });
  const direction = isDescending ? sql`desc` : sql`asc`;
  const { rows } = await sql<RightRow & { total: number }>`
    select *, count(*) over ()::int as total from ${shown(tenantId, at)} one where ${conditionOf(query)}
    order by ${COLUMNS[column]} ${direction}, proxy_right_id limit ${window.limit} offset ${window.offset}`.execute(tx);
  return pageFrom(rows.map(viewOf), rows[0]?.total ?? window.offset, window);
}

export async function readProxyRight(tx: Tx, tenantId: string, proxyRightId: string, at: Date): Promise<ProxyRight | undefined> {
  const { rows } = await sql<RightRow>`select * from ${shown(tenantId, at)} one where proxy_right_id = ${proxyRightId}`.execute(tx);
  return rows[0] && viewOf(rows[0]);
}

/** Who holds rights that have not ended. */
export async function listProxyAccounts(tx: Tx, tenantId: string, query: ProxyAccountsQuery, at: Date): Promise<Page<ProxyAccount>> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<'holder' | 'rights' | 'accessTo'>(query.sort, { column: 'holder', isDescending: false });
  const direction = isDescending ? sql`desc` : sql`asc`;
  const by = { holder: sql`name`, rights: sql`rights`, accessTo: sql`access_to` }[column];
  const { rows } = await sql<{
    kind: ProxyAccount['holder']['kind'];
    id: string;
    name: string;
    address: string;
    rights: number;
    access_to: Date;
    total: number;
  }>`
    select *, count(*) over ()::int as total from (
      select holder_kind as kind, holder_id as id, max(holder_name) as name, max(holder_address) as address, count(*)::int as rights,
        max(access_to) as access_to
      from proxy_rights where tenant_id = ${tenantId} and removed_at is null and access_to > ${at} group by holder_kind, holder_id) one
    where (name || ' ' || address) ilike ${likePattern(query.search ?? '')}
    order by ${by} ${direction}, id limit ${window.limit} offset ${window.offset}`.execute(tx);
  const items = rows.map(({ kind, id, name, address, rights, access_to: accessTo }) => ({
    holder: { kind, id, name, address },
    rights,
    accessTo: accessTo.toISOString(),
  }));
  return pageFrom(items, rows[0]?.total ?? window.offset, window);
}
