import type { RetentionDeed, retentionDeedsQuery } from '@holdfast/contract/retention';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';

type DeedRow = Omit<RetentionDeed, 'startedAt' | 'endedAt'> & { readonly startedAt: Date; readonly endedAt: Date | null };

/** Requests for the activation or the end of a policy, from their approvals: the newest figures of a policy are not those that were decided on. */
const requests = (tenantId: string): RawBuilder<unknown> => sql`
  select approval.approval_id as "deedId", case approval.kind when 'retentionPolicy' then 'activation' else 'end' end as kind,
    approval.status as state, approval.subject_name as name, policy.about, approval.requested_at as "startedAt", approval.decided_at as "endedAt",
    approval.requester as "startedBy", approval.decider as "decidedBy", (approval.details ->> 'messages')::bigint as messages,
    (approval.details ->> 'size')::bigint as bytes
  from approvals approval left join retention_policies policy on policy.organisation_id = approval.organisation_id
    and policy.realm = approval.realm and policy.policy_id = approval.subject_id
  where approval.tenant_id = ${tenantId} and approval.kind in ('retentionPolicy', 'retentionEnd')`;

/** The last preview of each policy: earlier ones are not kept. */
const previews = (tenantId: string): RawBuilder<unknown> => sql`
  select policy_id, 'preview', 'done', name, about, previewed_at, previewed_at, previewer, null,
    (preview -> 'kept' ->> 'messages')::bigint, (preview -> 'kept' ->> 'bytes')::bigint
  from retention_policies where tenant_id = ${tenantId} and previewed_at is not null`;

const events = (tenantId: string): RawBuilder<unknown> => sql`
  select event.event_id, 'event', 'done', resource.name, case when resource.kind in ('drive', 'site') then 'files' else 'messages' end,
    event.recorded_at, event.recorded_at, event.recorder, null, null::bigint, null::bigint
  from retention_events event join resources resource on resource.organisation_id = event.organisation_id and resource.realm = event.realm
    and resource.resource_id = event.resource_id
  where event.tenant_id = ${tenantId}`;

const orders = { startedAt: '"startedAt"', name: 'lower(name)' } as const;

/** Lists what people did with the policies of a tenant, the newest first. */
export async function deedsPage(tx: Tx, tenantId: string, query: z.output<typeof retentionDeedsQuery>): Promise<Page<RetentionDeed>> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof orders>(query.sort, { column: 'startedAt', isDescending: true });
  const parts = [sql`true`];
  if (query.kind !== undefined) parts.push(sql`kind = ${query.kind}`);
  if (query.search !== undefined) parts.push(sql`name ilike ${likePattern(query.search)}`);
  const from = sql`(${requests(tenantId)} union all ${previews(tenantId)} union all ${events(tenantId)}) deed
    where ${sql.join(parts, sql` and `)}`;
  const { rows } = await sql<DeedRow>`select * from ${from}
    order by ${sql.raw(`${orders[column]} ${isDescending ? 'desc' : 'asc'}`)}, "deedId" limit ${window.limit} offset ${window.offset}`.execute(
    tx,
  );
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${from}`.execute(tx);
  const items = rows.map(({ startedAt, endedAt, ...row }): RetentionDeed => ({
    ...row,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }));
  return pageFrom(items, counted.rows[0]?.total ?? 0, window);
}
