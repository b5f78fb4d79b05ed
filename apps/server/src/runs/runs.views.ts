import { gatheringTypes } from '@holdfast/contract/jobs';
import type { runsQuery, Run, RunAccount, RunDetails, RunProblem, accountsQuery } from '@holdfast/contract/monitoring';
import type { Page } from '@holdfast/contract/paging';
import type { Task } from '@holdfast/contract/values';
import type { Database, Scope } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../http/paging.ts';
import { isoOf, runDetailsOf, runOf, type RunRow } from './run-rows.ts';
import { shownStatus } from './shown-status.views.ts';

export type RunsQuery = Omit<z.output<typeof runsQuery>, 'type'> & { readonly type?: readonly Run['type'][] | undefined };
export type AccountsQuery = z.output<typeof accountsQuery>;
export interface ProblemsQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
  readonly accountId?: string | undefined;
  readonly outcome?: RunProblem['outcome'] | undefined;
}

/** Runs as screens want them. */
export interface RunsViews {
  list(scope: Scope, tenantId: string, query: RunsQuery): Promise<Page<Run>>;
  get(scope: Scope, tenantId: string, runId: string): Promise<RunDetails | undefined>;
  accounts(scope: Scope, runId: string, query: AccountsQuery): Promise<Page<RunAccount>>;
  problems(scope: Scope, runId: string, query: ProblemsQuery): Promise<Page<RunProblem>>;
  /** The run of a job as a task that is polled. */
  task(scope: Scope, jobId: string, runId: string): Promise<Task | undefined>;
}

const runColumns = {
  reportNumber: 'number',
  queuedAt: 'queued_at',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  jobName: 'job_name',
  status: 'status',
  bytes: 'bytes',
  errors: 'errors',
} as const;
const accountColumns = {
  name: 'lower(resource.name)',
  status: 'status',
  items: 'account.items',
  bytes: 'account.bytes',
  errors: 'account.errors',
} as const;

function and(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(parts, sql` and `);
}

function runConditions(tenantId: string, query: RunsQuery): RawBuilder<unknown> {
  const parts = [sql`tenant_id = ${tenantId}`];
  if (query.jobId !== undefined) parts.push(sql`job_id = ${query.jobId}`);
  if (query.type !== undefined) parts.push(sql`type = any(${[...query.type]}::text[])`);
  if (query.workload !== undefined) parts.push(sql`workload = ${query.workload}`);
  if (query.status !== undefined) parts.push(sql`status = ${query.status}`);
  if (query.active !== undefined) parts.push(query.active ? sql`ended_at is null` : sql`ended_at is not null`);
  // Reports are dated by the end of their run; a run that goes on has none.
  const moment = query.active === false ? sql`ended_at` : sql`queued_at`;
  if (query.from !== undefined) parts.push(sql`${moment} >= ${query.from}`);
  if (query.to !== undefined) parts.push(sql`${moment} < ${query.to}`);
  if (query.search !== undefined) parts.push(sql`(job_name ilike ${likePattern(query.search)} or number::text = ${query.search})`);
  return and(parts);
}

function createRunList(database: Database): Pick<RunsViews, 'list' | 'get' | 'task'> {
  return {
    list(scope, tenantId, query) {
      const window = windowOf(query);
      const { column, isDescending } = sortOf<keyof typeof runColumns>(query.sort, { column: 'queuedAt', isDescending: true });
      const where = runConditions(tenantId, query);
      return database.within(scope, async (tx) => {
        const order = sql`${sql.ref(runColumns[column])} ${sql.raw(isDescending ? 'desc nulls last' : 'asc nulls last')}, number desc`;
        const { rows } =
          await sql<RunRow>`select * from runs where ${where} order by ${order} limit ${window.limit} offset ${window.offset}`.execute(tx);
        const counted = await sql<{ total: number }>`select count(*)::bigint as total from runs where ${where}`.execute(tx);
        return pageFrom(rows.map(runOf), counted.rows[0]?.total ?? 0, window);
      });
    },
    get(scope, tenantId, runId) {
      return database.within(scope, async (tx) => {
        const row = await tx
          .selectFrom('runs')
          .selectAll()
          .where('run_id', '=', runId)
          .where('tenant_id', '=', tenantId)
          .executeTakeFirst();
        return row && runDetailsOf(row);
      });
    },
    task(scope, jobId, runId) {
      return database.within(scope, async (tx) => {
        const row = await tx.selectFrom('runs').selectAll().where('run_id', '=', runId).where('job_id', '=', jobId).executeTakeFirst();
        return row && taskOf(row);
      });
    },
  };
}

const TASK_STATES = {
  pending: 'pending',
  running: 'running',
  cancelling: 'running',
  successful: 'finished',
  defective: 'finished',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped: 'cancelled',
} as const satisfies Record<RunRow['status'], Task['status']>;

function taskOf(row: RunRow): Task {
  return {
    taskId: row.run_id,
    status: TASK_STATES[row.status],
    stage: row.stage,
    progress: row.progress,
    processed: row.processed,
    errors: row.errors,
    startedAt: isoOf(row.started_at),
    endedAt: isoOf(row.ended_at),
    message: row.code,
  };
}

/** A run that gathers reads mailboxes that no backup covers, and fills archives from what is stored. */
const readFrom = sql`(select case resource.kind when 'mailbox' then 'microsoft365' when 'archive' then 'storage' end
  from runs run where run.run_id = account.run_id and run.type = any(${gatheringTypes}::text[]))`;

interface AccountRow {
  readonly resource_id: string;
  readonly name: string;
  readonly address: string;
  readonly kind: RunAccount['kind'];
  readonly readFrom: RunAccount['readFrom'];
  readonly status: RunAccount['status'];
  readonly stage: string;
  readonly processed: number;
  readonly total: number | null;
  readonly items: number;
  readonly bytes: number;
  readonly errors: number;
  readonly code: string | null;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
}

function accountOf(row: AccountRow): RunAccount {
  const { resource_id: accountId, started_at, ended_at, ...same } = row;
  return { accountId, ...same, startedAt: isoOf(started_at), endedAt: isoOf(ended_at) };
}

function createAccountList(database: Database): RunsViews['accounts'] {
  return (scope, runId, query) => {
    const window = windowOf(query);
    const { column, isDescending } = sortOf<keyof typeof accountColumns>(query.sort, { column: 'name', isDescending: false });
    const parts = [sql`account.run_id = ${runId}`];
    if (query.status !== undefined) parts.push(sql`${shownStatus} = ${query.status}`);
    if (query.search !== undefined)
      parts.push(sql`(resource.name ilike ${likePattern(query.search)} or resource.address ilike ${likePattern(query.search)})`);
    const from = sql`from run_accounts account join resources resource using (organisation_id, realm, resource_id) where ${and(parts)}`;
    const order = sql`${sql.raw(accountColumns[column])} ${sql.raw(isDescending ? 'desc' : 'asc')}, resource_id`;
    return database.within(scope, async (tx) => {
      const { rows } = await sql<AccountRow>`
        select resource_id, resource.name, resource.address, resource.kind, ${readFrom} as "readFrom", ${shownStatus} as status, account.stage, account.processed, account.total,
          account.items, account.bytes, account.errors, account.code, account.started_at, account.ended_at
        ${from} order by ${order} limit ${window.limit} offset ${window.offset}`.execute(tx);
      const counted = await sql<{ total: number }>`select count(*)::bigint as total ${from}`.execute(tx);
      return pageFrom(rows.map(accountOf), counted.rows[0]?.total ?? 0, window);
    });
  };
}

interface ProblemRow {
  readonly resource_id: string | null;
  readonly name: string;
  readonly path: string;
  readonly kind: string | null;
  readonly outcome: RunProblem['outcome'];
  readonly code: string;
  readonly tried: string[];
  readonly advice: string;
  readonly request_id: string | null;
}

function problemOf(row: ProblemRow): RunProblem {
  const { resource_id: accountId, name: accountName, request_id: requestId, ...same } = row;
  return { accountId, accountName, requestId, ...same };
}

function createProblemList(database: Database): RunsViews['problems'] {
  return (scope, runId, query) => {
    const window = windowOf(query);
    const { column, isDescending } = sortOf<'path' | 'code'>(query.sort, { column: 'path', isDescending: false });
    const parts = [sql`problem.run_id = ${runId}`];
    if (query.accountId !== undefined) parts.push(sql`problem.resource_id = ${query.accountId}`);
    if (query.outcome !== undefined) parts.push(sql`problem.outcome = ${query.outcome}`);
    if (query.search !== undefined) parts.push(sql`problem.path ilike ${likePattern(query.search)}`);
    const from = sql`from run_problems problem left join resources resource using (organisation_id, realm, resource_id) where ${and(parts)}`;
    return database.within(scope, async (tx) => {
      const { rows } = await sql<ProblemRow>`
        select resource_id, coalesce(resource.name, problem.name) as name, problem.path, problem.kind, problem.outcome, problem.code, problem.tried, problem.advice, problem.request_id
        ${from} order by ${sql.ref(`problem.${column}`)} ${sql.raw(isDescending ? 'desc' : 'asc')}, problem_key
        limit ${window.limit} offset ${window.offset}`.execute(tx);
      const counted = await sql<{ total: number }>`select count(*)::bigint as total ${from}`.execute(tx);
      return pageFrom(rows.map(problemOf), counted.rows[0]?.total ?? 0, window);
    });
  };
}

export function createRunsViews(database: Database): RunsViews {
  return Object.freeze<RunsViews>({
    ...createRunList(database),
    accounts: createAccountList(database),
    problems: createProblemList(database),
  });
}
