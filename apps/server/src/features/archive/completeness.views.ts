import type { archiveCompleteness, ArchivedDay, MissingMessage } from '@holdfast/contract/archive-completeness';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { z } from 'zod';
import { pageFrom, sortOf, windowOf } from '../../http/paging.ts';

type DaysQuery = z.output<typeof archiveCompleteness.days.query>;
type MissingQuery = z.output<typeof archiveCompleteness.missing.query>;

const dateOf = (day: string): string | null => (day === '' ? null : day);

/** What the last comparison of an archive found, by the day of receipt. */
export async function archivedDays(tx: Tx, sourceId: string, query: DaysQuery): Promise<Page<ArchivedDay>> {
  const window = windowOf(query);
  const { isDescending } = sortOf(query.sort, { column: 'date', isDescending: true });
  const isIncomplete = sql`missing + without_original + not_journaled + not_captured > 0`;
  const from = sql`archive_days where source_id = ${sourceId}
    and ${query.incomplete === undefined ? sql`true` : sql`(${isIncomplete}) = ${query.incomplete}`}`;
  const { rows } = await sql<Omit<ArchivedDay, 'date'> & { day: string }>`
    select day, in_backups as "inBackups", archived, journaled, not_searchable as "notSearchable", missing, waiting,
      without_original as "withoutOriginal", erased, not_journaled as "notJournaled", not_captured as "notCaptured"
    from ${from} order by day ${sql.raw(isDescending ? 'desc' : 'asc')} limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${from}`.execute(tx);
  return pageFrom(
    rows.map(({ day, ...counts }) => ({ date: dateOf(day), ...counts })),
    counted.rows[0]?.total ?? 0,
    window,
  );
}

interface GapRow {
  readonly message_key: string;
  readonly day: string;
  readonly reason: MissingMessage['reason'];
  readonly received_at: Date | null;
  readonly size_bytes: number;
}

/** The messages that the last comparison missed in an archive, its journal, its backups or the index. */
export async function missingMessages(tx: Tx, sourceId: string, query: MissingQuery): Promise<Page<MissingMessage>> {
  const window = windowOf(query);
  const { isDescending } = sortOf(query.sort, { column: 'receivedAt', isDescending: true });
  const from = sql`archive_gaps where source_id = ${sourceId} and ${query.date === undefined ? sql`true` : sql`day = ${query.date}`}`;
  const { rows } = await sql<GapRow>`
    select message_key, day, reason, received_at, size_bytes from ${from}
    order by received_at ${sql.raw(isDescending ? 'desc nulls last' : 'asc nulls first')}, message_key, reason
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${from}`.execute(tx);
  const items = rows.map(({ message_key: messageKey, day, reason, received_at, size_bytes: sizeBytes }) => ({
    messageKey,
    date: dateOf(day),
    reason,
    receivedAt: received_at?.toISOString() ?? null,
    sizeBytes,
  }));
  return pageFrom(items, counted.rows[0]?.total ?? 0, window);
}
