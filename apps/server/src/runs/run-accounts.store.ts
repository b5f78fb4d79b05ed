import { coveringTypes } from '@holdfast/contract/jobs';
import type { Database, OrganisationTables, Scope } from '@holdfast/database';
import { adviceFor, type Problem, type RunResult } from '@holdfast/engine';
import { now, type Clock } from '@holdfast/foundation/clock';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { sql, type Insertable } from 'kysely';
import { storableText } from '@holdfast/foundation/text';

export type AccountStatus = 'pending' | 'running' | RunResult['status'];

/** A resource of a run, as far as it has come. */
export interface RunAccountState {
  readonly resourceId: string;
  readonly status: AccountStatus;
}

export interface AccountFigures {
  readonly stage: string;
  readonly processed: number;
  readonly total: number | null;
  readonly bytes: number;
  readonly errors: number;
}

/** What the restore points of a run brought. */
export interface CommittedByRun {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly newBytes: number;
  readonly storedBytes: number;
}

/** How one resource of a run ended, and why where it failed. */
export interface AccountEnding {
  readonly status: RunResult['status'];
  readonly code: string | null;
}

/** The resources of a run and what went wrong with their items. */
export interface RunAccountsStore {
  /** Adds the resources that are not there yet and answers all of them. */
  begin(scope: Scope, runId: string, resourceIds: readonly string[]): Promise<readonly RunAccountState[]>;
  start(scope: Scope, runId: string, resourceId: string): Promise<void>;
  report(scope: Scope, runId: string, figures: ReadonlyMap<string, AccountFigures>): Promise<void>;
  end(
    scope: Scope,
    runId: string,
    resourceId: string,
    result: Pick<RunResult, 'status' | 'counts' | 'bytesRead' | 'sequence' | 'code'>,
  ): Promise<void>;
  /** What a run has committed so far, by whichever worker had it. */
  committed(scope: Scope, runId: string): Promise<CommittedByRun>;
  /** How the resources of a run ended. */
  endings(scope: Scope, runId: string): Promise<readonly AccountEnding[]>;
  /** Adds problems; telling of the same item again changes nothing. */
  addProblems(scope: Scope, runId: string, problems: readonly Problem[]): Promise<void>;
  /** The same for people and groups that could not be looked up. */
  addNotFound(scope: Scope, runId: string, notFound: readonly NotFound[]): Promise<void>;
  /** The same for objects of a vault that belong to no resource. */
  addObjects(scope: Scope, runId: string, objects: readonly VaultObject[]): Promise<void>;
}

/** An object of a vault with which something is wrong. */
interface VaultObject {
  readonly name: string;
  readonly code: string;
}

/** Somebody, or a group, that was chosen and could not be looked up: nothing of theirs is known. */
interface NotFound {
  readonly graphId: string;
  readonly name: string;
  readonly address: string;
  readonly code: string;
}

/** Names a problem within its run, so that a resumed run does not list it twice. */
function problemKey(...parts: readonly (string | null)[]): string {
  return sha256Hex(JSON.stringify(parts)).slice(0, 32);
}

function notFoundRow(runId: string, { graphId, name, address, code }: NotFound) {
  return {
    run_id: runId,
    problem_key: problemKey(graphId, code),
    name: storableText(name),
    path: storableText(address),
    outcome: 'recorded' as const,
    code,
    advice: adviceFor(code),
  };
}

function objectRow(runId: string, { name, code }: VaultObject) {
  const advice = 'repairVault';
  return { run_id: runId, problem_key: problemKey(name, code), name: '', path: name, outcome: 'recorded' as const, code, advice };
}

function problemRow(runId: string, problem: Problem) {
  return {
    run_id: runId,
    problem_key: problemKey(problem.resourceId, problem.itemKey, problem.path, problem.code),
    resource_id: problem.resourceId,
    item_key: problem.itemKey,
    kind: problem.kind,
    path: storableText(problem.path).slice(0, 4_000),
    outcome: problem.outcome,
    code: problem.code,
    tried: [...problem.tried],
    advice: problem.advice,
    request_id: problem.requestId ?? null,
  };
}

const ROWS_AT_A_TIME = 200;

interface StoreOptions {
  readonly database: Database;
  readonly clock: Clock;
}

function createEnd({ database, clock }: StoreOptions): RunAccountsStore['end'] {
  return async (scope, runId, resourceId, result) => {
    const at = now(clock);
    const { counts } = result;
    await database.within(scope, async (tx) => {
      await tx
        .updateTable('run_accounts')
        .set({
          status: result.status,
          stage: 'finished',
          processed: counts.seen,
          items: counts.added + counts.changed,
          bytes: result.bytesRead,
          // A resource that failed as a whole is an error, even if it came to no item.
          errors: result.status === 'failed' ? Math.max(1, counts.failed) : counts.failed,
          code: result.code ?? null,
          sequence: result.sequence,
          ended_at: at,
        })
        .where('run_id', '=', runId)
        .where('resource_id', '=', resourceId)
        .execute();
      if (result.status === 'cancelled') return;
      // What a restore or a drill met says nothing about how well the resource is protected.
      await tx
        .updateTable('resources')
        .set({ last_status: result.status, last_code: result.code ?? null, last_run_at: at })
        .where('resource_id', '=', resourceId)
        .where(sql<boolean>`exists (select from runs where run_id = ${runId} and type = any(${[...coveringTypes]}))`)
        .execute();
      if (result.status === 'defective' && result.sequence !== null) {
        await sql`
          update catalog_points set status = 'defective' where sequence = ${result.sequence} and run_id = ${runId}
            and source_id in (select source_id from catalog_sources where resource_id = ${resourceId})`.execute(tx);
      }
    });
  };
}

/** Everything that is listed as a problem, some at a time; what is there already stays as it is. */
function createProblemLists({ database }: StoreOptions): Pick<RunAccountsStore, 'addProblems' | 'addNotFound' | 'addObjects'> {
  async function insert(scope: Scope, rows: readonly Insertable<OrganisationTables['run_problems']>[]): Promise<void> {
    for (let from = 0; from < rows.length; from += ROWS_AT_A_TIME) {
      const some = rows.slice(from, from + ROWS_AT_A_TIME);
      await database.within(scope, (tx) =>
        tx
          .insertInto('run_problems')
          .values(some)
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
    }
  }
  return {
    addProblems: (scope, runId, problems) =>
      insert(
        scope,
        problems.map((problem) => problemRow(runId, problem)),
      ),
    addNotFound: (scope, runId, notFound) =>
      insert(
        scope,
        notFound.map((one) => notFoundRow(runId, one)),
      ),
    addObjects: (scope, runId, objects) =>
      insert(
        scope,
        objects.map((one) => objectRow(runId, one)),
      ),
  };
}

export function createRunAccountsStore(options: StoreOptions): RunAccountsStore {
  const { database, clock } = options;
  return Object.freeze<RunAccountsStore>({
    end: createEnd(options),
    ...createProblemLists(options),
    begin(scope, runId, resourceIds) {
      return database.within(scope, async (tx) => {
        await sql`
          insert into run_accounts (run_id, resource_id, status)
          select ${runId}, id, 'pending' from unnest(${[...resourceIds]}::uuid[]) as id on conflict do nothing`.execute(tx);
        const rows = await tx.selectFrom('run_accounts').select(['resource_id', 'status']).where('run_id', '=', runId).execute();
        return rows.map((row) => ({ resourceId: row.resource_id, status: row.status }));
      });
    },
    async start(scope, runId, resourceId) {
      await database.within(scope, (tx) =>
        tx
          .updateTable('run_accounts')
          .set({ status: 'running', started_at: sql`coalesce(started_at, ${now(clock)})` })
          .where('run_id', '=', runId)
          .where('resource_id', '=', resourceId)
          .execute(),
      );
    },
    async report(scope, runId, figures) {
      if (figures.size === 0) return;
      const rows = [...figures].map(([resourceId, figure]) => ({ resourceId, ...figure }));
      await database.within(scope, (tx) =>
        sql`
          update run_accounts account set stage = x.stage, processed = x.processed, total = x.total, bytes = x.bytes, errors = x.errors
          from unnest(${rows.map((row) => row.resourceId)}::uuid[], ${rows.map((row) => row.stage)}::text[], ${rows.map((row) => row.processed)}::bigint[],
            ${rows.map((row) => row.total)}::bigint[], ${rows.map((row) => row.bytes)}::bigint[], ${rows.map((row) => row.errors)}::bigint[])
            as x (resource_id, stage, processed, total, bytes, errors)
          where account.run_id = ${runId} and account.resource_id = x.resource_id and account.status = 'running'`.execute(tx),
      );
    },
    committed(scope, runId) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<CommittedByRun>`
          select coalesce(sum(added), 0)::bigint as added, coalesce(sum(changed), 0)::bigint as changed,
            coalesce(sum(removed), 0)::bigint as removed, coalesce(sum(new_bytes), 0)::bigint as "newBytes",
            coalesce(sum(stored_bytes), 0)::bigint as "storedBytes" from catalog_points where run_id = ${runId}`.execute(tx);
        return rows[0] ?? { added: 0, changed: 0, removed: 0, newBytes: 0, storedBytes: 0 };
      });
    },
    endings(scope, runId) {
      return database.within(scope, async (tx) => {
        const rows = await tx.selectFrom('run_accounts').select(['status', 'code']).where('run_id', '=', runId).execute();
        return rows.map(({ status, code }) => ({ status: status === 'pending' || status === 'running' ? 'cancelled' : status, code }));
      });
    },
  });
}
