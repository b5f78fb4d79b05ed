import { excludingCodes } from '@holdfast/contract/coverage';
import { protectingTypes } from '@holdfast/contract/jobs';
import type { DayState, ProtectableDay } from '@holdfast/contract/people';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { organisationZone } from '../reporting/index.ts';

interface RunDayRow {
  readonly resource_id: string;
  readonly date: string;
  readonly state: DayState;
}

interface PointDayRow {
  readonly date: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

const ranks: Readonly<Record<DayState, number>> = { none: 0, safe: 1, errors: 2, failed: 3 };
export const worseOf = (one: DayState, other: DayState): DayState => (ranks[one] >= ranks[other] ? one : other);

/** So many days up to today, by the organisation's clock. */
export async function readDates(tx: Tx, now: Date, days: number): Promise<readonly string[]> {
  const { rows } = await sql<{ zone: string }>`select ${organisationZone} as zone`.execute(tx);
  const zone = rows[0]?.zone ?? 'UTC';
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  return Array.from({ length: days }, (_, index) => today.subtract({ days: days - 1 - index }).toString());
}

/**
 * How runs ended for resources on each day since the first of `dates`: the worst of the day. What was left out on purpose is no
 * result; what an access policy closed is a failure.
 */
export async function readRunDays(tx: Tx, resourceIds: readonly string[], dates: readonly string[]): Promise<readonly RunDayRow[]> {
  if (resourceIds.length === 0) return [];
  const { rows } = await sql<RunDayRow>`
    select resource_id, date, (array_agg(state order by rank desc))[1] as state from (
      select account.resource_id, to_char(coalesce(account.ended_at, run.ended_at) at time zone ${organisationZone}, 'YYYY-MM-DD') as date,
        case account.status when 'successful' then 'safe' when 'defective' then 'errors' else 'failed' end as state,
        case account.status when 'successful' then 1 when 'defective' then 2 else 3 end as rank
      from run_accounts account join runs run using (organisation_id, realm, run_id)
      where account.resource_id = any(${[...resourceIds]}::uuid[]) and run.type = any(${[...protectingTypes]})
        and run.queued_at >= (${dates[0] ?? ''}::date - 1) and coalesce(account.ended_at, run.ended_at) is not null
        and (account.status in ('successful', 'defective', 'failed')
          or (account.status = 'excluded' and not coalesce(account.code = any(${[...excludingCodes]}::text[]), true)))) ended
    where date >= ${dates[0] ?? ''} group by 1, 2`.execute(tx);
  return rows;
}

/** What restore points of resources changed, by day. */
export async function readPointDays(tx: Tx, resourceIds: readonly string[], dates: readonly string[]): Promise<readonly PointDayRow[]> {
  const { rows } = await sql<PointDayRow>`
    select to_char(point.committed_at at time zone ${organisationZone}, 'YYYY-MM-DD') as date,
      sum(point.added)::bigint as added, sum(point.changed)::bigint as changed, sum(point.removed)::bigint as removed
    from catalog_points point join catalog_sources source using (organisation_id, realm, source_id)
    where source.resource_id = any(${[...resourceIds]}::uuid[]) and point.committed_at >= (${dates[0] ?? ''}::date - 1)
    group by 1`.execute(tx);
  return rows;
}

/** Every one of the days, those on which nothing happened included. */
export function daysOf(dates: readonly string[], runs: readonly RunDayRow[], points: readonly PointDayRow[]): ProtectableDay[] {
  const changes = new Map(points.map((row) => [row.date, row]));
  const states = Map.groupBy(runs, (row) => row.date);
  return dates.map((date) => {
    const { added = 0, changed = 0, removed = 0 } = changes.get(date) ?? {};
    const state = (states.get(date) ?? []).map((row) => row.state).reduce(worseOf, 'none');
    return { date, state, added, changed, removed };
  });
}
