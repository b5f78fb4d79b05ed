import { isDeepStrictEqual } from 'node:util';
import { mayDo, type Role } from '@holdfast/contract/actions';
import { traitsOf, type Job, type JobBody } from '@holdfast/contract/jobs';

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

/** Whether a change needs another approval: everything but the name was approved. */
export function needsAnotherApproval(job: { readonly approval: Job['approval']; readonly body: JobBody }, body: JobBody): boolean {
  if (!traitsOf(body.type).needsApproval) return false;
  return job.approval !== 'approved' || !isDeepStrictEqual({ ...job.body, name: '' }, { ...body, name: '' });
}

/** Whether a job rests while its workload is turned off. What is stored can still be restored, verified and deleted. */
export function needsWorkload({ type }: JobBody): boolean {
  return traitsOf(type).protects === true;
}
