import type { BodyOf, JobType } from '@holdfast/contract/jobs';
import type { Scope } from '@holdfast/database';
import type { ClaimedRun, RunCountsSoFar, RunEnd } from './run.ts';
import type { RunProgress } from './run-progress.ts';

/** A claimed run of one kind, with the body of that kind, and a workload and a location if the kind has them. */
export type RunOf<Type extends JobType> = ClaimedRun & {
  readonly type: Type;
  readonly body: BodyOf<Type>;
  readonly workload: BodyOf<Type> extends { readonly workload: infer Own } ? Own : null;
  readonly locationId: BodyOf<Type> extends { readonly locationId: infer Own } ? Own : null;
};

/** What a kind of job is given to do its run. */
export interface RunContext<Run extends ClaimedRun = ClaimedRun> {
  readonly scope: Scope;
  readonly run: Run;
  readonly progress: RunProgress;
  /**
   * Decides something once in the life of the run: whoever takes it up later is given what was decided first. Durable
   * when it returns.
   */
  readonly decide: <Decision extends object>(name: string, first: () => Promise<Decision>) => Promise<Decision>;
  /** Aborted by a cancel, by a drain and when the run is lost. */
  readonly signal: AbortSignal;
}

/** How a run ended. */
export interface RunOutcome {
  readonly status: RunEnd;
  readonly code: string | null;
  readonly counts?: RunCountsSoFar;
  readonly result?: object;
}

/** One kind of job. Repeatable from the start: a run that was taken from a dead worker begins again with what is durable. */
export type RunHandler<Run extends ClaimedRun = ClaimedRun> = (context: RunContext<Run>) => Promise<RunOutcome>;

/** By kind of job, as the registry of kinds has them. */
export type RunHandlers = { readonly [Type in JobType]?: RunHandler<RunOf<Type>> };
