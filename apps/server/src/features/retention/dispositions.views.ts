import type { Disposition } from '@holdfast/contract/dispositions';
import type { Page } from '@holdfast/contract/paging';
import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, pageFrom, type PageWindow } from '../../http/paging.ts';

export interface DispositionsWanted {
  readonly tenantId: string;
  readonly accountId: string;
  readonly policyId?: string | undefined;
  readonly search?: string | undefined;
  readonly isNewestFirst: boolean;
}

type Row = Omit<Disposition, 'receivedAt' | 'since'> & { readonly receivedAt: Date | null; readonly since: Date };

/** What waits under the policies that delete now: a policy that has ended or was stopped asks nobody any longer. */
function waiting({ tenantId, policyId, search }: DispositionsWanted): RawBuilder<unknown> {
  const parts = [
    sql`policy.tenant_id = ${tenantId} and policy.activated_at is not null and policy.ended_at is null and policy.stopped_at is null`,
  ];
  if (policyId !== undefined) parts.push(sql`policy.policy_id = ${policyId}`);
  if (search !== undefined) parts.push(sql`(mailbox.name ilike ${likePattern(search)} or mailbox.address ilike ${likePattern(search)})`);
  return sql`disposition_items item join retention_policies policy using (organisation_id, realm, policy_id)
    join resources mailbox using (organisation_id, realm, resource_id)
    cross join lateral (select max(kept.modified_at) over () as received_at, max(kept.size_bytes) over () as size_bytes,
        source.location_id, source.source_id,
        (select max(sequence) from catalog_points point where point.source_id = source.source_id) as sequence
      from catalog_sources source join catalog_items kept on kept.organisation_id = source.organisation_id and kept.realm = source.realm
        and kept.source_id = source.source_id and kept.item_key = item.message_id and kept.to_point = ${FOREVER}
      where source.organisation_id = item.organisation_id and source.realm = item.realm and source.resource_id = item.resource_id
      order by source.source_id limit 1) message
    where item.state = 'open' and ${sql.join(parts, sql` and `)}`;
}

/** A page of messages that wait for reviewers. */
export async function dispositionsPage(tx: Tx, wanted: DispositionsWanted, window: PageWindow): Promise<Page<Disposition>> {
  const decided = sql`disposition_decisions said where said.policy_id = item.policy_id and said.resource_id = item.resource_id
    and said.message_id = item.message_id and said.round = item.round`;
  const { rows } = await sql<Row>`
    select policy.policy_id as "policyId", policy.name as "policyName", mailbox.resource_id as "mailboxId",
      coalesce(nullif(mailbox.name, ''), mailbox.address) as "mailboxName", item.message_id as "messageId",
      message.location_id as "locationId", message.source_id as "sourceId", message.sequence, message.received_at as "receivedAt", message.size_bytes as "sizeBytes", item.stage::int as stage,
      jsonb_array_length(policy.stages) as stages, item.since,
      (policy.stages -> (item.stage - 1) ? ${wanted.accountId}
        and not exists (select from ${decided} and said.decided_by = ${wanted.accountId}::uuid)) as "mayDecide",
      array(select account.email from accounts account where policy.stages -> (item.stage - 1) ? account.id::text order by account.email) as reviewers,
      (select coalesce(json_agg(json_build_object('stage', said.stage, 'by', said.decider, 'reason', said.reason,
        'at', to_char(said.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by said.stage), '[]') from ${decided}) as before
    from ${waiting(wanted)}
    order by item.since ${wanted.isNewestFirst ? sql`desc` : sql`asc`}, item.resource_id, item.message_id
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${waiting(wanted)}`.execute(tx);
  const items = rows.map(({ receivedAt, since, ...row }) => ({
    ...row,
    receivedAt: receivedAt?.toISOString() ?? null,
    since: since.toISOString(),
  }));
  return pageFrom(items, counted.rows[0]?.total ?? 0, window);
}
