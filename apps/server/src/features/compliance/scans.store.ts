import { protectingTypes } from '@holdfast/contract/jobs';
import type { Scan } from '@holdfast/contract/compliance-values';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import { sql } from 'kysely';
import { organisationZone } from '../reporting/index.ts';
import { managedSources } from './managed-sources.views.ts';

/** A scan that this worker has taken. */
export interface TakenScan {
  readonly scanId: string;
  readonly tenantId: string;
}

/** The queue of scans: what waits, who works, how each has ended. */
export interface ScansStore {
  /** The scan that waits or runs, or a new one. */
  request(tx: Tx, tenantId: string, startedBy: string): Promise<{ readonly scanId: string; readonly isNew: boolean }>;
  /** Queues a scan for each tenant of which something is new, or that has no report of this month. */
  queueDue(scope: Scope): Promise<void>;
  /** A scan that waits, or one whose worker has been silent for too long. */
  take(scope: Scope): Promise<TakenScan | undefined>;
  note(scope: Scope, scanId: string, progress: Partial<Pick<Scan, 'sites' | 'sitesDone'>> & { readonly processed?: number }): Promise<void>;
  giveBack(scope: Scope, scanId: string): Promise<void>;
  fail(scope: Scope, scanId: string, code: string): Promise<void>;
}

const SILENT_MS = 120_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Reports of every backup would pile up; those of months and those that somebody asked for stay. */
const SCHEDULED_DAYS = 90;

/** Tenants whose catalog has moved on since it was read, or without a report of the month, and with no backup under way. */
async function dueTenants(tx: Tx, at: Date): Promise<readonly { readonly tenant_id: string; readonly has_monthly: boolean }[]> {
  const { rows } = await sql<{ tenant_id: string; has_monthly: boolean; is_behind: boolean; ended_at: Date | null; is_busy: boolean }>`
    select tenant.tenant_id,
      exists (select from compliance_scans scan where scan.tenant_id = tenant.tenant_id and scan.kind = 'monthly' and scan.status <> 'failed'
        and to_char(scan.queued_at at time zone ${organisationZone}, 'YYYY-MM') = to_char(${at}::timestamptz at time zone ${organisationZone}, 'YYYY-MM')) as has_monthly,
      exists (select from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
        left join compliance_sources known using (organisation_id, realm, source_id)
        where resource.tenant_id = tenant.tenant_id and resource.kind in ('drive', 'site') and source.points > 0
          and source.head_sequence > coalesce(known.scanned_through, 0)) as is_behind,
      (select max(ended_at) from compliance_scans scan where scan.tenant_id = tenant.tenant_id) as ended_at,
      exists (select from runs where runs.tenant_id = tenant.tenant_id and runs.ended_at is null and runs.type = any(${[...protectingTypes]})
        and runs.workload in ('onedrive', 'sharepoint')) as is_busy
    from tenants tenant
    where exists (select from resources resource join catalog_sources source using (organisation_id, realm, resource_id)
        where resource.tenant_id = tenant.tenant_id and resource.kind in ('drive', 'site') and source.points > 0)
      and not exists (select from compliance_scans scan where scan.tenant_id = tenant.tenant_id and scan.status in ('pending', 'running'))`.execute(
    tx,
  );
  return rows.filter(({ has_monthly, is_behind, ended_at, is_busy }) => {
    if (has_monthly && !is_behind) return false;
    const since = ended_at === null ? Number.POSITIVE_INFINITY : at.getTime() - ended_at.getTime();
    return since >= (is_busy ? DAY_MS : HOUR_MS) && !(is_busy && ended_at === null);
  });
}

async function insert(
  tx: Tx,
  scan: { scanId: string; tenantId: string; kind: Scan['kind']; startedBy: string | null; at: Date },
): Promise<void> {
  await sql`insert into compliance_scans (scan_id, tenant_id, number, kind, started_by, queued_at)
    select ${scan.scanId}, ${scan.tenantId}, coalesce(max(number), 0) + 1, ${scan.kind}, ${scan.startedBy}, ${scan.at}
    from compliance_scans where tenant_id = ${scan.tenantId} on conflict do nothing`.execute(tx);
}

async function openScan(tx: Tx, tenantId: string): Promise<string | undefined> {
  const { rows } = await sql<{ scan_id: string }>`
    select scan_id from compliance_scans where tenant_id = ${tenantId} and status in ('pending', 'running')`.execute(tx);
  return rows[0]?.scan_id;
}

export function createScansStore({ database, clock, ids }: { database: Database; clock: Clock; ids: Ids }): ScansStore {
  const change = (scope: Scope, scanId: string, values: Record<string, unknown>): Promise<void> =>
    database.within(scope, async (tx) => {
      await tx.updateTable('compliance_scans').set(values).where('scan_id', '=', scanId).where('status', '=', 'running').execute();
    });
  return Object.freeze<ScansStore>({
    async request(tx, tenantId, startedBy) {
      const open = await openScan(tx, tenantId);
      if (open !== undefined) return { scanId: open, isNew: false };
      const scanId = ids.uuid();
      await insert(tx, { scanId, tenantId, kind: 'onDemand', startedBy, at: now(clock) });
      return { scanId: (await openScan(tx, tenantId)) ?? scanId, isNew: true };
    },
    queueDue(scope) {
      const at = now(clock);
      return database.within(scope, async (tx) => {
        for (const { tenant_id: tenantId, has_monthly } of await dueTenants(tx, at)) {
          await insert(tx, { scanId: ids.uuid(), tenantId, kind: has_monthly ? 'scheduled' : 'monthly', startedBy: null, at });
          const oldest = new Date(at.getTime() - SCHEDULED_DAYS * DAY_MS);
          await sql`delete from compliance_scans where tenant_id = ${tenantId} and kind = 'scheduled' and ended_at < ${oldest}`.execute(tx);
        }
      });
    },
    take(scope) {
      const at = now(clock);
      return database.within(scope, async (tx) => {
        const { rows } = await sql<{ scan_id: string; tenant_id: string }>`
          update compliance_scans set status = 'running', started_at = coalesce(started_at, ${at}), seen_at = ${at}
          where (organisation_id, realm, scan_id) = (
            select organisation_id, realm, scan_id from compliance_scans
            where status = 'pending' or (status = 'running' and seen_at < ${new Date(at.getTime() - SILENT_MS)})
            order by queued_at limit 1 for update skip locked)
          returning scan_id, tenant_id`.execute(tx);
        return rows[0] && { scanId: rows[0].scan_id, tenantId: rows[0].tenant_id };
      });
    },
    note: (scope, scanId, { sites, sitesDone, processed = 0 }) =>
      database.within(scope, async (tx) => {
        await sql`update compliance_scans set seen_at = ${now(clock)}, processed = processed + ${processed},
            sites = coalesce(${sites ?? null}, sites), sites_done = coalesce(${sitesDone ?? null}, sites_done)
          where scan_id = ${scanId} and status = 'running'`.execute(tx);
      }),
    giveBack: (scope, scanId) => change(scope, scanId, { status: 'pending', seen_at: null }),
    fail: (scope, scanId, code) => change(scope, scanId, { status: 'failed', ended_at: now(clock), code }),
  });
}

/** Keeps the list of what is read: newcomers are added, what is kept elsewhere or forgotten is dropped. */
export async function syncSources(tx: Tx, tenantId: string): Promise<void> {
  await sql`delete from compliance_sources where tenant_id = ${tenantId}
    and source_id not in (select source_id from ${managedSources(tenantId)} managed)`.execute(tx);
  await sql`insert into compliance_sources (source_id, tenant_id, resource_id)
    select source_id, ${tenantId}, resource_id from ${managedSources(tenantId)} managed on conflict do nothing`.execute(tx);
}
