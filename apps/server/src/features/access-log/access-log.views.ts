import type { ContentAccessEntry, contentAccessGrounds, ContentAccessKind } from '@holdfast/contract/access-log';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, type PageWindow } from '../../http/paging.ts';
import { everyEvent } from '../audit/index.ts';

/** The events of the audit log that are an access to content, by what was done. */
const EVENTS: Readonly<Record<ContentAccessKind, readonly string[]>> = {
  opened: ['content.opened', 'content.conversation-opened'],
  listed: ['archive.listed'],
  downloaded: ['content.downloaded', 'auditor-access.list-taken', 'auditor-access.attachment-taken'],
  restored: ['content.restored'],
  searched: ['search.ran', 'search.hits-shown', 'search.words-shown', 'cases.searched', 'cases.review-listed', 'auditor-access.searched'],
};

const KIND_BY_EVENT = new Map(
  Object.entries(EVENTS).flatMap(([kind, events]) => events.map((event) => [event, kind as ContentAccessKind] as const)),
);

export interface AccessFilter {
  readonly kind?: ContentAccessKind | undefined;
  readonly ground?: (typeof contentAccessGrounds)[number] | undefined;
  readonly resourceId?: string | undefined;
  readonly itemId?: string | undefined;
  /** What was done with one access of an auditor. */
  readonly auditorAccessId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly search?: string | undefined;
}

/** Whose log it is: everybody's, or what is about these resources and what this person did. */
export interface AccessReader {
  readonly tenantId: string;
  readonly accountId: string;
  readonly owned: RawBuilder<unknown> | 'all';
}

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly event: string;
  readonly reader: string;
  readonly is_own: boolean;
  readonly owners: ContentAccessEntry['owners'];
  readonly ground: ContentAccessEntry['ground'];
  readonly ground_name: string | null;
  readonly reason: string | null;
  readonly query: string | null;
  readonly count: number | null;
  readonly address: string | null;
  readonly total: number;
}

const resourcesOf = sql`
  case when subject_kind = 'resource' then array[subject_id]
    else array_remove(array[payload #>> '{details,resourceId}'], null)
      || array(select jsonb_array_elements_text(coalesce(payload #> '{details,resourceIds}', '[]'))) end`;

/** Of a run that was downloaded before its resource was noted, the tenant is known by the run. */
const inTenant = (tenantId: string): RawBuilder<unknown> => sql`
  case subject_kind
    when 'tenant' then subject_id = ${tenantId}
    when 'case' then exists (select from cases one where one.case_id::text = subject_id and one.tenant_id = ${tenantId})
    when 'run' then exists (select from runs one where one.run_id::text = subject_id and one.tenant_id = ${tenantId})
    else exists (select from resources one where one.resource_id::text = any(resource_ids) and one.tenant_id = ${tenantId}) end`;

/** Events of early versions name no ground: access was open to roles alone. */
const GROUND = sql`coalesce(payload #>> '{details,ground}', 'role')`;

function chosen({ ground, resourceId, itemId, auditorAccessId, from, to, search }: AccessFilter): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (ground !== undefined) parts.push(sql`${GROUND} = ${ground}`);
  if (resourceId !== undefined) parts.push(sql`${resourceId} = any(resource_ids)`);
  if (itemId !== undefined) parts.push(sql`subject_kind = 'item' and subject_id = ${itemId}`);
  if (auditorAccessId !== undefined) parts.push(sql`payload #>> '{details,auditorAccess}' = ${auditorAccessId}`);
  if (from !== undefined) parts.push(sql`at >= ${new Date(from)}`);
  if (to !== undefined) parts.push(sql`at < ${new Date(to)}`);
  if (search !== undefined) parts.push(sql`payload::text ilike ${likePattern(search)}`);
  return sql.join(parts, sql` and `);
}

function seenBy({ accountId, owned }: AccessReader): RawBuilder<unknown> {
  if (owned === 'all') return sql`true`;
  return sql`(payload ->> 'actorId' = ${accountId} or resource_ids && array(select resource_id::text from ${owned} mine))`;
}

function entryOf(row: Row): ContentAccessEntry {
  const { id, reader, owners, ground, reason, query, count, address } = row;
  const kind = KIND_BY_EVENT.get(row.event) ?? 'opened';
  const at = row.at.toISOString();
  return { id, at, kind, reader, isOwn: row.is_own, owners, ground, groundName: row.ground_name, reason, query, count, address };
}

/** The accesses of a tenant by events of these names. */
function accessesBy(events: readonly string[], tenantId: string): RawBuilder<unknown> {
  return sql`(select * from (select *, ${resourcesOf} as resource_ids from ${everyEvent} told where event = any(${[...events]})) access
    where outcome = 'succeeded' and ${inTenant(tenantId)}) access`;
}

/** How often content was opened and downloaded on which ground, and by how many people. */
export interface AccessCount {
  readonly ground: (typeof contentAccessGrounds)[number] | 'download';
  readonly openings: number;
  readonly people: number;
}

/** Counts what the list of the same period shows. Downloads are counted apart, whatever their ground. */
export async function countAccesses(
  tx: Tx,
  { tenantId, from, to }: { readonly tenantId: string; readonly from: Date; readonly to: Date },
): Promise<AccessCount[]> {
  const { rows } = await sql<AccessCount>`
    select case when event = any(${[...EVENTS.downloaded]}) then 'download' else ${GROUND} end as ground,
      count(*)::bigint as openings, count(distinct payload ->> 'actorId')::bigint as people
    from ${accessesBy([...EVENTS.opened, ...EVENTS.downloaded], tenantId)} where at >= ${from} and at < ${to} group by 1 order by 1`.execute(
    tx,
  );
  return rows;
}

/** A page of accesses to content, the newest first. */
export async function accessesTo(
  tx: Tx,
  reader: AccessReader,
  filter: AccessFilter,
  window: PageWindow,
): Promise<{ readonly items: ContentAccessEntry[]; readonly total: number }> {
  const events = filter.kind === undefined ? [...KIND_BY_EVENT.keys()] : EVENTS[filter.kind];
  const { rows } = await sql<Row>`
    select id, at, event, payload ->> 'actor' as reader, coalesce(payload ->> 'actorId' = ${reader.accountId}, false) as is_own,
      coalesce((select json_agg(json_build_object('resourceId', owner.resource_id, 'name', owner.name) order by owner.name)
        from resources owner where owner.resource_id::text = any(resource_ids)), '[]') as owners,
      payload #>> '{details,ground}' as ground,
      coalesce((select granted.purpose from proxy_rights granted where granted.proxy_right_id::text = payload #>> '{details,proxyRight}'),
        (select one.purpose from auditor_accesses one where one.access_id::text = payload #>> '{details,auditorAccess}'),
        (select one.matter from cases one where one.case_id::text = coalesce(payload #>> '{details,case}',
          case when subject_kind = 'case' then subject_id end))) as ground_name,
      payload ->> 'reason' as reason, payload #>> '{details,query}' as query,
      coalesce(payload #>> '{details,hits}', payload #>> '{details,messages}')::int as count, payload ->> 'address' as address, total
    from (
      select *, count(*) over ()::bigint as total from ${accessesBy(events, reader.tenantId)}
      where ${seenBy(reader)} and ${chosen(filter)}
      order by at desc, sequence desc nulls first, id limit ${window.limit} offset ${window.offset}
    ) page order by at desc, sequence desc nulls first, id`.execute(tx);
  return { items: rows.map(entryOf), total: rows[0]?.total ?? 0 };
}
