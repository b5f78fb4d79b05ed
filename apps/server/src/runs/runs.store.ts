import { activeRunStatuses } from '@holdfast/contract/run-status';
import { completeBody, needsTenant, traitsOf, type JobBody } from '@holdfast/contract/jobs';
import type { Database, Scope, TaskQueue, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { sql } from 'kysely';
import { announce } from '../events/live-events.ts';
import type { ClaimedRun, NewRun, RunCountsSoFar, RunEnd, RunFigures } from './run.ts';

/** Runs, from queue to end. Every change of a running run carries its fence. */
export interface RunsStore {
  /** Queues a run in the transaction; undefined when the job has one that has not ended. */
  enqueue(tx: Tx, scope: Scope, run: NewRun): Promise<{ readonly runId: string } | undefined>;
  /** Records a run that did not take place. */
  skip(tx: Tx, scope: Scope, run: NewRun, code: string): Promise<{ readonly runId: string }>;
  /** Takes a run for this worker; undefined when it has ended or was cancelled before it began. */
  claim(scope: Scope, runId: string, worker: string): Promise<ClaimedRun | undefined>;
  /** Writes figures; says whether a cancel was asked for. `runs.lost` when another worker has the run. */
  report(scope: Scope, claimed: ClaimedRun, figures: RunFigures, accounts: number): Promise<{ readonly isCancelled: boolean }>;
  /** What the run has decided under this name, if it has. */
  decided(scope: Scope, runId: string, name: string): Promise<object | undefined>;
  /** Keeps a decision for whoever takes the run up later; answers the one that holds, which is the first. `runs.lost` as above. */
  decide(scope: Scope, claimed: ClaimedRun, name: string, value: object): Promise<object>;
  end(
    scope: Scope,
    claimed: ClaimedRun,
    ending: { readonly status: RunEnd; readonly code: string | null; readonly counts?: RunCountsSoFar; readonly result?: object },
  ): Promise<void>;
  /** Asks a run to stop; a waiting one ends at once. False when there is none to stop. */
  requestCancel(tx: Tx, scope: Scope, runId: string): Promise<boolean>;
}

export interface RunsStoreOptions {
  readonly database: Database;
  readonly queue: Pick<TaskQueue, 'send'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

async function nextNumber(tx: Tx, tenantId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`runs/${tenantId}`}, 0))`.execute(tx);
  const { rows } = await sql<{
    number: number;
  }>`select coalesce(max(number), 0)::bigint + 1 as number from runs where tenant_id = ${tenantId}`.execute(tx);
  return rows[0]?.number ?? 1;
}

interface Inserted {
  readonly status: 'pending' | 'skipped';
  readonly code: string | null;
}

function createInsert({ clock, ids }: RunsStoreOptions) {
  return async (tx: Tx, run: NewRun, { status, code }: Inserted): Promise<string | undefined> => {
    const at = now(clock);
    const row = await tx
      .insertInto('runs')
      .values({
        run_id: ids.uuid(),
        tenant_id: run.tenantId,
        number: await nextNumber(tx, run.tenantId),
        job_id: run.jobId,
        job_name: run.jobName,
        type: run.type,
        workload: run.workload,
        location_id: run.locationId,
        body: JSON.stringify(run.body),
        status,
        trigger: run.trigger,
        started_by: run.startedBy,
        on_behalf_of: run.onBehalfOf ?? null,
        stage: status === 'pending' ? 'queued' : 'finished',
        total: null,
        queued_at: at,
        ended_at: status === 'skipped' ? at : null,
        due_at: run.dueAt ?? null,
        code,
        worker: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('run_id')
      .executeTakeFirst();
    return row?.run_id;
  };
}

/** Notes when the run went from one stage to the next. */
function stagesAfter(stage: string, at: string) {
  return sql<string>`case when stage = ${stage} then stages else
    coalesce((select jsonb_agg(case when s->>'endedAt' is null then jsonb_set(s, '{endedAt}', to_jsonb(${at}::text)) else s end) from jsonb_array_elements(stages) s), '[]'::jsonb)
    || jsonb_build_array(jsonb_build_object('stage', ${stage}::text, 'startedAt', ${at}::text, 'endedAt', null)) end`;
}

/** Ends a run that was queued before its tenant was deprovisioned, unless it works without the tenant. */
async function endIfDeprovisioned(tx: Tx, scope: Scope, runId: string, at: Date): Promise<boolean> {
  const waiting = await tx
    .selectFrom('runs')
    .select('body')
    .where('run_id', '=', runId)
    .where(sql<boolean>`exists (select from tenants where tenants.tenant_id = runs.tenant_id and deprovisioned_at is not null)`)
    .executeTakeFirst();
  if (!waiting || !needsTenant(waiting.body as JobBody)) return false;
  const row = await tx
    .updateTable('runs')
    .set({ status: 'cancelled', stage: 'finished', ended_at: at, code: 'tenants.deprovisioned' })
    .where('run_id', '=', runId)
    .where('status', 'in', activeRunStatuses)
    .returning(['tenant_id', 'job_id'])
    .executeTakeFirst();
  if (row) await announce(tx, scope, { name: 'run.ended', tenantId: row.tenant_id, data: { reportId: runId, jobId: row.job_id } });
  return row !== undefined;
}

function createClaim({ database, clock }: RunsStoreOptions): RunsStore['claim'] {
  return (scope, runId, worker) =>
    database.within(scope, async (tx) => {
      if (await endIfDeprovisioned(tx, scope, runId, now(clock))) return undefined;
      const row = await tx
        .updateTable('runs')
        .set((column) => ({
          status: sql`case when cancel_requested_at is null then 'running' else 'cancelling' end`,
          worker,
          fence: column('fence', '+', 1),
          started_at: sql`coalesce(started_at, ${now(clock)})`,
        }))
        .where('run_id', '=', runId)
        .where('status', 'in', activeRunStatuses)
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      await announce(tx, scope, { name: 'run.progress', tenantId: row.tenant_id, data: { reportId: runId, jobId: row.job_id } });
      const body = completeBody(row.body as ClaimedRun['body']);
      return {
        runId,
        tenantId: row.tenant_id,
        jobId: row.job_id,
        jobName: row.job_name,
        type: body.type,
        workload: row.workload,
        locationId: row.location_id,
        body,
        onBehalfOf: row.on_behalf_of,
        fence: row.fence,
        isResumed: row.fence > 1,
        waited: row.waited,
      };
    });
}

function createReport({ database, clock }: RunsStoreOptions): RunsStore['report'] {
  return (scope, claimed, figures, accounts) =>
    database.within(scope, async (tx) => {
      const row = await tx
        .updateTable('runs')
        .set({
          stage: figures.stage,
          stages: stagesAfter(figures.stage, now(clock).toISOString()),
          progress: sql`greatest(progress, ${figures.progress})`,
          processed: sql`greatest(processed, ${figures.processed})`,
          total: figures.total,
          bytes: sql`greatest(bytes, ${figures.bytes})`,
          items_per_second: figures.itemsPerSecond,
          bytes_per_second: figures.bytesPerSecond,
          errors: figures.errors,
          waiting: figures.waiting && JSON.stringify(figures.waiting),
          waited: JSON.stringify(figures.waited),
          accounts,
        })
        .where('run_id', '=', claimed.runId)
        .where('fence', '=', claimed.fence)
        .where('status', 'in', activeRunStatuses)
        .returning('cancel_requested_at')
        .executeTakeFirst();
      if (!row) throw new AppError('runs.lost', { details: { runId: claimed.runId } });
      await announce(tx, scope, {
        name: 'run.progress',
        tenantId: claimed.tenantId,
        data: { reportId: claimed.runId, jobId: claimed.jobId },
      });
      return { isCancelled: row.cancel_requested_at !== null };
    });
}

async function decisionOf(tx: Tx, runId: string, name: string): Promise<object | undefined> {
  const row = await tx.selectFrom('run_decisions').select('value').where('run_id', '=', runId).where('name', '=', name).executeTakeFirst();
  return row?.value;
}

function createDecide(database: Database): RunsStore['decide'] {
  return (scope, claimed, name, value) =>
    database.within(scope, async (tx) => {
      const held = await tx
        .selectFrom('runs')
        .select('run_id')
        .where('run_id', '=', claimed.runId)
        .where('fence', '=', claimed.fence)
        .where('status', 'in', activeRunStatuses)
        .forUpdate()
        .executeTakeFirst();
      if (!held) throw new AppError('runs.lost', { details: { runId: claimed.runId } });
      const row = { run_id: claimed.runId, name, value: JSON.stringify(value) };
      await tx
        .insertInto('run_decisions')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await decisionOf(tx, claimed.runId, name)) ?? value;
    });
}

function countColumns(counts: RunCountsSoFar | undefined) {
  if (!counts) return {};
  const { newBytes, storedBytes, ...same } = counts;
  return { ...same, new_bytes: newBytes, stored_bytes: storedBytes };
}

function createEnd({ database, clock }: RunsStoreOptions): RunsStore['end'] {
  return async (scope, claimed, { status, code, counts, result }) => {
    await database.within(scope, async (tx) => {
      const at = now(clock);
      const row = await tx
        .updateTable('runs')
        .set({
          status,
          code,
          ended_at: at,
          stages: stagesAfter('finished', at.toISOString()),
          stage: 'finished',
          progress: status === 'successful' || status === 'defective' ? 100 : sql`progress`,
          items_per_second: 0,
          bytes_per_second: 0,
          waiting: null,
          // Also those that earlier workers of the run have met.
          errors: sql`greatest(errors, (select coalesce(sum(account.errors), 0) from run_accounts account where account.run_id = runs.run_id))`,
          ...countColumns(counts),
          ...(result ? { result: JSON.stringify(result) } : {}),
        })
        .where('run_id', '=', claimed.runId)
        .where('fence', '=', claimed.fence)
        .where('status', 'in', activeRunStatuses)
        .returning('run_id')
        .executeTakeFirst();
      if (!row) throw new AppError('runs.lost', { details: { runId: claimed.runId } });
      // What the run did not come to, or was in the middle of, goes on no longer.
      await tx
        .updateTable('run_accounts')
        .set({ status: 'cancelled', stage: 'finished', ended_at: at })
        .where('run_id', '=', claimed.runId)
        .where('status', 'in', ['pending', 'running'])
        .execute();
      await announce(tx, scope, { name: 'run.ended', tenantId: claimed.tenantId, data: { reportId: claimed.runId, jobId: claimed.jobId } });
    });
  };
}

/** Queues, claims and ends runs over PostgreSQL. */
export function createRunsStore(options: RunsStoreOptions): RunsStore {
  const { queue, clock } = options;
  const insert = createInsert(options);

  return Object.freeze<RunsStore>({
    async enqueue(tx, scope, run) {
      const runId = await insert(tx, run, { status: 'pending', code: null });
      if (runId === undefined) return undefined;
      const { putsBack, undoes } = traitsOf(run.type);
      const name = putsBack || undoes ? 'restores' : 'runs';
      await queue.send(name, { key: runId, scope, payload: { runId } }, tx);
      await announce(tx, scope, { name: 'run.progress', tenantId: run.tenantId, data: { reportId: runId, jobId: run.jobId } });
      return { runId };
    },
    async skip(tx, scope, run, code) {
      const runId = await insert(tx, run, { status: 'skipped', code });
      if (runId === undefined) throw new AppError('runs.not-recorded');
      await announce(tx, scope, { name: 'run.ended', tenantId: run.tenantId, data: { reportId: runId, jobId: run.jobId } });
      return { runId };
    },
    claim: createClaim(options),
    report: createReport(options),
    decided: (scope, runId, name) => options.database.within(scope, (tx) => decisionOf(tx, runId, name)),
    decide: createDecide(options.database),
    end: createEnd(options),
    async requestCancel(tx, scope, runId) {
      const at = now(clock);
      const row = await tx
        .updateTable('runs')
        .set({
          cancel_requested_at: at,
          status: sql`case when status = 'pending' then 'cancelled' else 'cancelling' end`,
          stage: sql`case when status = 'pending' then 'finished' else stage end`,
          ended_at: sql`case when status = 'pending' then ${at}::timestamptz end`,
        })
        .where('run_id', '=', runId)
        .where('status', 'in', activeRunStatuses)
        .returning(['tenant_id', 'job_id', 'status'])
        .executeTakeFirst();
      if (!row) return false;
      const name = row.status === 'cancelled' ? 'run.ended' : 'run.progress';
      await announce(tx, scope, { name, tenantId: row.tenant_id, data: { reportId: runId, jobId: row.job_id } });
      return true;
    },
  });
}
