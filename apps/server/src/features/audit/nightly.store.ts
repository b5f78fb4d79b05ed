import type { Database } from '@holdfast/database';
import type { VerifyReport } from './verify-report.ts';

/** A verification that is over. */
export interface NightlyResult extends VerifyReport {
  /** `2026-11-21`. */
  readonly night: string;
  readonly at: Date;
}

/** What nightly verifications found; of the installation, not of an organisation. */
export interface NightlyStore {
  /** Takes the verification of a night; false when somebody else has it. One that began before `staleBefore` and never ended is taken over. */
  claim(night: string, at: Date, staleBefore: Date): Promise<boolean>;
  finish(night: string, at: Date, report: VerifyReport): Promise<void>;
  last(): Promise<NightlyResult | undefined>;
}

export function createNightlyStore(database: Database): NightlyStore {
  return Object.freeze<NightlyStore>({
    claim: (night, at, staleBefore) =>
      database.installation(async (tx) => {
        const taken = await tx
          .insertInto('audit_verifications')
          .values({ night, started_at: at })
          .onConflict((conflict) =>
            conflict
              .column('night')
              .doUpdateSet({ started_at: at })
              .where('audit_verifications.ended_at', 'is', null)
              .where('audit_verifications.started_at', '<', staleBefore),
          )
          .returning('night')
          .executeTakeFirst();
        return taken !== undefined;
      }),
    async finish(night, at, { ok, events, checkpoints, problems }) {
      await database.installation((tx) =>
        tx
          .updateTable('audit_verifications')
          .set({ ended_at: at, ok, events, checkpoints, problems: JSON.stringify(problems) })
          .where('night', '=', night)
          .execute(),
      );
    },
    last: () =>
      database.installation(async (tx) => {
        const row = await tx
          .selectFrom('audit_verifications')
          .select((column) => ['ok', 'events', 'checkpoints', 'problems', 'ended_at', column.cast<string>('night', 'text').as('night')])
          .where('ended_at', 'is not', null)
          .orderBy('audit_verifications.night', 'desc')
          .executeTakeFirst();
        if (row?.ended_at == null) return undefined;
        const { night, ended_at: at, ok, events, checkpoints } = row;
        return {
          night,
          at,
          ok: ok ?? false,
          events: events ?? 0,
          checkpoints: checkpoints ?? 0,
          problems: row.problems,
        };
      }),
  });
}
