import type { Database, Scope, Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { ageAt, ageLimits } from './ages.ts';

/** Ends a scan with its report: what each site and drive holds at this moment, and the sums. */
export interface ScanReportStore {
  complete(scope: Scope, scan: { readonly scanId: string; readonly tenantId: string }, at: Date): Promise<void>;
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
    complete: (scope, { scanId, tenantId }, at) =>
      database.within(scope, async (tx) => {
        await countDuplicates(tx, tenantId);
        const figures = JSON.stringify(await figuresOf(tx, tenantId, at));
        const { rows } = await sql`
          update compliance_scans set status = 'successful', ended_at = ${at}, sites_done = sites, figures = ${figures}::jsonb
          where scan_id = ${scanId} and status = 'running' returning scan_id`.execute(tx);
        if (rows.length > 0) await keepSites(tx, scanId, tenantId);
      }),
  });
}
