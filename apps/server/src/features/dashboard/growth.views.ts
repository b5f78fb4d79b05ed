import type { Growth, Overview } from '@holdfast/contract/dashboard';
import { dashboardDays } from '@holdfast/contract/limits';
import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';
import { organisationZone } from '../reporting/index.ts';

export interface GrowthViews {
  /** What is stored by day; `storage` is what there is now. */
  growth(scope: Scope, tenantId: string, now: Date, storage: Overview['storage']): Promise<Growth>;
}

interface WrittenRow {
  readonly location_id: string;
  readonly date: string;
  readonly stored: number;
  readonly read: number;
}

/** A trend of fewer days would be a guess. */
const FEWEST_DAYS = 7;

const sumOf = (rows: readonly WrittenRow[], of: 'stored' | 'read'): number => rows.reduce((sum, row) => sum + row[of], 0);

/** How long what is free will do, if as much is written each day as in the days that are known. */
function fullInDays(freeBytes: number | null, written: readonly WrittenRow[], dates: readonly string[]): number | null {
  const first = written.map((row) => row.date).toSorted((one, other) => one.localeCompare(other))[0];
  if (freeBytes === null || first === undefined) return null;
  const known = dates.filter((date) => date >= first).length;
  // The first day holds the first backup of everything, which is no growth.
  const grown = sumOf(
    written.filter((row) => row.date > first),
    'stored',
  );
  if (known < FEWEST_DAYS || grown <= 0) return null;
  return Math.floor(freeBytes / (grown / (known - 1)));
}

function datesUntil(now: Date, zone: string): readonly string[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  return Array.from({ length: dashboardDays }, (_, index) => today.subtract({ days: dashboardDays - 1 - index }).toString());
}

export function createGrowthViews(database: Database): GrowthViews {
  return Object.freeze<GrowthViews>({
    async growth(scope, tenantId, now, storage) {
      const { written, zone, first } = await database.within(scope, async (tx) => {
        const { rows } = await sql<WrittenRow>`
          select location_id, to_char(ended_at at time zone ${organisationZone}, 'YYYY-MM-DD') as date,
            sum(stored_bytes)::bigint as stored, sum(new_bytes)::bigint as read
          from runs where tenant_id = ${tenantId} and location_id is not null and ended_at > ${now}::timestamptz - interval '32 days'
          group by 1, 2`.execute(tx);
        const begun = await sql<{ zone: string; first: string | null }>`
          select ${organisationZone} as zone, to_char(min(ended_at) at time zone ${organisationZone}, 'YYYY-MM-DD') as first
          from runs where tenant_id = ${tenantId} and location_id is not null`.execute(tx);
        const { zone, first } = begun.rows[0] ?? { zone: 'UTC', first: null };
        return { written: rows, zone, first };
      });
      const dates = datesUntil(now, zone);
      const current = { source: 0, stored: 0 };
      for (const place of storage) {
        current.source += place.sourceBytes;
        current.stored += place.storedBytes;
      }
      return {
        days: dates.map((date, at) => {
          // What runs that still go on have written is of today.
          const isBefore = at < dates.length - 1 && (first === null || date < first);
          if (isBefore) return { date, sourceBytes: 0, storedBytes: 0 };
          const later = written.filter((row) => row.date > date);
          return {
            date,
            sourceBytes: Math.max(0, current.source - sumOf(later, 'read')),
            storedBytes: Math.max(0, current.stored - sumOf(later, 'stored')),
          };
        }),
        locations: storage.map(({ sourceBytes: _source, ...place }) => {
          const own = written.filter((row) => row.location_id === place.locationId);
          return { ...place, fullInDays: fullInDays(place.freeBytes, own, dates) };
        }),
      };
    },
  });
}
