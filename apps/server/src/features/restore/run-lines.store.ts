import type { Database, Scope } from '@holdfast/database';
import type { EarlierWork, OpenUpload, RestoreLine, RestoreReport, UndoLine, Written } from '@holdfast/engine';
import { storableText } from '@holdfast/foundation/text';
import { sql } from 'kysely';
import type { Place, Sealing } from '../../keys/sealing.ts';
import { noteThings } from './restored-things.store.ts';

/** A line of a restore, or of what undoes one. */
export type ReportLine = Omit<RestoreLine, 'outcome'> & { readonly outcome: RestoreLine['outcome'] | UndoLine['outcome'] };

/** A report that is written while its restore runs. */
export interface WrittenReport extends RestoreReport {
  tell(lines: readonly ReportLine[]): Promise<void>;
  /** Writes what is held. */
  flush(): Promise<void>;
  /** The restore has come to its end: nobody will ask again what was begun. */
  end(): Promise<void>;
}

/** The report of a restore, line by line. */
export interface RunLinesStore {
  /** Takes the lines of one run, or of a part of it, in order. They are written when something is begun, or when many are held. */
  reportOf(scope: Scope, runId: string, part?: string): WrittenReport;
  /** What an earlier worker left of a run, or of a part of it, that is resumed. Failures are forgotten: they are tried again. */
  resume(scope: Scope, runId: string, part?: string): Promise<EarlierWork>;
  /** Forgets what was written of a run that begins anew. */
  forget(scope: Scope, runId: string): Promise<void>;
}

export interface RunLinesStoreOptions {
  readonly database: Database;
  readonly sealing: Pick<Sealing, 'seal' | 'open'>;
}

interface BegunRow {
  readonly item_key: string;
  readonly upload: Buffer | null;
}

interface Beginning {
  readonly key: string;
  readonly there: readonly string[];
}

type Writing = Parameters<Parameters<Database['within']>[1]>[0];

/** A run, or a part of it: a restore of several mailboxes has one for each, for the keys of their items may be the same. */
interface Reported {
  readonly runId: string;
  readonly part: string;
}

/** Lines held before they are written: a restore of a million items must not hold its report. */
const HELD_LINES = 200;

async function insertLines(tx: Writing, { runId, part }: Reported, lines: readonly ReportLine[]): Promise<void> {
  // Parts are written beside each other: each takes its numbers when the one before has them.
  await sql`select pg_advisory_xact_lock(hashtextextended('lines ' || ${runId}, 0))`.execute(tx);
  const { rows } = await sql<{
    last: number;
  }>`select coalesce(max(line_number), 0)::bigint as last from run_lines where run_id = ${runId}`.execute(tx);
  const last = rows[0]?.last ?? 0;
  await tx
    .insertInto('run_lines')
    .values(
      lines.map((line, index) => ({
        run_id: runId,
        part,
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
  // What failed may have left something: that stays known until the restore is at its end.
  const done = lines.filter(({ outcome }) => outcome !== 'failed').map(({ key }) => key);
  if (done.length === 0) return;
  await tx.deleteFrom('run_beginnings').where('run_id', '=', runId).where('part', '=', part).where('item_key', 'in', done).execute();
}

function uploadPlace({ runId, part }: Reported, key: string): Place {
  return { table: 'run_beginnings', column: 'upload', row: part === '' ? `${runId} ${key}` : `${runId} ${part} ${key}` };
}

/** Upload sessions are kept sealed: who has the address of one needs nothing else to write there. */
function createUploads(sealing: Pick<Sealing, 'seal' | 'open'>) {
  return {
    async write(tx: Writing, scope: Scope, { key, ...of }: Reported & { readonly key: string }, upload: OpenUpload): Promise<void> {
      const sealed = await sealing.seal(scope, JSON.stringify(upload), uploadPlace(of, key));
      await tx
        .updateTable('run_beginnings')
        .set({ upload: sealed })
        .where('run_id', '=', of.runId)
        .where('part', '=', of.part)
        .where('item_key', '=', key)
        .execute();
    },
    async read(scope: Scope, of: Reported, rows: readonly BegunRow[]): Promise<Map<string, OpenUpload>> {
      const found = new Map<string, OpenUpload>();
      for (const { item_key: key, upload } of rows) {
        if (upload) found.set(key, JSON.parse(await sealing.open(scope, upload, uploadPlace(of, key))) as OpenUpload);
      }
      return found;
    },
  };
}

/** What a report holds until it is written. */
interface Held {
  readonly lines: readonly ReportLine[];
  readonly things: readonly Written[];
  readonly begun: readonly Beginning[];
}

async function writeReport(tx: Writing, of: Reported, { lines, things, begun }: Held): Promise<void> {
  if (things.length > 0) await noteThings(tx, of, things);
  if (lines.length > 0) await insertLines(tx, of, lines);
  if (begun.length === 0) return;
  await tx
    .insertInto('run_beginnings')
    .values(begun.map(({ key, there }) => ({ run_id: of.runId, part: of.part, item_key: key, there: [...there] })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function createRunLinesStore({ database, sealing }: RunLinesStoreOptions): RunLinesStore {
  const uploads = createUploads(sealing);

  return Object.freeze<RunLinesStore>({
    reportOf(scope, runId, part = '') {
      const of = { runId, part };
      let held: ReportLine[] = [];
      let things: Written[] = [];
      let begun: Beginning[] = [];
      let writing = Promise.resolve();
      /** What several items of the same moment have to say goes into one transaction. */
      const flush = (): Promise<void> => {
        writing = writing.then(() => {
          const batch = { lines: held, things, begun };
          held = [];
          things = [];
          begun = [];
          if (batch.lines.length + batch.things.length + batch.begun.length === 0) return undefined;
          return database.within(scope, (tx) => writeReport(tx, of, batch));
        });
        return writing;
      };
      return {
        flush,
        begin(key, there) {
          begun.push({ key, there });
          return flush();
        },
        async uploading(key, upload) {
          await flush();
          await database.within(scope, (tx) => uploads.write(tx, scope, { ...of, key }, upload));
        },
        async wrote(thing) {
          things.push(thing);
          if (thing.replaced) await flush();
        },
        async tell(lines) {
          held.push(...lines);
          if (held.length >= HELD_LINES) await flush();
        },
        async end() {
          await flush();
          await database.within(scope, (tx) =>
            tx.deleteFrom('run_beginnings').where('run_id', '=', runId).where('part', '=', part).execute(),
          );
        },
      };
    },
    forget(scope, runId) {
      return database.within(scope, async (tx) => {
        await tx.deleteFrom('run_lines').where('run_id', '=', runId).execute();
      });
    },
    resume(scope, runId, part = '') {
      const of = { runId, part };
      return database.within(scope, async (tx) => {
        await tx.deleteFrom('run_lines').where('run_id', '=', runId).where('part', '=', part).where('outcome', '=', 'failed').execute();
        const { rows } = await sql<{
          outcome: RestoreLine['outcome'];
          count: number;
        }>`select outcome, count(*)::bigint as count from run_lines where run_id = ${runId} and part = ${part} group by 1`.execute(tx);
        const begun = await tx
          .selectFrom('run_beginnings')
          .select(['item_key', 'there', 'upload'])
          .where('run_id', '=', runId)
          .where('part', '=', part)
          .execute();
        return {
          counts: Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count])),
          begun: new Map(begun.map((row) => [row.item_key, row.there])),
          uploads: await uploads.read(scope, of, begun),
          told: (keys) => database.within(scope, (later) => toldOf(later, of, keys)),
          targets: (ids) => database.within(scope, (later) => targetsOf(later, of, ids)),
        };
      });
    },
  });
}

async function toldOf(tx: Writing, { runId, part }: Reported, keys: readonly string[]): ReturnType<EarlierWork['told']> {
  if (keys.length === 0) return new Map();
  const rows = await tx
    .selectFrom('run_lines')
    .select(['item_key', 'outcome', 'target_id'])
    .where('run_id', '=', runId)
    .where('part', '=', part)
    .where('item_key', 'in', keys)
    .execute();
  return new Map(
    // Only restores resume from here, and their lines have the outcomes of restores.
    rows.map((row) => [
      row.item_key,
      { outcome: row.outcome as RestoreLine['outcome'], ...(row.target_id === null ? {} : { targetId: row.target_id }) },
    ]),
  );
}

async function targetsOf(tx: Writing, { runId }: Reported, ids: readonly string[]): ReturnType<EarlierWork['targets']> {
  if (ids.length === 0) return new Set();
  const rows = await tx.selectFrom('run_lines').select('target_id').where('run_id', '=', runId).where('target_id', 'in', ids).execute();
  return new Set(rows.flatMap((row) => (row.target_id === null ? [] : [row.target_id])));
}
