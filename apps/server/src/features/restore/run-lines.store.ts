import type { Database, Scope } from '@holdfast/database';
import type { RestoreLine, RestoreReport } from '@holdfast/engine';
import { storableText } from '@holdfast/foundation/text';
import { sql } from 'kysely';

/** The report of a restore, line by line. */
export interface RunLinesStore {
  /** Takes the lines of one run in order and writes them `atOnce` together. `flush` writes what is held. */
  reportOf(scope: Scope, runId: string, atOnce?: number): RestoreReport & { flush(): Promise<void> };
  /** What an earlier worker has done of a run that is taken up again, by key. What failed is forgotten: it is tried again. */
  resume(scope: Scope, runId: string): Promise<ReadonlyMap<string, RestoreLine['outcome']>>;
}

/** Lines held before they are written: a restore of a million items must not hold its report. */
const HELD_LINES = 200;

export function createRunLinesStore(database: Database): RunLinesStore {
  async function write(scope: Scope, runId: string, lines: readonly RestoreLine[]): Promise<void> {
    if (lines.length === 0) return;
    await database.within(scope, async (tx) => {
      const { rows } = await sql<{
        last: number;
      }>`select coalesce(max(line_number), 0)::bigint as last from run_lines where run_id = ${runId}`.execute(tx);
      const last = rows[0]?.last ?? 0;
      await tx
        .insertInto('run_lines')
        .values(
          lines.map((line, index) => ({
            run_id: runId,
            line_number: last + index + 1,
            item_key: line.key,
            kind: line.kind,
            path: storableText(line.path).slice(0, 4_000),
            outcome: line.outcome,
            code: line.code ?? null,
            target_id: line.targetId ?? null,
            differences: [...line.differences],
          })),
        )
        .execute();
    });
  }

  return Object.freeze<RunLinesStore>({
    reportOf(scope, runId, atOnce = HELD_LINES) {
      let held: RestoreLine[] = [];
      let writing = Promise.resolve();
      const flush = (): Promise<void> => {
        const lines = held;
        held = [];
        writing = writing.then(() => write(scope, runId, lines));
        return writing;
      };
      return {
        flush,
        async line(line) {
          held.push(line);
          if (held.length >= atOnce) await flush();
        },
      };
    },
    resume(scope, runId) {
      return database.within(scope, async (tx) => {
        await tx.deleteFrom('run_lines').where('run_id', '=', runId).where('outcome', '=', 'failed').execute();
        const rows = await tx.selectFrom('run_lines').select(['item_key', 'outcome']).where('run_id', '=', runId).execute();
        return new Map(rows.map((row) => [row.item_key, row.outcome]));
      });
    },
  });
}
