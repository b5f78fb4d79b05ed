import type { sitesQuery } from '@holdfast/contract/compliance';
import type { DataManagementFigures } from '@holdfast/contract/compliance-values';
import { dashboardDays } from '@holdfast/contract/limits';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { z } from 'zod';
import { organisationZone } from '../reporting/index.ts';
import { ageAt, ageLimits } from './ages.ts';
import { isHeld, managedSources } from './managed-sources.views.ts';
import { noCounts } from './reports.views.ts';
import { countSensitive } from './sensitive.views.ts';
import { sitesPage } from './sites.views.ts';

const DAY_MS = 24 * 3_600_000;
const TOP_SITES = 3;

type Day = DataManagementFigures['days'][number];
type Scanned = Omit<DataManagementFigures, 'scannedAt' | 'protected' | 'held' | 'sensitive' | 'days' | 'top'>;

async function newestReport(tx: Tx, tenantId: string, now: Date): Promise<Scanned & Pick<DataManagementFigures, 'scannedAt'>> {
  const { rows } = await sql<{ ended_at: Date; figures: Scanned }>`
    select ended_at, figures from compliance_scans where tenant_id = ${tenantId} order by number desc limit 1`.execute(tx);
  const empty = Array.from({ length: ageLimits(now).length + 1 }, (_, place) => ({ age: ageAt(place), files: 0, bytes: 0 }));
  const [newest] = rows;
  return newest
    ? { ...newest.figures, due: newest.figures.due ?? null, scannedAt: newest.ended_at.toISOString() }
    : { ...noCounts, ageBuckets: empty, due: null, scannedAt: null };
}

/** What backups of sites and drives found on each day, days without one included. */
async function daysOf(tx: Tx, tenantId: string, now: Date): Promise<Day[]> {
  const since = new Date(now.getTime() - dashboardDays * DAY_MS);
  const { rows } = await sql<Day>`
    select to_char(point.committed_at at time zone ${organisationZone}, 'YYYY-MM-DD') as date, sum(point.added)::bigint as added,
      sum(point.changed)::bigint as changed, sum(point.removed)::bigint as removed, sum(point.new_bytes)::bigint as bytes
    from catalog_points point join ${managedSources(tenantId)} managed using (organisation_id, realm, source_id)
    where point.committed_at >= ${since} group by 1`.execute(tx);
  const zones = await sql<{ zone: string }>`select ${organisationZone} as zone`.execute(tx);
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(zones.rows[0]?.zone ?? 'UTC')
    .toPlainDate();
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return Array.from({ length: dashboardDays }, (_, index) => {
    const date = today.subtract({ days: dashboardDays - 1 - index }).toString();
    return byDate.get(date) ?? { date, added: 0, changed: 0, removed: 0, bytes: 0 };
  });
}

const mostWaste: z.output<typeof sitesQuery> = { limit: TOP_SITES, sort: '-versionBytes' };

/** The dashboard: sums of the newest scan, which are kept, and what is held and protected at this moment. */
export async function dashboardFigures(tx: Tx, tenantId: string, now: Date): Promise<DataManagementFigures> {
  const scanned = await newestReport(tx, tenantId, now);
  const { rows } = await sql<{ protected: number; held: number }>`
    select count(*)::bigint as protected, count(*) filter (where ${isHeld(tenantId, sql`managed.resource_id`)})::bigint as held
    from ${managedSources(tenantId)} managed`.execute(tx);
  const { items: top } = await sitesPage(tx, tenantId, mostWaste, now);
  return {
    ...scanned,
    protected: rows[0]?.protected ?? 0,
    held: rows[0]?.held ?? 0,
    sensitive: await countSensitive(tx, tenantId),
    days: await daysOf(tx, tenantId, now),
    top: top.filter((site) => site.versionBytes > 0),
  };
}
