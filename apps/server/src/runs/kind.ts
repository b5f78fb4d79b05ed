import type { Role } from '@holdfast/contract/actions';
import type { BodyOf, JobBody, JobType } from '@holdfast/contract/jobs';
import type { Scope, Tx } from '@holdfast/database';
import type { Caller } from '../access/caller.ts';
import type { RunContext, RunOf, RunOutcome } from './handler.ts';

/** A job that is about to be saved, and the one it replaces. */
export interface Saving<Body extends JobBody = JobBody> {
  readonly tenantId: string;
  readonly body: Body;
  readonly before?: Body;
}

/** What a job would cover, for the preview. */
export interface JobCoverage {
  readonly resources: number;
  readonly alreadyProtected: number;
  readonly estimatedBytes: number | null;
  readonly pointsToDelete: number | null;
  readonly pointsHeld: number | null;
  /** The names of the holds that keep these points. */
  readonly heldBy?: string[];
  /** Points that an archive job has yet to take in, and the names of these jobs. */
  readonly pointsAwaited?: number;
  readonly awaitedBy?: string[];
}

/** What an event of the audit log says of a job besides its name and kind. */
export interface JobFacts {
  readonly details?: Readonly<Record<string, string>>;
  readonly reason?: string;
}

/**
 * What the server knows of one kind of job. Everything else asks the registry: nothing outside the kind's folder and
 * its entry in the contract names its type. Methods that are absent ask for nothing.
 */
export interface JobKind<Type extends JobType = JobType> {
  readonly type: Type;
  /** Refuses callers whose role allows the kind but not this job. */
  allow?(role: Role, body: BodyOf<Type>): void;
  /** Refuses whoever may not let this job run now. Asked when it is saved, started or previewed by a person. */
  permit?(tx: Tx, caller: Caller, saving: Saving<BodyOf<Type>>): Promise<void>;
  /** Refuses a job whose run could only fail. Runs before the transaction, so it may ask Microsoft 365. */
  check?(scope: Scope, saving: Saving<BodyOf<Type>>): Promise<void>;
  /** Refuses in the transaction that saves. */
  checkStored?(tx: Tx, saving: Saving<BodyOf<Type>>): Promise<void>;
  /** Runs in the transaction that saves, after the job was written. */
  saved?(tx: Tx, caller: Caller, saving: Saving<BodyOf<Type>>): Promise<void>;
  preview?(scope: Scope, tenantId: string, body: BodyOf<Type>): Promise<JobCoverage>;
  facts?(body: BodyOf<Type>): JobFacts;
  /** What a second person is shown of the job before they decide. */
  approvalDetails?(body: BodyOf<Type>): Readonly<Record<string, string | number>>;
  /** Does a run. Repeatable from the start: a run that was taken from a dead worker begins again with what is durable. */
  handle(context: RunContext<RunOf<Type>>): Promise<RunOutcome>;
}

/** One of the kinds. */
export type AnyJobKind = { readonly [Type in JobType]: JobKind<Type> }[JobType];
