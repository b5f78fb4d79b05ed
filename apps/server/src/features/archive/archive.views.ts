import type { ArchivedMailbox, ArchivedMailboxDetails, ArchiveFigures } from '@holdfast/contract/archive';
import type { TopMailboxOrder } from '@holdfast/contract/dashboard';
import { dashboardDays } from '@holdfast/contract/limits';
import type { Page } from '@holdfast/contract/paging';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { sql } from 'kysely';
import type { RunsViews } from '../../runs/index.ts';
import { organisationZone } from '../reporting/index.ts';
import {
  archivedMailboxes,
  findArchivedMailbox,
  mailboxesAfter,
  mailboxesPage,
  topArchivedMailboxes,
  type MailboxesQuery,
} from './archived-mailboxes.views.ts';

/** What is archived, in names and numbers. */
export interface ArchiveViews {
  figures(scope: Scope, tenantId: string): Promise<ArchiveFigures>;
  mailboxes(scope: Scope, tenantId: string, query: MailboxesQuery): Promise<Page<ArchivedMailbox>>;
  top(scope: Scope, tenantId: string, by: TopMailboxOrder): Promise<ArchivedMailbox[]>;
  /** By the id of its archive or by its address. */
  mailbox(scope: Scope, tenantId: string, mailbox: string): Promise<ArchivedMailboxDetails | undefined>;
  /** Every mailbox, by name, a few at a time. */
  everyMailbox(scope: Scope, tenantId: string): AsyncGenerator<ArchivedMailbox, void, undefined>;
  /** Whether the index belongs to the worker. */
  isPair(scope: Scope, pair: { readonly workerIp: string; readonly indexIp: string }): Promise<boolean>;
}

const AT_A_TIME = 500;

interface Counted {
  readonly name: string;
  readonly messages: number;
  readonly attachments: number;
  readonly bytes: number;
}

async function countsOf(tx: Tx, sourceId: string, dimension: 'folder' | 'month'): Promise<readonly Counted[]> {
  return tx
    .selectFrom('archive_counts')
    .select(['name', 'messages', 'attachments', 'bytes'])
    .where('source_id', '=', sourceId)
    .where('dimension', '=', dimension)
    .orderBy('name')
    .execute();
}

async function detailsOf(tx: Tx, mailbox: ArchivedMailbox): Promise<ArchivedMailboxDetails> {
  if (mailbox.sourceId === null) return { ...mailbox, folders: [], months: [] };
  const folders = await countsOf(tx, mailbox.sourceId, 'folder');
  const months = await countsOf(tx, mailbox.sourceId, 'month');
  return {
    ...mailbox,
    folders: folders.map(({ name: path, ...counts }) => ({ path, ...counts })),
    months: months.map(({ name: month, ...counts }) => ({ month, ...counts })),
  };
}

type Sums = Omit<ArchiveFigures, 'growth' | 'archived' | 'failed' | 'lastRun' | 'lastSuccessAt' | 'top'>;

async function sumsOf(tx: Tx, tenantId: string): Promise<Sums> {
  const { rows } = await sql<
    Omit<Sums, 'coverage' | 'lastSweepAt' | 'receiverSilentSince'> & {
      complete: number;
      partly: number;
      none: number;
      swept_at: Date | null;
      silent_since: Date | null;
    }
  >`
    select count(*)::bigint as mailboxes, coalesce(sum(messages), 0)::bigint as messages, coalesce(sum(attachments), 0)::bigint as attachments,
      coalesce(sum(bytes), 0)::bigint as bytes, coalesce(sum(stored_bytes), 0)::bigint as "storedBytes",
      count(*) filter (where coverage = 'complete') as complete, count(*) filter (where coverage = 'partly') as partly,
      count(*) filter (where coverage = 'none') as none, count(*) filter (where is_held) as held,
      (select max(run.ended_at) from runs run where run.tenant_id = ${tenantId} and run.type = 'verify' and run.status in ('successful', 'defective')
        and run.location_id in (select location_id from ${archivedMailboxes(tenantId)})) as swept_at,
      (select min(coalesce(receiver.last_received_at, receiver.watched_since)) from receivers receiver
        where receiver.tenant_id = ${tenantId} and receiver.is_enabled and receiver.silent_since is not null) as silent_since,
      (select count(distinct (item.resource_id, item.item_key)) from message_deletions deletion
        join message_deletion_items item using (organisation_id, realm, deletion_id)
        join resources owner using (organisation_id, realm, resource_id)
        where deletion.tenant_id = ${tenantId} and deletion.state = 'approved' and item.state = 'listed' and owner.kind = 'archive')::bigint as due
    from ${archivedMailboxes(tenantId)}`.execute(tx);
  const {
    complete = 0,
    partly = 0,
    none = 0,
    swept_at = null,
    silent_since = null,
    ...sums
  } = rows[0] ?? {
    mailboxes: 0,
    messages: 0,
    attachments: 0,
    bytes: 0,
    storedBytes: 0,
    held: 0,
    due: 0,
  };
  return {
    ...sums,
    coverage: { complete, partly, none },
    lastSweepAt: swept_at?.toISOString() ?? null,
    receiverSilentSince: silent_since?.toISOString() ?? null,
  };
}

/** Every day of the period by the organisation's clock, those on which nothing was archived included. */
async function growthOf(tx: Tx, tenantId: string, at: Date): Promise<ArchiveFigures['growth']> {
  const { rows } = await sql<{ date: string; messages: number; bytes: number }>`
    select to_char(day, 'YYYY-MM-DD') as date, coalesce(sum(hour.messages), 0)::bigint as messages, coalesce(sum(hour.bytes), 0)::bigint as bytes
    from generate_series((${at}::timestamptz at time zone ${organisationZone})::date - ${dashboardDays - 1}::int,
      (${at}::timestamptz at time zone ${organisationZone})::date, interval '1 day') day
    left join (select counted.messages, counted.bytes, ((counted.name || ':00Z')::timestamptz at time zone ${organisationZone})::date as day
      from archive_counts counted join ${archivedMailboxes(tenantId)} using (organisation_id, realm, source_id)
      where counted.dimension = 'hour') hour using (day)
    group by day order by day`.execute(tx);
  return rows;
}

async function errorsSince(tx: Tx, tenantId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ errors: number }>`
    select coalesce(sum(errors), 0)::bigint as errors from runs
    where tenant_id = ${tenantId} and type = 'archive' and queued_at >= ${since}`.execute(tx);
  return rows[0]?.errors ?? 0;
}

const DAY_MS = 24 * 3_600_000;

export interface ArchiveViewsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly runs: Pick<RunsViews, 'list'>;
}

function createFigures({ database, clock, runs }: ArchiveViewsParts): ArchiveViews['figures'] {
  const lastOf = async (scope: Scope, tenantId: string, status?: 'successful') => {
    const query = { limit: 1, type: ['archive'] as const, ...(status === undefined ? {} : { status }) };
    return (await runs.list(scope, tenantId, query)).items[0] ?? null;
  };
  return async (scope, tenantId) => {
    const at = now(clock);
    const read = await database.within(scope, async (tx) => {
      const growth = await growthOf(tx, tenantId, at);
      return {
        ...(await sumsOf(tx, tenantId)),
        growth,
        archived: growth.reduce((sum, day) => sum + day.messages, 0),
        failed: await errorsSince(tx, tenantId, new Date(at.getTime() - dashboardDays * DAY_MS)),
        top: await topArchivedMailboxes(tx, tenantId, 'size'),
      };
    });
    const success = await lastOf(scope, tenantId, 'successful');
    return { ...read, lastRun: await lastOf(scope, tenantId), lastSuccessAt: success?.endedAt ?? null };
  };
}

export function createArchiveViews(parts: ArchiveViewsParts): ArchiveViews {
  const { database, clock } = parts;
  return Object.freeze<ArchiveViews>({
    figures: createFigures(parts),
    mailboxes: (scope, tenantId, query) => database.within(scope, (tx) => mailboxesPage(tx, tenantId, query, now(clock))),
    top: (scope, tenantId, by) => database.within(scope, (tx) => topArchivedMailboxes(tx, tenantId, by)),
    mailbox: (scope, tenantId, mailbox) =>
      database.within(scope, async (tx) => {
        const found = await findArchivedMailbox(tx, tenantId, mailbox);
        return found && detailsOf(tx, found);
      }),
    async *everyMailbox(scope, tenantId) {
      for (let after: ArchivedMailbox | undefined; ;) {
        const from = after;
        const some = await database.within(scope, (tx) => mailboxesAfter(tx, tenantId, { after: from, limit: AT_A_TIME }));
        yield* some;
        after = some.at(-1);
        if (some.length < AT_A_TIME) return;
      }
    },
    isPair: (scope, { workerIp, indexIp }) =>
      database.within(scope, async (tx) => {
        const row = await tx
          .selectFrom('workers')
          .select('worker_id')
          .where('ip', '=', workerIp)
          .where('index_ip', '=', indexIp)
          .executeTakeFirst();
        return row !== undefined;
      }),
  });
}
