import { z } from 'zod';
import type { Action } from '../shared/actions.ts';
import { id, instant } from '../shared/values.ts';
import { jobName } from './name.ts';
import { schedule } from './schedule.ts';

/** The state of a job as lists show it: that of its current run, else disabled, else that of its last run or its schedule. */
export const jobStatuses = [
  'scheduled',
  'disabled',
  'pending',
  'running',
  'cancelling',
  'successful',
  'defective',
  'failed',
  'cancelled',
  'skipped',
  'finished',
] as const;

/** Whether a job that needs a second person has one. */
export const jobApprovals = ['notNeeded', 'waiting', 'approved', 'refused'] as const;

/** What the product has to know of a kind of job without being that kind. */
export interface JobTraits {
  /** Reads Microsoft 365 into a vault: it makes restore points, and rests while its workload is turned off. */
  readonly protects?: true;
  /** Puts items back one by one and reports each: somebody waits for it, so it does not queue behind backups. */
  readonly putsBack?: true;
  /** Takes back what a restore has written, and reports each item. */
  readonly undoes?: true;
  /** Proves that what is stored can be relied on: its runs are evidence. */
  readonly proves?: true;
  /** Which use of a location its data needs. Kinds that store nothing new work wherever something is stored. */
  readonly stores?: 'backup' | 'archive';
  /** Fills archives from what backups have stored, and reads what none covers: each resource says where it was read. */
  readonly gathers?: true;
  /** Adds to what is stored, and says nothing of how much of a resource is protected. */
  readonly adds?: true;
  /** Deletes what is stored, by a rule that its jobs carry as `retention`. */
  readonly deletes?: true;
  /** Erases archived messages, those of the deletion that its body names. */
  readonly erases?: true;
  /** Runs only when a second person has agreed. */
  readonly needsApproval?: true;
  /** Whether a job of this body works only while its tenant is in use. Absent: always. */
  needsTenant?(body: object): boolean;
  /** The page that lists jobs of this kind, where that is not the page of their workload. */
  readonly page?: string;
  /** What somebody must be allowed to do to save a job of this kind, and to start and stop it. */
  readonly actions: { readonly manage: Action; readonly run: Action };
}

/** What most kinds ask of whoever handles them. */
export const ordinaryActions = { manage: 'jobs.manage', run: 'jobs.run' } as const satisfies JobTraits['actions'];

/** A kind of job: what is sent to save one, what the answer says of it, and what holds for every job of the kind. */
export interface JobKind {
  readonly type: string;
  readonly body: z.ZodType;
  readonly answer: z.ZodObject;
  readonly traits: JobTraits;
}

/** What is sent of every job. */
export const commonBody = { name: jobName, schedule };

/** What the answer says of every job. */
export const commonAnswer = {
  jobId: id,
  name: z.string(),
  schedule,
  creator: z.string(),
  createdAt: instant,
  lastRun: z.object({ runId: id, status: z.enum(jobStatuses), startedAt: instant.nullable(), endedAt: instant.nullable() }).nullable(),
  /** How the last ten runs ended, the oldest first. */
  lastResults: z.array(z.enum(jobStatuses)),
  nextRun: instant.nullable(),
  status: z.enum(jobStatuses),
  /** Of the run that is going on; zero without one. */
  progress: z.number().min(0).max(100),
  stage: z.string(),
  processed: z.number().int(),
  errors: z.number().int(),
  restorePoints: z.number().int(),
  approval: z.enum(jobApprovals),
  version: z.number().int(),
};

/** What the answer says of a job that has a location. */
export const placed = { locationId: id, locationName: z.string() };
/** What the answer says of a job that has sources: how much was chosen, as `countSources` says; null for everyone. */
export const counted = { sourceCount: z.number().int().nullable() };
