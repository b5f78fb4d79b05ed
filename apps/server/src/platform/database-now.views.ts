import { sql, type QueryExecutorProvider } from 'kysely';

/** When the transaction began, by the clock of the database: one clock for all processes. Milliseconds since 1970. */
export async function databaseNow(tx: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(tx);
  return rows[0]?.now.getTime() ?? 0;
}
