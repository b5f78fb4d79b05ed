import type { Overview } from '@holdfast/contract/dashboard';
import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';
import type { JobsViews } from '../jobs/index.ts';
import type { RunsViews } from '../../runs/index.ts';
import type { ProtectionViews, ReportsViews } from '../reporting/index.ts';
import { attentionOf, type AttentionViews } from './attention.views.ts';
import type { FiguresViews } from './figures.views.ts';

const SHORT_LIST = 5;

/** What of the attention list is for some roles alone. */
export interface AttentionSeen {
  readonly searches?: boolean;
  readonly requests?: boolean;
}

export interface OverviewViews {
  /** All workloads in one answer; what needs attention comes first. */
  overview(scope: Scope, tenantId: string, now: Date, sees?: AttentionSeen): Promise<Overview>;
  /** What each location holds now. */
  storage(scope: Scope, tenantId: string): Promise<Overview['storage']>;
  /** What needs attention alone, which every page shows behind its bell. */
  attention(scope: Scope, tenantId: string, now: Date, sees?: AttentionSeen): Promise<Overview['attention']>;
}

export interface OverviewParts {
  readonly database: Database;
  readonly attention: AttentionViews;
  readonly figures: FiguresViews;
  readonly jobs: JobsViews;
  readonly runs: RunsViews;
  readonly reports: ReportsViews;
  readonly protection: ProtectionViews;
  /** What the last verification of the audit log found. */
  readonly nightly: { last(): Promise<{ readonly at: Date; readonly ok: boolean } | undefined> };
}

interface StorageRow {
  readonly location_id: string;
  readonly name: string;
  readonly source_bytes: number;
  readonly stored_bytes: number;
  readonly free_bytes: number | null;
}

/**
 * What each location holds: bytes of the newest state, and bytes that were really written for it. Runs that have ended
 * know theirs, also when their points are gone; the source grows with each segment, so what runs have written so far counts too.
 */
function readStorage(database: Database, scope: Scope, tenantId: string): Promise<Overview['storage']> {
  return database.within(scope, async (tx) => {
    const { rows } = await sql<StorageRow>`
      select location.location_id, location.name, (location.last_test->>'freeBytes')::bigint as free_bytes,
        coalesce((select sum(bytes) from catalog_sources source where source.location_id = location.location_id), 0)::bigint as source_bytes,
        (coalesce((select sum(stored_bytes) from runs run where run.location_id = location.location_id and run.ended_at is not null), 0)
          + coalesce((select sum(point.stored_bytes) from runs run
              join catalog_points point on (point.organisation_id, point.realm, point.run_id) = (run.organisation_id, run.realm, run.run_id::text)
              where run.location_id = location.location_id and run.ended_at is null), 0)
          + coalesce((select sum(pending_stored_bytes) from catalog_sources source where source.location_id = location.location_id), 0)
        )::bigint as stored_bytes
      from locations location where location.tenant_id = ${tenantId} order by lower(location.name)`.execute(tx);
    return rows.map((row) => ({
      locationId: row.location_id,
      locationName: row.name,
      sourceBytes: row.source_bytes,
      storedBytes: row.stored_bytes,
      freeBytes: row.free_bytes,
    }));
  });
}

/** Two days without a verification are overdue: it is done every night. */
const OVERDUE_MS = 48 * 3_600_000;

async function readAuditVerification(nightly: OverviewParts['nightly'], now: Date): Promise<Overview['lastAuditVerification']> {
  const last = await nightly.last();
  if (!last) return null;
  const isOverdue = now.getTime() - last.at.getTime() > OVERDUE_MS;
  return { at: last.at.toISOString(), state: !last.ok ? 'deviation' : isOverdue ? 'overdue' : 'verified' };
}

async function readSetUp(database: Database, scope: Scope, tenantId: string): Promise<Overview['setUp']> {
  return database.within(scope, async (tx) => {
    const { rows } = await sql<{ location: boolean; backup: boolean }>`
      select exists (select from locations where tenant_id = ${tenantId}) as location,
        exists (select from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
          where resource.tenant_id = ${tenantId} and resource.kind not in ('archive', 'journal') and source.points > 0) as backup`.execute(
      tx,
    );
    return { tenantConnected: true, locationAdded: rows[0]?.location ?? false, firstBackup: rows[0]?.backup ?? false };
  });
}

/** What needs attention, with the evidence and the verification it was judged by. */
async function readAttention(parts: OverviewParts, { scope, tenantId, now, sees }: Asked) {
  const { attention, reports, nightly } = parts;
  const [ofJobs, ofBlocked, ofSearches, ofRequests, evidence, audit] = await Promise.all([
    attention.ofJobs(scope, tenantId, now),
    attention.ofBlocked(scope, tenantId),
    // The name of a search can say what is looked for: it is shown to those alone who may run it.
    sees.searches === true ? attention.ofSearches(scope, tenantId) : [],
    sees.requests === true ? attention.ofRequests(scope, tenantId, now) : [],
    reports.evidence(scope, tenantId, now),
    readAuditVerification(nightly, now),
  ]);
  return { items: attentionOf({ ofJobs, ofBlocked, ofSearches, ofRequests, evidence, audit }), evidence, audit };
}

interface Asked {
  readonly scope: Scope;
  readonly tenantId: string;
  readonly now: Date;
  readonly sees: AttentionSeen;
}

export function createOverviewViews(parts: OverviewParts): OverviewViews {
  const { database, figures, jobs, runs, protection } = parts;
  return Object.freeze<OverviewViews>({
    storage: (scope, tenantId) => readStorage(database, scope, tenantId),
    async attention(scope, tenantId, now, sees = {}) {
      return (await readAttention(parts, { scope, tenantId, now, sees })).items;
    },
    async overview(scope, tenantId, now, sees = {}) {
      const [workloads, storage, { items: attention, evidence, audit }, gaps, nextRuns, recent, setUp] = await Promise.all([
        figures.workloads(scope, tenantId, now),
        readStorage(database, scope, tenantId),
        readAttention(parts, { scope, tenantId, now, sees }),
        protection.notProtected(scope, tenantId, { limit: SHORT_LIST, wholeOnly: true, withoutExcluded: true }),
        jobs.upcoming(scope, tenantId, SHORT_LIST),
        runs.list(scope, tenantId, { limit: SHORT_LIST }),
        readSetUp(database, scope, tenantId),
      ]);
      return {
        workloads,
        storage,
        attention,
        notProtected: { total: gaps.total, items: gaps.items },
        lastVerification: evidence.find((found) => found.kind === 'verify') ?? null,
        lastDrill: evidence.find((found) => found.kind === 'drill') ?? null,
        lastAuditVerification: audit,
        nextRuns,
        recentRuns: recent.items,
        setUp,
      };
    },
  });
}
