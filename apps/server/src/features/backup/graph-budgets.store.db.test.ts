import { testDatabase } from '@holdfast/database/testing/test-database';
import { budgetContract } from '@holdfast/m365/testing/budget.contract';
import { sql } from 'kysely';
import { testIds as ids } from '../../testing/rows.ts';
import { createGraphBudgets } from './graph-budgets.store.ts';

const { database } = testDatabase(import.meta.url);

budgetContract('in PostgreSQL, over two workers', async (clock) => {
  await database.installation(async (tx) => {
    for (const table of ['graph_buckets', 'graph_spent', 'graph_slots']) await sql`delete from ${sql.table(table)}`.execute(tx);
  });
  const worker = () => createGraphBudgets({ database, ids, nowMs: () => clock.monotonicMs() });
  return { budgets: worker(), other: worker(), clock };
});
