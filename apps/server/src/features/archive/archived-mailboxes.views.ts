import type { ArchiveCoverage, ArchivedMailbox, archivedMailboxesQuery } from '@holdfast/contract/archive';
import type { TopMailboxOrder } from '@holdfast/contract/dashboard';
import { topMailboxes } from '@holdfast/contract/limits';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { unusedSince } from '../dashboard/index.ts';
import { isAnythingHeld } from '../holds/index.ts';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';

interface MailboxRow {
  readonly resource_id: string;
  readonly source_id: string | null;
  readonly location_id: string | null;
  readonly name: string;
  readonly address: string;
  readonly bytes: number;
  readonly stored_bytes: number;
  readonly messages: number;
  readonly attachments: number;
  readonly oldest_at: Date | null;
  readonly newest_at: Date | null;
  readonly captured_at: Date | null;
  readonly is_held: boolean;
  readonly coverage: ArchiveCoverage;
  readonly last_code: string | null;
  readonly missing: number | null;
  readonly unmatched: number | null;
  readonly compared_at: Date | null;
}

function mailboxOf(row: MailboxRow): ArchivedMailbox {
  const { name, messages, attachments, coverage } = row;
  const newestAt = row.newest_at?.toISOString() ?? null;
  return {
    mailboxId: row.resource_id,
    sourceId: row.source_id,
    locationId: row.location_id,
    name,
    email: row.address,
    size: row.bytes,
    storedBytes: row.stored_bytes,
    messages,
    attachments,
    oldestAt: row.oldest_at?.toISOString() ?? null,
    newestAt,
    lastUsedAt: newestAt,
    lastCapturedAt: row.captured_at?.toISOString() ?? null,
    isHeld: row.is_held,
    coverage,
    coverageCode: row.last_code,
    missing: row.compared_at === null ? null : row.missing,
    unmatched: row.compared_at === null ? null : row.unmatched,
    comparedAt: row.compared_at?.toISOString() ?? null,
  };
}

/** A hold on everything, on the mailbox or on its archive. */
const isHeld = isAnythingHeld(
  sql`resource.tenant_id`,
  (id) => sql`${id} in (select named.resource_id from resources named
    where named.tenant_id = resource.tenant_id and named.graph_id = resource.graph_id and named.kind in ('mailbox', 'archive'))`,
);

/** A run that succeeded is not all: what the archive was found not to have is not covered. */
const coverage = sql`case when resource.last_status = 'successful' and coalesce(counted.missing, 0) = 0 then 'complete'
  when resource.last_status = 'defective' or counted.messages > 0 or counted.missing > 0 then 'partly' else 'none' end`;

/** Each mailbox with an archive once, as the location that captured last holds it. */
export function archivedMailboxes(tenantId: string): RawBuilder<unknown> {
  return sql`(
    select resource.organisation_id, resource.realm, resource.resource_id, resource.name, resource.address, resource.last_code,
      held.source_id, held.location_id, coalesce(counted.messages, 0) as messages, coalesce(counted.attachments, 0) as attachments,
      coalesce(counted.bytes, 0) as bytes, coalesce(counted.stored_bytes, 0) as stored_bytes, counted.oldest_at, counted.newest_at,
      counted.captured_at, counted.missing, counted.unmatched, counted.compared_at, ${isHeld} as is_held, ${coverage} as coverage
    from resources resource
    left join lateral (
      select source.source_id, source.location_id from catalog_sources source
      where source.organisation_id = resource.organisation_id and source.realm = resource.realm and source.resource_id = resource.resource_id
      order by source.newest_point_at desc nulls last, source.source_id limit 1) held on true
    left join archive_mailboxes counted on counted.organisation_id = resource.organisation_id and counted.realm = resource.realm
      and counted.source_id = held.source_id
    where resource.tenant_id = ${tenantId} and resource.kind = 'archive') archived`;
}

const columns = {
  name: 'lower(name)',
  email: 'lower(address)',
  size: 'bytes',
  storedBytes: 'stored_bytes',
  messages: 'messages',
  attachments: 'attachments',
  oldestAt: 'oldest_at',
  newestAt: 'newest_at',
  lastUsedAt: 'newest_at',
  lastCapturedAt: 'captured_at',
} as const;

export type MailboxesQuery = z.output<typeof archivedMailboxesQuery>;

function conditions(query: MailboxesQuery, now: Date): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (query.held !== undefined) parts.push(sql`is_held = ${query.held}`);
  if (query.coverage !== undefined) parts.push(sql`coverage = ${query.coverage}`);
  if (query.unused !== undefined) parts.push(sql`(newest_at is null or newest_at < ${unusedSince(query.unused, now)})`);
  if (query.search !== undefined) parts.push(sql`(name ilike ${likePattern(query.search)} or address ilike ${likePattern(query.search)})`);
  return sql.join(parts, sql` and `);
}

export async function mailboxesPage(tx: Tx, tenantId: string, query: MailboxesQuery, now: Date): Promise<Page<ArchivedMailbox>> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof columns>(query.sort, { column: 'name', isDescending: false });
  const from = sql`${archivedMailboxes(tenantId)} where ${conditions(query, now)}`;
  const { rows } = await sql<MailboxRow>`
    select * from ${from} order by ${sql.raw(`${columns[column]} ${isDescending ? 'desc nulls last' : 'asc nulls first'}`)}, resource_id
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${from}`.execute(tx);
  return pageFrom(rows.map(mailboxOf), counted.rows[0]?.total ?? 0, window);
}

const measures = { size: 'bytes', messages: 'messages', attachments: 'attachments' } as const;

/** The largest by what is asked for; those that are equal in the order of their addresses. */
export async function topArchivedMailboxes(tx: Tx, tenantId: string, by: TopMailboxOrder): Promise<ArchivedMailbox[]> {
  const { rows } = await sql<MailboxRow>`
    select * from ${archivedMailboxes(tenantId)} order by ${sql.ref(measures[by])} desc, lower(address), resource_id
    limit ${topMailboxes}`.execute(tx);
  return rows.map(mailboxOf);
}

/** One mailbox, by the id of its archive or by its address. */
export async function findArchivedMailbox(tx: Tx, tenantId: string, mailbox: string): Promise<ArchivedMailbox | undefined> {
  const { rows } = await sql<MailboxRow>`
    select * from ${archivedMailboxes(tenantId)} where resource_id::text = lower(${mailbox}) or lower(address) = lower(${mailbox})
    order by resource_id limit 1`.execute(tx);
  return rows[0] && mailboxOf(rows[0]);
}

/** The mailboxes after a place in the order of their names. */
export async function mailboxesAfter(
  tx: Tx,
  tenantId: string,
  { after, limit }: { readonly after: Pick<ArchivedMailbox, 'name' | 'mailboxId'> | undefined; readonly limit: number },
): Promise<ArchivedMailbox[]> {
  const place = after ? sql`(lower(name), resource_id) > (lower(${after.name}), ${after.mailboxId}::uuid)` : sql`true`;
  const { rows } = await sql<MailboxRow>`
    select * from ${archivedMailboxes(tenantId)} where ${place} order by lower(name), resource_id limit ${limit}`.execute(tx);
  return rows.map(mailboxOf);
}
