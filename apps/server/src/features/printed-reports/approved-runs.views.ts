import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';

/** Who asked for what a run did, and who agreed. */
export interface RunApproval {
  readonly requester: string;
  readonly approver: string | null;
  readonly mode: 'secondPerson' | 'delay' | null;
  readonly decidedAt: Date | null;
}

/** The approval that was in force when a run ended. */
export async function approvalOf(tx: Tx, runId: string): Promise<RunApproval | undefined> {
  const { rows } = await sql<RunApproval>`
    select approval.requester, approval.decider as approver, approval.mode, approval.decided_at as "decidedAt"
    from runs run join approvals approval on approval.organisation_id = run.organisation_id and approval.realm = run.realm
      and (approval.subject_id = run.job_id or approval.subject_id::text = run.body ->> 'deletionId') and approval.status = 'approved' and approval.decided_at <= coalesce(run.ended_at, now())
    where run.run_id = ${runId} order by approval.decided_at desc limit 1`.execute(tx);
  return rows[0];
}
