import { protectingTypes } from '@holdfast/contract/jobs';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { hasReportOfMonth } from './scan-report.store.ts';
import { isAwaited } from './trimmed-versions.store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Candidate {
  readonly tenant_id: string;
  readonly has_monthly: boolean;
  readonly is_behind: boolean;
  readonly ended_at: Date | null;
  readonly is_busy: boolean;
  /** Somebody has the script of a clean-up, and not all that it deletes is known to be gone. */
  readonly is_awaited: boolean;
}

/** While backups run the catalog keeps moving: a scan then waits for a day, and the first one for the end of the backup. */
function isDue({ has_monthly, is_behind, ended_at, is_busy, is_awaited }: Candidate, at: Date): boolean {
  if (has_monthly && !is_behind) return is_awaited && ended_at !== null && at.getTime() - ended_at.getTime() >= DAY_MS;
  if (ended_at === null) return !is_busy;
  return at.getTime() - ended_at.getTime() >= (is_busy ? DAY_MS : HOUR_MS);
}

/** Tenants whose catalog has moved on since it was read, or without a report of the month. */
export async function dueTenants(tx: Tx, at: Date): Promise<readonly string[]> {
  const { rows } = await sql<Candidate>`
    select tenant.tenant_id, ${hasReportOfMonth(sql`tenant.tenant_id`, at)} as has_monthly,
      exists (select from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
        left join compliance_sources known using (organisation_id, realm, source_id)
        where resource.tenant_id = tenant.tenant_id and resource.kind in ('drive', 'site') and source.points > 0
          and source.head_sequence > coalesce(known.scanned_through, 0)) as is_behind,
      (select max(ended_at) from runs where runs.tenant_id = tenant.tenant_id and runs.type = 'scan') as ended_at,
      exists (select from runs where runs.tenant_id = tenant.tenant_id and runs.ended_at is null and runs.type = any(${[...protectingTypes]})
        and runs.workload in ('onedrive', 'sharepoint')) as is_busy,
      ${isAwaited(sql`tenant.tenant_id`, at)} as is_awaited
    from tenants tenant
    where tenant.deprovisioned_at is null
      and exists (select from resources resource join catalog_sources source using (organisation_id, realm, resource_id)
        where resource.tenant_id = tenant.tenant_id and resource.kind in ('drive', 'site') and source.points > 0)
      and not exists (select from runs where runs.tenant_id = tenant.tenant_id and runs.type = 'scan' and runs.ended_at is null)`.execute(
    tx,
  );
  return rows.filter((row) => isDue(row, at)).map((row) => row.tenant_id);
}

/** The scan of a tenant that waits or runs. */
export async function openScan(tx: Tx, tenantId: string): Promise<string | undefined> {
  const { rows } = await sql<{ run_id: string }>`
    select run_id from runs where tenant_id = ${tenantId} and type = 'scan' and ended_at is null`.execute(tx);
  return rows[0]?.run_id;
}
