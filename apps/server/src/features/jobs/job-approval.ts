import type { ApprovalEffects, Approvals } from '../approvals/index.ts';
import type { JobApproval, JobsService } from './jobs.service.ts';

/** Jobs that take away what others rely on ask a second person. */
export function jobApproval(approvals: Pick<Approvals, 'ask' | 'lapse'>): JobApproval {
  return {
    ask: (tx, { actor, scope }, { jobId, tenantId, name, details }) =>
      approvals.ask(tx, { actor, scope, tenantId, kind: 'deletionJob', subject: { id: jobId, name }, details }),
    lapse: (tx, jobId) => approvals.lapse(tx, { kind: 'deletionJob', subjectId: jobId }),
  };
}

/** What becomes of the request in the end. */
export function jobApprovalEffects(jobs: Pick<JobsService, 'decided'>): ApprovalEffects {
  return {
    apply: (tx, { scope, subjectId }) => jobs.decided(tx, scope, subjectId, 'approved'),
    drop: async (tx, { scope, subjectId }) => void (await jobs.decided(tx, scope, subjectId, 'refused')),
  };
}
