import type { AttentionEntry as Entry, Overview } from '@holdfast/contract/dashboard';
import { reminderDays } from '@holdfast/contract/data-requests';
import { jobAddress, type JobType } from '@holdfast/contract/jobs';
import { reportsAddress, type Evidence } from '@holdfast/contract/reporting';
import type { Workload } from '@holdfast/contract/values';
import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';
import { dayOf } from '../data-requests/index.ts';
import { timeZoneOf } from '../organisations/index.ts';

const LIMIT = 10;
/** A scheduler looks every few seconds and a free worker takes what is queued at once: after this long nobody is doing it. */
const LATE_MS = 15 * 60_000;

export interface AttentionViews {
  /** Jobs that do not run although they should, then those whose last run went wrong. */
  ofJobs(scope: Scope, tenantId: string, now: Date): Promise<Entry[]>;
  /** Mailboxes that an access policy blocks, in one entry. */
  ofBlocked(scope: Scope, tenantId: string): Promise<Entry[]>;
  /** Saved searches whose alert has found something since they were last run. */
  ofSearches(scope: Scope, tenantId: string): Promise<Entry[]>;
  /** Requests of people about their data that must be answered soon or should have been, in one entry each. */
  ofRequests(scope: Scope, tenantId: string, now: Date): Promise<Entry[]>;
}

export interface AttentionGround {
  readonly ofRequests: readonly Entry[];
  readonly ofJobs: readonly Entry[];
  readonly ofBlocked: readonly Entry[];
  readonly ofSearches: readonly Entry[];
  /** Newest first. */
  readonly evidence: readonly Evidence[];
  readonly audit: Overview['lastAuditVerification'];
}

/** The newest evidence of a kind is what counts of a location: a later good one heals it. */
function ofEvidence(evidence: readonly Evidence[], state: 'deviation' | 'overdue'): Entry[] {
  const newest = [...new Map(evidence.toReversed().map((found) => [`${found.kind} ${found.locationName}`, found])).values()];
  return newest
    .filter((found) => found.state === state)
    .map(({ kind, locationName, at }) => ({
      kind: 'evidence',
      code: state === 'deviation' ? 'evidence.deviation' : `evidence.${kind}-overdue`,
      name: locationName,
      link: reportsAddress('evidence'),
      isRisk: state === 'deviation',
      since: at,
      jobId: null,
    }));
}

function ofAudit(audit: Overview['lastAuditVerification']): Entry[] {
  if (audit?.state !== 'deviation') return [];
  return [
    {
      kind: 'evidence',
      code: 'evidence.audit-deviation',
      name: '',
      link: '/configuration/audit-log',
      isRisk: true,
      since: audit.at,
      jobId: null,
    },
  ];
}

interface TroubledRow {
  readonly run_id: string;
  readonly job_name: string;
  readonly code: string | null;
  readonly status: 'failed' | 'defective';
  readonly job_id: string;
  /** The first of the runs that went wrong since the last good one. */
  readonly since: Date;
}

/** Jobs whose newest ended run went wrong: each is healed by its next good run and disappears. */
async function readTroubled(database: Database, scope: Scope, tenantId: string): Promise<Entry[]> {
  return database.within(scope, async (tx) => {
    const { rows } = await sql<TroubledRow>`
      select run_id, job_name, code, status, job_id, (
          select min(bad.ended_at) from runs bad where bad.job_id = newest.job_id and bad.status in ('failed', 'defective')
            and bad.ended_at > coalesce((select max(good.ended_at) from runs good where good.job_id = newest.job_id and good.status = 'successful'), '-infinity')
        ) as since from (
        select distinct on (job_id) run_id, job_name, code, status, job_id, ended_at from runs
        where tenant_id = ${tenantId} and job_id is not null and ended_at is not null and status <> 'skipped'
        order by job_id, ended_at desc) newest
      where status in ('failed', 'defective') order by (status = 'failed') desc, ended_at desc limit ${LIMIT}`.execute(tx);
    return rows.map((row) => ({
      kind: 'run' as const,
      code: row.code ?? (row.status === 'failed' ? 'runs.failed' : 'runs.defective'),
      name: row.job_name,
      link: `/backup-and-restore/job-monitor/${row.run_id}`,
      isRisk: row.status === 'failed',
      since: row.since.toISOString(),
      jobId: row.job_id,
    }));
  });
}

interface LateRow {
  readonly kind: 'job' | 'run';
  readonly id: string;
  readonly name: string;
  readonly type: JobType;
  readonly workload: Workload;
  readonly since: Date;
}

/** What should have begun and has not. Nothing fails while nothing runs, so that nobody else would tell. */
async function readLate(database: Database, scope: Scope, tenantId: string, now: Date): Promise<Entry[]> {
  const late = new Date(now.getTime() - LATE_MS);
  return database.within(scope, async (tx) => {
    const { rows } = await sql<LateRow>`
      select 'run' as kind, run_id as id, job_name as name, type, workload, queued_at as since from runs where tenant_id = ${tenantId} and status = 'pending' and queued_at < ${late}
      union all
      select 'job', job_id, name, type, workload, next_run_at from jobs where tenant_id = ${tenantId} and next_run_at < ${late}
      order by name, id limit ${LIMIT}`.execute(tx);
    return rows.map(({ kind, id, name, since, ...job }) => {
      const same = { kind, name, isRisk: true, since: since.toISOString(), jobId: kind === 'job' ? id : null };
      return kind === 'job'
        ? { ...same, code: 'runs.not-begun', link: jobAddress({ jobId: id, ...job }) }
        : { ...same, code: 'runs.waiting', link: `/backup-and-restore/job-monitor/${id}` };
    });
  });
}

/**
 * One entry for all, however many: they have one cause, which an Exchange administrator mends in one place. The archive of a
 * mailbox is closed with it and is no other.
 */
async function readBlocked(database: Database, scope: Scope, tenantId: string): Promise<Entry[]> {
  const code = 'graph.mailbox-closed';
  return database.within(scope, async (tx) => {
    const { rows } = await sql<{ name: string | null; total: number }>`
      select min(name) as name, count(*)::bigint as total from resources
      where tenant_id = ${tenantId} and kind = 'mailbox' and deleted_at is null and last_status = 'excluded' and last_code = ${code}`.execute(
      tx,
    );
    const [{ name, total } = { name: null, total: 0 }] = rows;
    if (name === null) return [];
    const link = `${reportsAddress('coverage')}&workload=exchange`;
    return [{ kind: 'coverage', code, name, others: total - 1, link, isRisk: true, since: null, jobId: null }];
  });
}

async function readSearches(database: Database, scope: Scope, tenantId: string): Promise<Entry[]> {
  return database.within(scope, async (tx) => {
    const rows = await tx
      .selectFrom('saved_searches')
      .select(['search_id', 'name', 'checked_at'])
      .where('tenant_id', '=', tenantId)
      .where('has_alert', '=', true)
      .where('new_hits', '>', 0)
      .orderBy('checked_at', 'desc')
      .limit(LIMIT)
      .execute();
    return rows.map((row) => ({
      kind: 'search' as const,
      code: 'search.new-hits',
      name: row.name,
      link: `/search?saved=${row.search_id}`,
      isRisk: false,
      since: row.checked_at?.toISOString() ?? null,
      jobId: null,
    }));
  });
}

/** One entry for those whose time is over and one for those whose time ends soon. Who has asked is not said here. */
async function readRequests(database: Database, scope: Scope, tenantId: string, now: Date): Promise<Entry[]> {
  return database.within(scope, async (tx) => {
    const today = dayOf(now, await timeZoneOf(tx));
    const { rows } = await sql<{ is_over: boolean; total: number; since: Date }>`
      select due_on < ${today}::date as is_over, count(*)::bigint as total, min(registered_at) as since from data_requests
      where tenant_id = ${tenantId} and outcome is null and due_on <= ${today}::date + ${reminderDays}::int group by 1 order by 1 desc`.execute(
      tx,
    );
    return rows.map((row) => ({
      kind: 'request' as const,
      code: row.is_over ? 'requests.over' : 'requests.due',
      name: '',
      others: row.total - 1,
      link: '/archive/data-requests',
      isRisk: row.is_over,
      since: row.since.toISOString(),
      jobId: null,
    }));
  });
}

export function createAttentionViews(database: Database): AttentionViews {
  return Object.freeze<AttentionViews>({
    async ofJobs(scope, tenantId, now) {
      const found = await Promise.all([readLate(database, scope, tenantId, now), readTroubled(database, scope, tenantId)]);
      return found.flat();
    },
    ofBlocked: (scope, tenantId) => readBlocked(database, scope, tenantId),
    ofSearches: (scope, tenantId) => readSearches(database, scope, tenantId),
    ofRequests: (scope, tenantId, now) => readRequests(database, scope, tenantId, now),
  });
}

/** What somebody should look at, the worst first: each entry names its cause and leads to where it is mended. */
export function attentionOf({ ofJobs, ofBlocked, ofSearches, ofRequests, evidence, audit }: AttentionGround): Entry[] {
  return [
    ...ofAudit(audit),
    ...ofEvidence(evidence, 'deviation'),
    ...ofRequests,
    ...ofJobs,
    ...ofBlocked,
    ...ofEvidence(evidence, 'overdue'),
    ...ofSearches,
  ].slice(0, LIMIT);
}
