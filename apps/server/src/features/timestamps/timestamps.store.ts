import { timestampFailures, type TimestampFailure } from '@holdfast/contract/audit';
import type { Database, Tx } from '@holdfast/database';
import type { StampedNote } from '../audit/index.ts';

/** The day on which none was got, and why. */
export interface MissingStamp {
  /** `2026-11-21`. */
  readonly day: string;
  readonly triedAt: Date;
  /** Null while the first attempt is under way. */
  readonly failure: TimestampFailure | null;
  readonly detail: string;
}

/** Stamps of the installation: one a day. */
export interface TimestampsStore {
  /** Takes the stamp of a day; false when it is there, or was tried after `triedBefore` and failed. */
  claim(day: string, at: Date, triedBefore: Date): Promise<boolean>;
  /** Keeps the stamp of a day in the transaction of its event; false when there is one already. */
  keep(tx: Tx, day: string, stamp: Pick<StampedNote, 'size' | 'stampedAt' | 'authority' | 'token'>): Promise<boolean>;
  fail(day: string, failure: TimestampFailure, detail: string): Promise<void>;
  all(): Promise<StampedNote[]>;
  /** The earliest stamp of a checkpoint that covers the event of this number. */
  covering(sequence: number): Promise<StampedNote | undefined>;
  last(): Promise<StampedNote | undefined>;
  /** The first day after the last stamp on which none was got, with the reason of the last attempt. */
  missing(): Promise<MissingStamp | undefined>;
}

async function stampedNotes(
  database: Database,
  narrow: { readonly from?: number; readonly newest?: boolean; readonly limit?: number },
): Promise<StampedNote[]> {
  return database.installation(async (tx) => {
    let query = tx
      .selectFrom('audit_timestamps as stamp')
      .innerJoin('audit_checkpoints as checkpoint', 'checkpoint.size', 'stamp.size')
      .select([
        'checkpoint.size',
        'checkpoint.root',
        'checkpoint.at',
        'checkpoint.note',
        'stamp.stamped_at',
        'stamp.authority',
        'stamp.token',
      ])
      .orderBy('stamp.day', narrow.newest === true ? 'desc' : 'asc');
    if (narrow.from !== undefined) query = query.where('stamp.size', '>=', narrow.from);
    if (narrow.limit !== undefined) query = query.limit(narrow.limit);
    const rows = await query.execute();
    return rows.flatMap(({ stamped_at: stampedAt, authority, token, ...checkpoint }) =>
      stampedAt === null || authority === null || token === null ? [] : [{ ...checkpoint, stampedAt, authority, token }],
    );
  });
}

async function missingStamp(tx: Tx): Promise<MissingStamp | undefined> {
  const rows = await tx
    .selectFrom('audit_timestamps')
    .select((column) => [column.cast<string>('day', 'text').as('day'), 'tried_at as triedAt', 'failure', 'detail'])
    .where('token', 'is', null)
    .where((where) =>
      where(
        'audit_timestamps.day',
        '>',
        where.fn.coalesce(
          where
            .selectFrom('audit_timestamps as done')
            .select((made) => made.fn.max('done.day').as('day'))
            .where('done.token', 'is not', null),
          where.cast<string>(where.val('-infinity'), 'date'),
        ),
      ),
    )
    .orderBy('audit_timestamps.day')
    .execute();
  const [first] = rows;
  const newest = rows.at(-1);
  if (!first || !newest) return undefined;
  const failure = timestampFailures.find((one) => one === newest.failure) ?? null;
  return { day: first.day, triedAt: newest.triedAt, failure, detail: newest.detail ?? '' };
}

export function createTimestampsStore(database: Database): TimestampsStore {
  return Object.freeze<TimestampsStore>({
    claim: (day, at, triedBefore) =>
      database.installation(async (tx) => {
        const taken = await tx
          .insertInto('audit_timestamps')
          .values({ day, tried_at: at })
          .onConflict((conflict) =>
            conflict
              .column('day')
              .doUpdateSet({ tried_at: at })
              .where('audit_timestamps.token', 'is', null)
              .where('audit_timestamps.tried_at', '<', triedBefore),
          )
          .returning('day')
          .executeTakeFirst();
        return taken !== undefined;
      }),
    async keep(tx, day, { size, stampedAt, authority, token }) {
      const kept = await tx
        .updateTable('audit_timestamps')
        .set({ size, stamped_at: stampedAt, authority, token, failure: null, detail: null })
        .where('day', '=', day)
        .where('token', 'is', null)
        .returning('day')
        .executeTakeFirst();
      return kept !== undefined;
    },
    async fail(day, failure, detail) {
      await database.installation((tx) =>
        tx.updateTable('audit_timestamps').set({ failure, detail }).where('day', '=', day).where('token', 'is', null).execute(),
      );
    },
    all: () => stampedNotes(database, {}),
    covering: async (sequence) => (await stampedNotes(database, { from: sequence, limit: 1 }))[0],
    last: async () => (await stampedNotes(database, { newest: true, limit: 1 }))[0],
    missing: () => database.installation(missingStamp),
  });
}
