import type { Ground } from './compose-ground.ts';
import {
  createApprovalLetters,
  createApprovals,
  createApprovalsStore,
  type ApprovalEffects,
  type Approvals,
} from './features/approvals/index.ts';
import type { JobApproval, JobsService } from './features/jobs/index.ts';
import type { LocationsService, RetentionApproval } from './features/locations/index.ts';
import { createApproverReader } from './features/organisations/index.ts';
import type { MailQueue } from './mail/mail-queue.ts';

/** Four eyes, over the mail queue of the process. */
export function composeApprovals(
  { config, database, audit, clock, ids, logger }: Ground,
  mail: MailQueue,
  publicUrl: () => string,
): Approvals {
  const letters = createApprovalLetters(mail, publicUrl);
  const approvers = createApproverReader(config.HOLDFAST_APPROVER_DAYS);
  return createApprovals({ store: createApprovalsStore(database), approvers, letters, audit, clock, ids, logger });
}

/** Deletion jobs ask for approval. */
export function deletionApproval(approvals: Approvals): JobApproval {
  return {
    ask: (tx, { actor, scope }, { jobId, tenantId, name, details }) =>
      approvals.ask(tx, { actor, scope, tenantId, kind: 'deletionJob', subject: { id: jobId, name }, details }),
    lapse: (tx, jobId) => approvals.lapse(tx, { kind: 'deletionJob', subjectId: jobId }),
  };
}

export function deletionEffects(jobs: Pick<JobsService, 'decided'>): ApprovalEffects {
  return {
    apply: (tx, { scope, subjectId }) => jobs.decided(tx, scope, subjectId, 'approved'),
    drop: async (tx, { scope, subjectId }) => void (await jobs.decided(tx, scope, subjectId, 'refused')),
  };
}

/** Locations ask before they keep things for a shorter time. */
export function retentionApproval(approvals: Approvals): RetentionApproval {
  return {
    ask: (tx, { actor, scope, tenantId }, { locationId, name, from, to }) =>
      approvals.ask(tx, { actor, scope, tenantId, kind: 'shorterRetention', subject: { id: locationId, name }, details: { from, to } }),
    lapse: (tx, locationId) => approvals.lapse(tx, { kind: 'shorterRetention', subjectId: locationId }),
    open: async (tx) => new Map([...(await approvals.open(tx, 'shorterRetention'))].map(([id, { to }]) => [id, Number(to)])),
  };
}

export function retentionEffects(locations: Pick<LocationsService, 'shorten'>): ApprovalEffects {
  return {
    apply: (tx, { subjectId, details }) => locations.shorten(tx, subjectId, Number(details['to'])),
    drop: () => Promise.resolve(),
  };
}
