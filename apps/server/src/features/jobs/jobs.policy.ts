import { isDeepStrictEqual } from 'node:util';
import { mayDo, type Role } from '@holdfast/contract/actions';
import type { Job, JobBody } from '@holdfast/contract/jobs';
import { leavesItsPlace, type RestoreTarget } from '@holdfast/contract/restore';

/** Whether a role may create, change or remove a job of this type: deletion jobs are for those who may delete. */
export function mayManage(role: Role, type: JobBody['type']): boolean {
  return mayDo(role, type === 'deletion' ? 'deletion.manage' : 'jobs.manage');
}

/** Whether a role may start and stop a job of this type. */
export function mayRun(role: Role, type: JobBody['type']): boolean {
  return mayDo(role, type === 'deletion' ? 'deletion.manage' : 'jobs.run');
}

/** A deletion job waits for its second person. */
export function mayRunYet(approval: Job['approval']): boolean {
  return approval === 'notNeeded' || approval === 'approved';
}

/** What of a deletion job somebody approved: all but its name. */
export function isSameDeletion(before: JobBody, after: JobBody): boolean {
  return isDeepStrictEqual({ ...before, name: '' }, { ...after, name: '' });
}

/** Restores that leave their place show content to people who could not see it before. */
export function mayRestoreTo(role: Role, kind: RestoreTarget['kind']): boolean {
  return mayDo(role, leavesItsPlace(kind) ? 'restore.elsewhere' : 'restore.run');
}

/** Whether a job rests while its tenant is deprovisioned: only downloads of stored content go without Microsoft 365. */
export function needsTenant(body: JobBody): boolean {
  return !(body.type === 'restore' && body.restore.target.kind === 'download');
}

/** Whether a job rests while its workload is turned off. What is stored can still be restored, verified and deleted. */
export function needsWorkload({ type }: JobBody): boolean {
  return type === 'backup' || type === 'archive';
}
