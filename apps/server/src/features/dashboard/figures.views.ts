import { protectingTypes } from '@holdfast/contract/jobs';
import type { WorkloadFigures } from '@holdfast/contract/dashboard';
import { dashboardDays } from '@holdfast/contract/limits';
import { workloads, type Workload } from '@holdfast/contract/values';
import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';
import type { RunsViews } from '../../runs/index.ts';
import { organisationZone, type ProtectionViews } from '../reporting/index.ts';

const DAY_MS = 24 * 3_600_000;

/** The figures of workloads over the last thirty days: of each, unless some are named. */
export interface FiguresViews {
  workloads(scope: Scope, tenantId: string, now: Date, of?: readonly Workload[]): Promise<WorkloadFigures[]>;
}

interface DayRow {
  readonly workload: Workload;
  readonly date: string;
  readonly runs: number;
  readonly successful: number;
  readonly defective: number;
  readonly failed: number;
  readonly skipped: number;
  readonly items: number;
  readonly bytes: number;
}

interface PointRow {
  readonly workload: Workload;
  readonly points: number;
  readonly oldest: Date | null;
  readonly newest: Date | null;
}

type Day = WorkloadFigures['days'][number];

/** Every day of the period by the organisation's clock, those without runs included, so that a chart has no holes. */
function daysOf(rows: readonly DayRow[], now: Date, zone: string): Day[] {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  return Array.from({ length: dashboardDays }, (_, index) => {
    const date = today.subtract({ days: dashboardDays - 1 - index }).toString();
    const row = byDate.get(date);
    const { successful = 0, defective = 0, failed = 0, skipped = 0, items = 0, bytes = 0 } = row ?? {};
    return { date, successful, defective, failed, skipped, items, bytes };
  });
}

type Counted = 'runs' | 'successful' | 'defective' | 'failed' | 'items' | 'bytes';

function sums(rows: readonly DayRow[]): Record<Counted, number> {
  const total: Record<Counted, number> = { runs: 0, successful: 0, defective: 0, failed: 0, items: 0, bytes: 0 };
  for (const row of rows) for (const name of Object.keys(total) as Counted[]) total[name] += row[name];
  return total;
}

export interface FiguresParts {
  readonly database: Database;
  readonly runs: RunsViews;
  readonly protection: ProtectionViews;
}

export function createFiguresViews({ database, runs, protection }: FiguresParts): FiguresViews {
  function read(scope: Scope, tenantId: string, since: Date) {
    return database.within(scope, async (tx) => {
      const days = await sql<DayRow>`
        select workload, to_char(queued_at at time zone ${organisationZone}, 'YYYY-MM-DD') as date, count(*)::bigint as runs,
          count(*) filter (where status = 'successful') as successful, count(*) filter (where status = 'defective') as defective,
          count(*) filter (where status = 'failed') as failed, count(*) filter (where status = 'skipped') as skipped,
          sum(added + changed)::bigint as items, sum(bytes)::bigint as bytes
        from runs where tenant_id = ${tenantId} and queued_at >= ${since} and type = any(${[...protectingTypes]}) group by 1, 2`.execute(
        tx,
      );
      const points = await sql<PointRow>`
        select resource.workload, sum(source.points)::bigint as points, min(source.oldest_point_at) as oldest, max(source.newest_point_at) as newest
        from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
        where resource.tenant_id = ${tenantId} group by 1`.execute(tx);
      const zones = await sql<{ zone: string }>`select ${organisationZone} as zone`.execute(tx);
      return { days: days.rows, points: points.rows, zone: zones.rows[0]?.zone ?? 'UTC' };
    });
  }

  async function lastRunOf(scope: Scope, tenantId: string, workload: Workload, status?: 'successful') {
    const query = { limit: 1, workload, type: ['backup'] as const, ...(status === undefined ? {} : { status }) };
    return (await runs.list(scope, tenantId, query)).items[0] ?? null;
  }

  return Object.freeze<FiguresViews>({
    async workloads(scope, tenantId, now, of = workloads) {
      const since = new Date(now.getTime() - dashboardDays * DAY_MS);
      const [{ days, points, zone }, counts] = await Promise.all([read(scope, tenantId, since), protection.counts(scope, tenantId)]);
      return Promise.all(
        of.map(async (workload) => {
          const own = days.filter((row) => row.workload === workload);
          const held = points.find((row) => row.workload === workload);
          const { workload: _, ...states } = counts.find((row) => row.workload === workload) ?? {
            workload,
            protected: 0,
            partly: 0,
            unprotected: 0,
            excluded: 0,
          };
          const success = await lastRunOf(scope, tenantId, workload, 'successful');
          return {
            workload,
            ...states,
            ...sums(own),
            lastRun: await lastRunOf(scope, tenantId, workload),
            lastSuccessAt: success?.endedAt ?? null,
            oldestPointAt: held?.oldest?.toISOString() ?? null,
            newestPointAt: held?.newest?.toISOString() ?? null,
            restorePoints: held?.points ?? 0,
            days: daysOf(own, now, zone),
          };
        }),
      );
    },
  });
}
