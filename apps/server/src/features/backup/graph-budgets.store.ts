import type { Database } from '@holdfast/database';
import type { Ids } from '@holdfast/foundation/ids';
import type { BudgetAnswer, BudgetPort } from '@holdfast/m365';
import { sql, type RawBuilder } from 'kysely';

export interface GraphBudgetsOptions {
  readonly database: Database;
  readonly ids: Ids;
  /** Tests only: the time to go by, instead of the database's. */
  readonly nowMs?: () => number;
}

type Refused = Omit<Extract<BudgetAnswer, { granted: false }>, 'granted'>;

/** Budgets of a tenant's applications, shared by all workers through the database and its clock. */
export function createGraphBudgets({ database, ids, nowMs }: GraphBudgetsOptions): BudgetPort {
  const now = (): RawBuilder<number> => (nowMs ? sql`${nowMs()}::float8` : sql`extract(epoch from clock_timestamp()) * 1000`);

  return Object.freeze<BudgetPort>({
    async take(claim) {
      const grantId = ids.uuid();
      const answer = await database.installation(async (tx) => {
        const { rows } = await sql<{ answer: Refused | { granted: true } }>`
          select holdfast.take_graph_budget(${JSON.stringify(claim)}::jsonb, ${grantId}, ${now()}) as answer`.execute(tx);
        return rows[0]?.answer;
      });
      if (answer && 'reason' in answer) return { granted: false, bucket: answer.bucket, reason: answer.reason, waitMs: answer.waitMs };
      return { granted: true, grantId };
    },
    async giveBack(grantId) {
      await database.installation((tx) => tx.deleteFrom('graph_slots').where('grant_id', '=', grantId).execute());
    },
    async keep(grantId, forMs) {
      await database.installation((tx) =>
        sql`update graph_slots set ends_at = ${now()} + ${forMs}::float8 where grant_id = ${grantId}`.execute(tx),
      );
    },
    async pause(bucket, forMs) {
      await database.installation((tx) =>
        sql`
          insert into graph_buckets (bucket, paused_until) values (${bucket}, ${now()} + ${forMs}::float8)
          on conflict (bucket) do update set paused_until = greatest(graph_buckets.paused_until, excluded.paused_until)`.execute(tx),
      );
    },
    async pausedForMs(bucket) {
      const { rows } = await database.installation((tx) =>
        sql<{
          wait: number;
        }>`select greatest(0, ceil(paused_until - (${now()}))) as wait from graph_buckets where bucket = ${bucket}`.execute(tx),
      );
      return rows[0]?.wait ?? 0;
    },
  });
}
