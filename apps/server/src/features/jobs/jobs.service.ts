import { isDeepStrictEqual } from 'node:util';
import { traitsOf, type Job, type JobBody } from '@holdfast/contract/jobs';
import type { Page } from '@holdfast/contract/paging';
import type { Task } from '@holdfast/contract/values';
import type { Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { membershipIn } from '../../access/actor.ts';
import type { Caller } from '../../access/caller.ts';
import type { JobCoverage, JobFacts, JobKind, Saving } from '../../runs/kind.ts';
import type { JobKinds } from '../../runs/kinds.ts';
import { announce } from '../../events/live-events.ts';
import type { RunsStore, RunsViews } from '../../runs/index.ts';
import type { AuditEvent } from '../audit/index.ts';
import { mayManage, mayRun, mayRunYet, needsAnotherApproval } from './jobs.policy.ts';
import type { JobsStore, SaveResult, StoredJob } from './jobs.store.ts';
import type { JobsQuery, JobsViews } from './jobs.views.ts';
import { newRunOf } from './new-run.ts';
import { isDeprovisioned, whyNotReady } from './readiness.store.ts';
import { nextOccurrence, nextOccurrences } from './schedule.ts';
import { requireSoundLocation, requireSoundSchedule, requireSoundSource } from './sound-job.ts';

/** Tells the audit log, in the transaction of the change. */
export type JobsAudit = (
  tx: Tx,
  caller: Caller,
  event: { readonly event: AuditEvent; readonly jobId: string; readonly name: string } & JobFacts,
) => Promise<void>;

/** Asks a second person for a job that needs one, in the transaction that saves it. */
export interface JobApproval {
  ask(tx: Tx, caller: Caller, job: JobToApprove): Promise<void>;
  /** The job is gone. */
  lapse(tx: Tx, jobId: string): Promise<void>;
}

/** A job that waits for a second person, and what they are shown of it. */
export interface JobToApprove {
  readonly jobId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly details: Readonly<Record<string, string | number>>;
}

export interface JobsServiceOptions {
  readonly store: JobsStore;
  readonly views: JobsViews;
  readonly runs: Pick<RunsStore, 'enqueue' | 'requestCancel' | 'skip'>;
  readonly runViews: Pick<RunsViews, 'task'>;
  readonly kinds: JobKinds;
  readonly approval: JobApproval;
  readonly audit: JobsAudit;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The use cases of jobs. */
export interface JobsService {
  list(scope: Scope, tenantId: string, query: JobsQuery): Promise<Page<Job>>;
  get(scope: Scope, tenantId: string, jobId: string): Promise<Job>;
  create(caller: Caller, tenantId: string, body: JobBody): Promise<Job>;
  update(caller: Caller, place: JobPlace, body: JobBody): Promise<Job>;
  remove(caller: Caller, place: JobPlace): Promise<void>;
  start(caller: Caller, place: JobPlace): Promise<{ readonly taskId: string }>;
  stop(caller: Caller, place: JobPlace): Promise<{ readonly taskId: string }>;
  status(scope: Scope, place: JobPlace, taskId: string): Promise<Task>;
  /** A second person approved a deletion job, or refused it. False when it is gone. */
  decided(tx: Tx, scope: Scope, jobId: string, decision: 'approved' | 'refused'): Promise<boolean>;
  /** Cancels every run of a tenant, whether its job is still there or not. */
  stopAll(scope: Scope, tenantId: string): Promise<void>;
  /** Gives jobs without a next run the one that their schedules say. */
  resume(scope: Scope, tenantId: string): Promise<void>;
  preview(caller: Caller, tenantId: string, body: JobBody): Promise<JobCoverage & { readonly runs: string[] }>;
}
export interface JobPlace {
  readonly tenantId: string;
  readonly jobId: string;
  /** What the caller saw, when it says so; another version now is refused. */
  readonly expectedVersion?: string | undefined;
}

const SHOWN_RUNS = 5;

function refuseUnsaved(result: SaveResult): void {
  if (result === 'name-taken') throw new AppError('jobs.name-taken', { details: { field: 'name' } });
  if (result === 'location-unknown') throw new AppError('jobs.location-unknown', { details: { field: 'locationId' } });
}

function requireRole(caller: Caller, nowMs: number): NonNullable<ReturnType<typeof membershipIn>> {
  const membership = membershipIn(caller.actor, caller.scope.organisationId, nowMs);
  if (!membership) throw new AppError('not-found');
  return membership;
}

/** Who may save such a job at all, and this one in particular. */
function requireAllowed({ kinds }: JobsServiceOptions, caller: Caller, body: JobBody, nowMs: number): JobKind {
  const { role } = requireRole(caller, nowMs);
  if (!mayManage(role, body.type)) throw new AppError('access-denied');
  const kind = kinds.of(body);
  kind.allow?.(role, body);
  return kind;
}

function factsOf(kind: JobKind, body: JobBody): JobFacts {
  const { details, ...facts } = kind.facts?.(body) ?? {};
  return { details: { type: body.type, ...details }, ...facts };
}

const NOTHING_COVERED: JobCoverage = {
  resources: 0,
  alreadyProtected: 0,
  estimatedBytes: null,
  pointsToDelete: null,
  pointsHeld: null,
};

async function requireReady(tx: Tx, tenantId: string, body: JobBody): Promise<void> {
  const refusal = await whyNotReady(tx, tenantId, body);
  if (refusal !== undefined) throw new AppError(refusal);
}

/** A job of a workload that is turned off is not made: it would never run. */
async function requireWorkload(tx: Tx, tenantId: string, body: JobBody): Promise<void> {
  if ((await whyNotReady(tx, tenantId, body)) !== 'configuration.workload-off') return;
  throw new AppError('configuration.workload-off', { details: { field: 'workload' } });
}

function nextRunAt(body: JobBody, afterMs: number, anchorMs: number): Date | null {
  const next = nextOccurrence(body.schedule, afterMs, anchorMs);
  return next ? new Date(next.atMs) : null;
}

/** The list of jobs is another one now. */
function tellChanged(tx: Tx, scope: Scope, { tenantId, jobId }: Pick<JobPlace, 'tenantId' | 'jobId'>): Promise<void> {
  return announce(tx, scope, { name: 'jobs.changed', tenantId, data: { jobId } });
}

async function requireJob(store: JobsStore, tx: Tx, place: JobPlace): Promise<StoredJob> {
  const job = await store.get(tx, place.tenantId, place.jobId, { forUpdate: true });
  if (!job) throw new AppError('not-found');
  if (place.expectedVersion !== undefined && place.expectedVersion !== String(job.version))
    throw new AppError('request.precondition-failed');
  return job;
}

/** Refuses a job that could only fail with what is stored now. */
async function requireStored(options: JobsServiceOptions, tx: Tx, kind: JobKind, saving: Saving): Promise<void> {
  await requireSoundLocation(tx, saving);
  await kind.checkStored?.(tx, saving);
}

function askApproval(
  { kinds, approval }: JobsServiceOptions,
  tx: Tx,
  caller: Caller,
  { jobId, tenantId, body }: { readonly jobId: string; readonly tenantId: string; readonly body: JobBody },
): Promise<void> {
  return approval.ask(tx, caller, { jobId, tenantId, name: body.name, details: kinds.of(body).approvalDetails?.(body) ?? {} });
}

function createChanges(options: JobsServiceOptions, get: JobsService['get']): Pick<JobsService, 'create' | 'update' | 'remove'> {
  const { store, runs, clock, ids, audit, approval } = options;

  return {
    async create(caller, tenantId, body) {
      const at = now(clock);
      const kind = requireAllowed(options, caller, body, at.getTime());
      const saving = { tenantId, body };
      requireSoundSchedule(body, at.getTime());
      requireSoundSource(body);
      await kind.check?.(caller.scope, saving);
      const jobId = ids.uuid();
      await store.within(caller.scope, async (tx) => {
        await requireStored(options, tx, kind, saving);
        await kind.permit?.(tx, caller, saving);
        await requireWorkload(tx, tenantId, body);
        const isAtRest = await isDeprovisioned(tx, tenantId);
        const next = isAtRest ? null : nextRunAt(body, at.getTime(), at.getTime());
        const { email: creator, accountId: createdBy } = caller.actor;
        refuseUnsaved(await store.insert(tx, { jobId, tenantId, body, nextRunAt: next, creator, createdBy, at }));
        await audit(tx, caller, { event: 'jobs.created', jobId, name: body.name, ...factsOf(kind, body) });
        await tellChanged(tx, caller.scope, { tenantId, jobId });
        if (traitsOf(body.type).needsApproval) await askApproval(options, tx, caller, { jobId, tenantId, body });
        await kind.saved?.(tx, caller, saving);
        const job = await store.get(tx, tenantId, jobId);
        if (job && mayRunYet(job.approval) && body.schedule.mode === 'afterCreation') {
          await requireReady(tx, tenantId, body);
          await runs.enqueue(tx, caller.scope, newRunOf(job, { trigger: 'creation', startedBy: creator, onBehalfOf: createdBy }));
        }
      });
      return get(caller.scope, tenantId, jobId);
    },
    async update(caller, place, body) {
      const at = now(clock);
      const kind = requireAllowed(options, caller, body, at.getTime());
      const { tenantId } = place;
      requireSoundSource(body);
      await kind.check?.(caller.scope, { tenantId, body });
      await store.within(caller.scope, async (tx) => {
        const job = await requireJob(store, tx, place);
        if (job.type !== body.type) throw new AppError('jobs.type-fixed', { details: { field: 'type' } });
        const saving = { tenantId, body, before: job.body };
        await requireStored(options, tx, kind, saving);
        await kind.permit?.(tx, caller, saving);
        const isRescheduled = !isDeepStrictEqual(job.body.schedule, body.schedule);
        if (isRescheduled) requireSoundSchedule(body, at.getTime());
        const anchored = isRescheduled ? at : job.anchoredAt;
        const isAtRest = await isDeprovisioned(tx, tenantId);
        const rescheduled = isRescheduled ? nextRunAt(body, at.getTime(), anchored.getTime()) : job.nextRunAt;
        const next = isAtRest ? null : rescheduled;
        const isAskedAgain = needsAnotherApproval(job, body);
        const reset = { ...(isRescheduled ? { anchoredAt: at } : {}), ...(isAskedAgain ? ({ approval: 'waiting' } as const) : {}) };
        refuseUnsaved(await store.update(tx, job.jobId, { body, savedBy: caller.actor.accountId, nextRunAt: next, ...reset }));
        if (isAskedAgain) await askApproval(options, tx, caller, { jobId: job.jobId, tenantId, body });
        await kind.saved?.(tx, caller, saving);
        await audit(tx, caller, { event: 'jobs.changed', jobId: job.jobId, name: body.name, ...factsOf(kind, body) });
        await tellChanged(tx, caller.scope, place);
      });
      return get(caller.scope, place.tenantId, place.jobId);
    },
    async remove(caller, place) {
      const { role } = requireRole(caller, clock.nowMs());
      await store.within(caller.scope, async (tx) => {
        const job = await requireJob(store, tx, place);
        if (!mayManage(role, job.type)) throw new AppError('access-denied');
        if (await store.activeRun(tx, job.jobId)) throw new AppError('jobs.already-running');
        await store.remove(tx, job.jobId);
        await approval.lapse(tx, job.jobId);
        await audit(tx, caller, { event: 'jobs.removed', jobId: job.jobId, name: job.name });
        await tellChanged(tx, caller.scope, place);
      });
    },
  };
}

function createActions(options: JobsServiceOptions): Pick<JobsService, 'start' | 'stop' | 'status' | 'decided'> {
  const { store, runs, clock, audit } = options;

  async function runnable(tx: Tx, caller: Caller, place: JobPlace): Promise<StoredJob> {
    const { role } = requireRole(caller, clock.nowMs());
    const job = await requireJob(store, tx, place);
    if (!mayRun(role, job.type)) throw new AppError('access-denied');
    return job;
  }

  return {
    start: (caller, place) =>
      store.within(caller.scope, async (tx) => {
        const job = await runnable(tx, caller, place);
        const kind = options.kinds.of(job.body);
        await kind.permit?.(tx, caller, { tenantId: place.tenantId, body: job.body });
        await requireReady(tx, place.tenantId, job.body);
        if (!mayRunYet(job.approval)) throw new AppError('jobs.approval-needed');
        const { email, accountId: onBehalfOf } = caller.actor;
        const run = await runs.enqueue(tx, caller.scope, newRunOf(job, { trigger: 'manual', startedBy: email, onBehalfOf }));
        if (!run) throw new AppError('jobs.already-running');
        await audit(tx, caller, { event: 'jobs.started', jobId: job.jobId, name: job.name, ...factsOf(kind, job.body) });
        return { taskId: run.runId };
      }),
    stop: (caller, place) =>
      store.within(caller.scope, async (tx) => {
        const job = await runnable(tx, caller, place);
        const taskId = await store.activeRun(tx, job.jobId);
        if (taskId === undefined || !(await runs.requestCancel(tx, caller.scope, taskId))) throw new AppError('jobs.not-running');
        await audit(tx, caller, { event: 'jobs.stopped', jobId: job.jobId, name: job.name });
        return { taskId };
      }),
    async decided(tx, scope, jobId, decision) {
      const job = await store.lock(tx, jobId);
      if (!job) return false;
      await store.setApproval(tx, jobId, decision);
      await tellChanged(tx, scope, job);
      // What was to run as soon as it was there, runs as soon as it may.
      if (decision === 'approved' && job.body.schedule.mode === 'afterCreation') {
        const run = newRunOf(job, { trigger: 'creation', startedBy: job.creator, onBehalfOf: job.savedBy });
        const refusal = await whyNotReady(tx, job.tenantId, job.body);
        if (refusal === undefined) await runs.enqueue(tx, scope, run);
        else await runs.skip(tx, scope, run, refusal);
      }
      return true;
    },
    async status(scope, place, taskId) {
      const task = await options.runViews.task(scope, place.jobId, taskId);
      if (!task) throw new AppError('not-found');
      return task;
    },
  };
}

/** All jobs of a tenant at once, when it goes out of use and when it comes back. */
function createTogether({ store, runs, clock }: JobsServiceOptions): Pick<JobsService, 'stopAll' | 'resume'> {
  return {
    stopAll: (scope, tenantId) =>
      store.within(scope, async (tx) => {
        for (const runId of await store.activeRunsOf(tx, tenantId)) await runs.requestCancel(tx, scope, runId);
      }),
    resume: (scope, tenantId) =>
      store.within(scope, async (tx) => {
        const at = clock.nowMs();
        for (const { jobId, body, anchoredAt } of await store.atRest(tx, tenantId)) {
          const next = nextRunAt(body, at, anchoredAt.getTime());
          if (!next) continue;
          await store.setNext(tx, jobId, next);
          await tellChanged(tx, scope, { tenantId, jobId });
        }
      }),
  };
}

export function createJobsService(options: JobsServiceOptions): JobsService {
  const { views, clock } = options;
  const get: JobsService['get'] = async (scope, tenantId, jobId) => {
    const job = await views.get(scope, tenantId, jobId);
    if (!job) throw new AppError('not-found');
    return job;
  };
  return Object.freeze<JobsService>({
    get,
    list: (scope, tenantId, query) => views.list(scope, tenantId, query),
    ...createChanges(options, get),
    ...createActions(options),
    ...createTogether(options),
    async preview(caller, tenantId, body) {
      const nowMs = clock.nowMs();
      const kind = requireAllowed(options, caller, body, nowMs);
      requireSoundSchedule(body, nowMs);
      requireSoundSource(body);
      await options.store.within(caller.scope, async (tx) => {
        await requireStored(options, tx, kind, { tenantId, body });
        await kind.permit?.(tx, caller, { tenantId, body });
      });
      const covered = (await kind.preview?.(caller.scope, tenantId, body)) ?? NOTHING_COVERED;
      const runs = nextOccurrences(body.schedule, nowMs, nowMs, SHOWN_RUNS).map((occurrence) => new Date(occurrence.atMs).toISOString());
      return { ...covered, runs };
    },
  });
}
