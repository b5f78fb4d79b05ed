import type { DataRequest, DataRequestDetails, DataRequestItem } from '@holdfast/contract/data-requests';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { pageFrom, type PageWindow } from '../../http/paging.ts';
import type { SearchReach } from '../content-access/index.ts';
import { hitsByNumber } from '../search/index.ts';
import { daysUntil } from './request-clock.ts';

/** A request as the database has it: JSON has no moments, so these are texts already. */
type Row = Omit<DataRequest, 'daysLeft'>;

export interface RequestsWanted {
  readonly tenantId: string;
  readonly requestId?: string;
  readonly kind?: string | undefined;
  readonly state?: 'open' | 'answered' | undefined;
  readonly search?: string | undefined;
}

const utc = (moment: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const dayText = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`to_char(${column}, 'YYYY-MM-DD')`;

function whereOf({ tenantId, requestId, kind, state, search }: RequestsWanted): RawBuilder<unknown> {
  const parts = [sql`request.tenant_id = ${tenantId}`];
  if (requestId !== undefined) parts.push(sql`request.request_id = ${requestId}`);
  if (kind !== undefined) parts.push(sql`request.kind = ${kind}`);
  if (state !== undefined) parts.push(state === 'open' ? sql`request.outcome is null` : sql`request.outcome is not null`);
  if (search !== undefined) {
    parts.push(sql`strpos(lower(request.person_name || ' ' || request.person_address || ' ' || request.note), lower(${search})) > 0`);
  }
  return sql.join(parts, sql` and `);
}

const amountOf = (part: string): RawBuilder<unknown> => sql`json_build_object('items', count(*) filter (where part = ${part}),
  'bytes', coalesce(sum(size_bytes) filter (where part = ${part}), 0))`;

const collected = sql`(select case when request.collected_at is not null then json_build_object('at', ${utc(sql`request.collected_at`)},
    'own', ${amountOf('own')}, 'mention', ${amountOf('mention')}, 'leftOut', count(*) filter (where left_out is not null),
    'notReached', request.not_reached, 'notSearched', request.not_searched) end as collected
  from data_request_items item where item.organisation_id = request.organisation_id and item.realm = request.realm
    and item.request_id = request.request_id)`;

const exported = sql`(select json_build_object('exportId', made.export_id, 'items', made.items, 'by', made.owner,
    'at', ${utc(sql`made.created_at`)}, 'manifestHash', made.manifest_hash) as exported
  from exports made where made.organisation_id = request.organisation_id and made.realm = request.realm
    and made.data_request_id = request.request_id order by made.created_at desc limit 1)`;

const columns = sql`request.request_id as "requestId", request.kind,
  json_build_object('personId', request.person_id, 'name', request.person_name, 'address', request.person_address) as person,
  request.note, ${dayText(sql`request.received_on`)} as "receivedOn", ${dayText(sql`request.due_on`)} as "dueOn",
  case when request.extended_at is not null then json_build_object('reason', request.extension, 'by', request.extended_by,
    'at', ${utc(sql`request.extended_at`)}) end as extension,
  request.registered_by as "registeredBy", ${utc(sql`request.registered_at`)} as "registeredAt",
  case when deletion.deletion_id is not null then json_build_object('deletionId', deletion.deletion_id, 'state', deletion.state) end as deletion,
  found.collected, packed.exported,
  case when request.outcome is not null then json_build_object('outcome', request.outcome, 'how', request.how,
    'answeredOn', ${dayText(sql`request.answered_on`)}, 'by', request.answered_by) end as answer`;

async function rowsOf(tx: Tx, wanted: RequestsWanted, order: RawBuilder<unknown>, { limit, offset }: PageWindow): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select ${columns} from data_requests request
    left join message_deletions deletion on deletion.organisation_id = request.organisation_id and deletion.realm = request.realm
      and deletion.deletion_id = request.deletion_id
    cross join lateral ${collected} found left join lateral ${exported} packed on true
    where ${whereOf(wanted)} order by ${order}, request.request_id limit ${limit} offset ${offset}`.execute(tx);
  return rows;
}

const withClock = (row: Row, today: string): DataRequest => ({
  ...row,
  daysLeft: row.answer === null ? daysUntil(row.dueOn, today) : null,
});

const ORDERS: Readonly<Record<string, RawBuilder<unknown>>> = {
  receivedOn: sql`request.received_on asc`,
  '-receivedOn': sql`request.received_on desc, request.registered_at desc`,
  dueOn: sql`request.outcome is not null, request.due_on asc`,
  '-dueOn': sql`request.outcome is null, request.due_on desc`,
};

/** A page of the register; open requests come first, those that end soonest at the top. */
export async function requestsPage(
  tx: Tx,
  wanted: RequestsWanted,
  { today, sort = 'dueOn' }: { readonly today: string; readonly sort?: string | undefined },
  window: PageWindow,
): Promise<Page<DataRequest>> {
  const rows = await rowsOf(tx, wanted, ORDERS[sort] ?? sql`request.due_on`, window);
  const counted = await sql<{
    total: number;
  }>`select count(*)::bigint as total from data_requests request where ${whereOf(wanted)}`.execute(tx);
  return pageFrom(
    rows.map((row) => withClock(row, today)),
    counted.rows[0]?.total ?? 0,
    window,
  );
}

/** A request with the places it is about and why items are left out. */
export async function requestDetails(
  tx: Tx,
  wanted: { readonly tenantId: string; readonly requestId: string },
  today: string,
): Promise<DataRequestDetails | undefined> {
  const [row] = await rowsOf(tx, wanted, sql`request.due_on`, { limit: 1, offset: 0 });
  if (!row) return undefined;
  const { rows: places } = await sql<DataRequestDetails['places'][number]>`
    select resource.resource_id as "resourceId", coalesce(nullif(resource.name, ''), resource.address) as name, resource.kind, item.part,
      count(*)::bigint as items, (count(*) filter (where item.left_out is not null))::bigint as "leftOut"
    from data_request_items item join resources resource using (organisation_id, realm, resource_id)
    where item.request_id = ${wanted.requestId} group by 1, 2, 3, 4 order by item.part desc, items desc, name, 1`.execute(tx);
  const { rows: leftOut } = await sql<DataRequestDetails['leftOut'][number]>`
    select left_out as reason, count(*)::bigint as items from data_request_items
    where request_id = ${wanted.requestId} and left_out is not null group by 1 order by items desc, 1`.execute(tx);
  return { ...withClock(row, today), places, leftOut };
}

export interface ItemsWanted {
  readonly requestId: string;
  readonly part?: string | undefined;
  readonly leftOut?: 'true' | 'false' | undefined;
  readonly resourceId?: string | undefined;
}

interface ItemRow extends Pick<DataRequestItem, 'position' | 'part' | 'leftOut'> {
  readonly item_no: number | null;
}

/** A page of what was found; what the reader may not open is a number alone. */
export async function itemsPage(tx: Tx, wanted: ItemsWanted, reach: SearchReach, window: PageWindow): Promise<Page<DataRequestItem>> {
  const { requestId, part, leftOut, resourceId } = wanted;
  const where = sql`listed.request_id = ${requestId} and ${part === undefined ? sql`true` : sql`listed.part = ${part}`}
    and ${leftOut === undefined ? sql`true` : sql`(listed.left_out is not null) = ${leftOut === 'true'}`}
    and ${resourceId === undefined ? sql`true` : sql`listed.resource_id = ${resourceId}`}`;
  const { rows } = await sql<ItemRow>`
    select page.position, page.part, case when page.left_out is not null
      then json_build_object('reason', page.left_out, 'by', page.left_out_by) end as "leftOut", item.item_no
    from (select * from data_request_items listed where ${where} order by listed.position limit ${window.limit} offset ${window.offset}) page
    left join search_items item on item.organisation_id = page.organisation_id and item.realm = page.realm and item.source_id = page.source_id
      and item.item_key = page.item_key and item.from_point = page.from_point and ${reach(sql`item.at`, sql`item.content_hash`)}
    order by page.position`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from data_request_items listed where ${where}`.execute(tx);
  const hits = await hitsByNumber(
    tx,
    rows.flatMap(({ item_no: itemNo }) => itemNo ?? []),
  );
  const items = rows.map(({ item_no: itemNo, ...row }) => ({ ...row, hit: hits.get(itemNo ?? -1) ?? null }));
  return pageFrom(items, counted.rows[0]?.total ?? 0, window);
}
