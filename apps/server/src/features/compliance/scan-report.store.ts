import type { Database, Scope, Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { organisationZone } from '../reporting/index.ts';
import { ageAt, ageLimits } from './ages.ts';

/** Ends a scan with its report: what each site and drive holds at this moment, and the sums. */
export interface ScanReportStore {
  complete(scope: Scope, scan: ReadScan, at: Date): Promise<void>;
}

interface ScanOfTenant {
  /** The id of its run. */
  readonly scanId: string;
  readonly tenantId: string;
}

/** A scan that has read everything, and how many restore points are due for deletion. */
interface ReadScan extends ScanOfTenant {
  readonly due: number | null;
}

const DAY_MS = 86_400_000;
/** Reports of every backup would pile up; those of months and those that somebody asked for stay. */
const SCHEDULED_DAYS = 90;

/** Whether a tenant has the report of the month that a moment is in. */
export function hasReportOfMonth(tenantId: RawBuilder<unknown>, at: Date): RawBuilder<boolean> {
  const month = (moment: RawBuilder<unknown>) => sql`to_char(${moment} at time zone ${organisationZone}, 'YYYY-MM')`;
  return sql<boolean>`exists (select from compliance_scans scan where scan.tenant_id = ${tenantId} and scan.kind = 'monthly'
    and ${month(sql`scan.ended_at`)} = ${month(sql`${at}::timestamptz`)})`;
}

/** Writes the report of a run: on demand where somebody started it, else the first of its month is that of the month. */
async function insertReport(tx: Tx, { scanId, tenantId }: ScanOfTenant, at: Date, figures: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scans/${tenantId}`}, 0))`.execute(tx);
  const { rows } = await sql`
    insert into compliance_scans (scan_id, tenant_id, number, kind, ended_at, figures)
    select runs.run_id, runs.tenant_id, (select coalesce(max(number), 0) + 1 from compliance_scans where tenant_id = ${tenantId}),
      case when runs.trigger = 'manual' then 'onDemand' when ${hasReportOfMonth(sql`runs.tenant_id`, at)} then 'scheduled' else 'monthly' end,
      ${at}, ${figures}::jsonb
    from runs where runs.run_id = ${scanId} on conflict do nothing returning scan_id`.execute(tx);
  await sql`delete from compliance_scans where tenant_id = ${tenantId} and kind = 'scheduled'
    and ended_at < ${new Date(at.getTime() - SCHEDULED_DAYS * DAY_MS)}`.execute(tx);
  return rows.length > 0;
}

const liveFiles = (tenantId: string) =>
  sql`compliance_files file join compliance_sources source using (organisation_id, realm, source_id)
    where source.tenant_id = ${tenantId} and not file.is_deleted`;

/** Files of which the same content is in another place too, by site. */
async function countDuplicates(tx: Tx, tenantId: string): Promise<void> {
  await sql`
    with repeated as (select file.content from ${liveFiles(tenantId)} and file.content is not null group by file.content having count(*) > 1),
    counted as (select file.source_id, count(*) as duplicates from ${liveFiles(tenantId)} and file.content in (select content from repeated)
      group by file.source_id)
    update compliance_sources source set duplicates = coalesce((select duplicates from counted where counted.source_id = source.source_id), 0)
    where source.tenant_id = ${tenantId}`.execute(tx);
}

async function figuresOf(tx: Tx, tenantId: string, at: Date): Promise<object> {
  const sums = await sql<Record<string, number>>`
    select count(*)::bigint as sites, coalesce(sum(files), 0)::bigint as files, coalesce(sum(bytes), 0)::bigint as bytes,
      coalesce(sum(versions), 0)::bigint as versions, coalesce(sum(version_bytes), 0)::bigint as "versionBytes",
      coalesce(sum(deleted), 0)::bigint as deleted, coalesce(sum(duplicates), 0)::bigint as duplicates,
      coalesce(sum(exposed), 0)::bigint as exposed,
      (select coalesce(sum(wasted), 0)::bigint from (select (count(*) - 1) * max(file.size_bytes) as wasted from ${liveFiles(tenantId)}
        and file.content is not null group by file.content having count(*) > 1) repeated) as "duplicateBytes"
    from compliance_sources where tenant_id = ${tenantId}`.execute(tx);
  // Thresholds of an array are ascending: the oldest limit comes first, and the youngest files are above the last.
  const limits = ageLimits(at).toReversed();
  const ages = await sql<{ place: number; files: number; bytes: number }>`
    select ${limits.length}::int - width_bucket(coalesce(file.modified_at, 'epoch'), ${limits}::timestamptz[]) as place,
      count(*)::bigint as files, sum(file.size_bytes)::bigint as bytes from ${liveFiles(tenantId)} group by 1`.execute(tx);
  const byPlace = new Map(ages.rows.map((row) => [row.place, row]));
  const ageBuckets = Array.from({ length: limits.length + 1 }, (_, place) => {
    const { files = 0, bytes = 0 } = byPlace.get(place) ?? {};
    return { age: ageAt(place), files, bytes };
  });
  return { ...sums.rows[0], ageBuckets };
}

async function keepSites(tx: Tx, scanId: string, tenantId: string): Promise<void> {
  await sql`
    insert into compliance_scan_sites (scan_id, resource_id, name, url, kind, files, bytes, versions, version_bytes, deleted, duplicates, exposed)
    select ${scanId}, source.resource_id, resource.name, resource.address, resource.kind, source.files, source.bytes, source.versions,
      source.version_bytes, source.deleted, source.duplicates, source.exposed
    from compliance_sources source join resources resource using (organisation_id, realm, resource_id)
    where source.tenant_id = ${tenantId} on conflict do nothing`.execute(tx);
}

export function createScanReportStore(database: Database): ScanReportStore {
  return Object.freeze<ScanReportStore>({
    complete: (scope, { scanId, tenantId, due }, at) =>
      database.within(scope, async (tx) => {
        await countDuplicates(tx, tenantId);
        const figures = JSON.stringify({ ...(await figuresOf(tx, tenantId, at)), due });
        if (await insertReport(tx, { scanId, tenantId }, at, figures)) await keepSites(tx, scanId, tenantId);
      }),
  });
}
