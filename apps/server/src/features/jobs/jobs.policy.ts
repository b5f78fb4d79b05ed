import { isDeepStrictEqual } from 'node:util';
import { mayDo, type Role } from '@holdfast/contract/actions';
import { traitsOf, type Job, type JobBody } from '@holdfast/contract/jobs';
import { leavesItsPlace, type RestoreTarget } from '@holdfast/contract/restore';

/** Whether a role may create, change or remove a job of this type. */
export function mayManage(role: Role, type: JobBody['type']): boolean {
  return mayDo(role, traitsOf(type).actions.manage);
}

/** Whether a role may start and stop a job of this type. */
export function mayRun(role: Role, type: JobBody['type']): boolean {
  return mayDo(role, traitsOf(type).actions.run);
}

/** A job that needs a second person waits for one. */
export function mayRunYet(approval: Job['approval']): boolean {
  return approval === 'notNeeded' || approval === 'approved';
}

/** What somebody approved of a job: all but its name. */
export function isSameButForName(before: JobBody, after: JobBody): boolean {
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
  return traitsOf(type).protects === true;
}
