import type { Database, Scope, Tx } from '@holdfast/database';
import { sql } from 'kysely';

export interface Recipient {
  readonly email: string;
  readonly language: 'en' | 'de';
}

/** Somebody who is told, and whether of every day as well. */
export interface Subscriber extends Recipient {
  readonly wantsSummary: boolean;
  readonly accountId: string;
  readonly role: 'owner' | 'administrator';
}

/** A run that did not end as it should. */
export interface TroubledRun {
  readonly runId: string;
  readonly jobName: string;
  readonly tenantName: string;
  readonly status: 'failed' | 'defective';
  readonly code: string | null;
  readonly errors: number;
  readonly processed: number;
  /** What a verification found, and where; nothing of any other run. */
  readonly deviation?: { readonly location: string; readonly findings: readonly { readonly code: string; readonly count: number }[] };
}

/** A run that went well after one of the same job that was an alarm. */
export type RecoveredRun = Pick<TroubledRun, 'runId' | 'jobName' | 'tenantName'>;

/** What ran in a span of time. */
export interface DayFigures {
  readonly successful: number;
  readonly defective: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly skipped: number;
  readonly troubled: readonly TroubledRun[];
}

type NoticeKind = 'run' | 'day' | 'audit' | 'content';

/** Content by the resource it is of, or by its source in a vault. */
export interface ContentReference {
  readonly by: 'resource' | 'source';
  readonly value: string;
}

export interface NotificationsStore {
  within: Database['within'];
  /** Notes that something is told; false when it was before. */
  note(tx: Tx, notice: { readonly kind: NoticeKind; readonly subject: string; readonly at: Date }): Promise<boolean>;
  /** Owners and administrators who can be reached. */
  recipients(tx: Tx, at: Date): Promise<readonly Subscriber[]>;
  /** The owner of a saved search while they may search; otherwise the owners of the organisation. */
  recipientsOfSearch(tx: Tx, ownerId: string, at: Date): Promise<readonly Recipient[]>;
  /** A run that failed or was defective; undefined for any other. */
  troubled(tx: Tx, runId: string): Promise<TroubledRun | undefined>;
  /** A run that ended the alarm of the run before it of the same job; undefined for any other. */
  recovered(tx: Tx, runId: string): Promise<RecoveredRun | undefined>;
  /** Runs that ended an alarm since then, which nobody was told yet. */
  unsaid(tx: Tx, since: Date): Promise<readonly string[]>;
  /** Runs that ended badly since then and were not told of. */
  untold(tx: Tx, since: Date): Promise<readonly string[]>;
  /** The zone of the organisation, or that of most schedules; undefined without any job. */
  zone(tx: Tx): Promise<string | undefined>;
  /** Whose mailbox or drive it is, when their organisation wants them to be told. */
  ownerOf(tx: Tx, content: ContentReference): Promise<(Recipient & { readonly resourceId: string; readonly name: string }) | undefined>;
  /** What ended in a span; at most `limit` runs by name. */
  day(tx: Tx, span: { readonly from: Date; readonly until: Date }, limit: number): Promise<DayFigures>;
  /** Forgets what was told long ago. */
  forget(tx: Tx, before: Date): Promise<void>;
}

interface RunRow {
  readonly run_id: string;
  readonly job_name: string;
  readonly tenant_name: string;
  readonly status: TroubledRun['status'];
  readonly code: string | null;
  readonly errors: number;
  readonly processed: number;
  readonly location_name: string | null;
  readonly findings: readonly { readonly code: string; readonly count: number }[] | null;
}

const troubledRuns = sql`
  select run.run_id, run.job_name, coalesce(nullif(tenant.display_name, ''), tenant.name) as tenant_name, run.status, run.code, run.errors, run.processed,
    location.name as location_name, run.result -> 'findings' as findings
  from runs run join tenants tenant using (organisation_id, realm, tenant_id)
    left join locations location using (organisation_id, realm, location_id)
  where run.status in ('failed', 'defective')`;

/** Successful runs whose predecessor, the last run of the job that ended by itself, was an alarm that was sent. */
const recoveredRuns = sql`
  select run.run_id as "runId", run.job_name as "jobName", coalesce(nullif(tenant.display_name, ''), tenant.name) as "tenantName"
  from runs run join tenants tenant using (organisation_id, realm, tenant_id)
    join lateral (
      select run_id, status from runs earlier
      where earlier.job_id = run.job_id and earlier.number < run.number and earlier.status in ('successful', 'defective', 'failed')
      order by number desc limit 1) before on true
  where run.status = 'successful' and before.status in ('failed', 'defective')
    and exists (select from notices where kind = 'run' and subject = before.run_id::text)`;

/** How the notice of an alarm that is over is called, beside that of the alarm. */
export function overSubject(runId: string): string {
  return `${runId} over`;
}

function runOf(row: RunRow): TroubledRun {
  const { run_id: runId, job_name: jobName, tenant_name: tenantName, status, code, errors, processed } = row;
  const run = { runId, jobName, tenantName, status, code, errors, processed };
  if (!row.findings) return run;
  return { ...run, deviation: { location: row.location_name ?? jobName, findings: row.findings } };
}

async function recipients(tx: Tx, at: Date): Promise<readonly Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    select account.email, account.language, account.summary_mails as "wantsSummary", account.id as "accountId", membership.role
    from memberships membership join accounts account on account.id = membership.account_id
    where membership.role in ('owner', 'administrator') and membership.joined_at is not null and membership.disabled_at is null
      and (membership.ends_at is null or membership.ends_at > ${at}) and account.disabled_at is null and account.email_confirmed
    order by account.email`.execute(tx);
  return rows;
}

async function day(tx: Tx, { from, until }: { readonly from: Date; readonly until: Date }, limit: number): Promise<DayFigures> {
  const { rows: counted } = await sql<{ status: string; count: number }>`
    select status, count(*)::bigint as count from runs where ended_at > ${from} and ended_at <= ${until} group by status`.execute(tx);
  const { rows: troubled } = await sql<RunRow>`
    ${troubledRuns} and run.ended_at > ${from} and run.ended_at <= ${until} order by run.ended_at desc limit ${limit}`.execute(tx);
  const countOf = (status: string): number => counted.find((row) => row.status === status)?.count ?? 0;
  return {
    successful: countOf('successful'),
    defective: countOf('defective'),
    failed: countOf('failed'),
    cancelled: countOf('cancelled'),
    skipped: countOf('skipped'),
    troubled: troubled.map(runOf),
  };
}

export function createNotificationsStore(database: Database): NotificationsStore {
  return Object.freeze<NotificationsStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    recipients,
    day,
    async recipientsOfSearch(tx, ownerId, at) {
      const able = await recipients(tx, at);
      const own = able.filter(({ accountId }) => accountId === ownerId);
      return own.length > 0 ? own : able.filter(({ role }) => role === 'owner');
    },
    async note(tx, { kind, subject, at }) {
      const row = await tx
        .insertInto('notices')
        .values({ kind, subject, noticed_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returning('subject')
        .executeTakeFirst();
      return row !== undefined;
    },
    async troubled(tx, runId) {
      const { rows } = await sql<RunRow>`${troubledRuns} and run.run_id = ${runId}`.execute(tx);
      return rows[0] && runOf(rows[0]);
    },
    async recovered(tx, runId) {
      const { rows } = await sql<RecoveredRun>`${recoveredRuns} and run.run_id = ${runId}`.execute(tx);
      return rows[0];
    },
    async unsaid(tx, since) {
      const { rows } = await sql<RecoveredRun>`${recoveredRuns} and run.ended_at > ${since}
        and not exists (select from notices where kind = 'run' and subject = run.run_id::text || ' over') limit 100`.execute(tx);
      return rows.map(({ runId }) => runId);
    },
    async untold(tx, since) {
      const { rows } = await sql<{ run_id: string }>`
        select run_id from runs run where status in ('failed', 'defective') and ended_at > ${since}
          and not exists (select from notices where kind = 'run' and subject = run.run_id::text)
        order by ended_at limit 100`.execute(tx);
      return rows.map((row) => row.run_id);
    },
    async zone(tx) {
      const { rows } = await sql<{ zone: string | null; has_jobs: boolean }>`
        select exists (select from jobs) as has_jobs, coalesce((select time_zone from organisations),
          (select schedule->>'timeZone' from jobs group by 1 order by schedule->>'timeZone' is null, count(*) desc, 1 limit 1)) as zone`.execute(
        tx,
      );
      return rows[0]?.has_jobs === true ? (rows[0].zone ?? 'UTC') : undefined;
    },
    async ownerOf(tx, { by, value }) {
      const { rows } = await sql<{ resource_id: string; name: string; address: string; language: 'en' | 'de' | null }>`
        select resource_id, resource.name, resource.address, account.language
        from resources resource left join accounts account on lower(account.email) = lower(resource.address)
        where resource.kind in ('mailbox', 'drive') and resource.address like '%@%' and exists (select from organisations where notify_content_access)
          and resource_id in (${by === 'resource' ? sql`${value}::uuid` : sql`select source.resource_id from catalog_sources source where source_id = ${value}`})`.execute(
        tx,
      );
      const [row] = rows;
      return row && { resourceId: row.resource_id, name: row.name, email: row.address, language: row.language ?? 'en' };
    },
    async forget(tx, before) {
      await tx.deleteFrom('notices').where('noticed_at', '<', before).execute();
    },
  });
}
