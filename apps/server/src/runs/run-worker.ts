import type { Scope, Task } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import type { RunAccountsStore } from './run-accounts.store.ts';
import type { ClaimedRun } from './run.ts';
import type { RunsStore } from './runs.store.ts';
import type { RunContext, RunHandler, RunHandlers, RunOutcome } from './handler.ts';
import { createRunProgress } from './run-progress.ts';

export interface RunWorkerOptions {
  readonly runs: RunsStore;
  readonly accounts: RunAccountsStore;
  /** Says while a location is needed whether its storage is away. */
  readonly outages?: { watch(locationId: string, onChange: (isAway: boolean) => void): () => void };
  readonly handlers: RunHandlers;
  readonly worker: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of each run that ended, for notifications. */
  onEnded?(scope: Scope, run: ClaimedRun, outcome: RunOutcome): Promise<void>;
}

/** Longer than this a run is not held: it hands itself on, well before the queue would take it away. */
const HOLD_MS = 20 * 3_600_000;

/** What the product expects to happen has a code that says all; only what it does not expect needs its stack. */
function logFailure(logger: Logger, { runId }: ClaimedRun, error: unknown): void {
  if (isAppError(error)) logger.error({ code: error.code, details: error.details, runId }, 'run failed');
  else logger.error({ err: error, runId }, 'run failed');
}

type Why = 'cancelled' | 'lost' | 'handed-on';

async function handle(options: RunWorkerOptions, context: RunContext): Promise<RunOutcome> {
  // A run's body has the type it is looked up by, which the compiler can't follow through the union of kinds.
  const handler = options.handlers[context.run.type] as RunHandler | undefined;
  if (!handler) throw new AppError('runs.unknown-type', { details: { type: context.run.type } });
  return handler(context);
}

/** Takes the task of a run: claims it, does it, ends it. What is thrown gives the task back to the queue. */
export function createRunWorker(options: RunWorkerOptions): (task: Task) => Promise<void> {
  const { runs, accounts, clock, logger } = options;

  /** What a run decides is what it has written itself: it is read back as it was. */
  function decisionsOf(scope: Scope, run: ClaimedRun): RunContext['decide'] {
    return async <Decision extends object>(name: string, first: () => Promise<Decision>): Promise<Decision> =>
      ((await runs.decided(scope, run.runId, name)) ?? (await runs.decide(scope, run, name, await first()))) as Decision;
  }

  async function work(scope: Scope, run: ClaimedRun, outside: AbortSignal): Promise<void> {
    const stopping = new AbortController();
    let why: Why | undefined;
    const stop = (reason: Why): void => {
      why ??= reason;
      stopping.abort(new AppError(`runs.${reason}`));
    };
    // The process may have begun to stop while the run was claimed: a signal that has fired fires no more.
    if (outside.aborted) stop('handed-on');
    else outside.addEventListener('abort', () => stop('handed-on'), { once: true });
    const release = clock.after(HOLD_MS, () => stop('handed-on'));
    const progress = createRunProgress({
      sink: {
        run: (figures, count) => runs.report(scope, run, figures, count),
        accounts: (figures) => accounts.report(scope, run.runId, figures),
      },
      clock,
      logger,
      waited: run.waited,
      onCancel: () => stop('cancelled'),
      onLost: () => stop('lost'),
    });
    const unwatch =
      (run.locationId !== null && options.outages?.watch(run.locationId, (isAway) => progress.waitForStorage(isAway))) || (() => undefined);
    // Nobody waits for the storage of a run that is to stop.
    stopping.signal.addEventListener('abort', unwatch, { once: true });
    let outcome: RunOutcome;
    try {
      outcome = await handle(options, { scope, run, progress, decide: decisionsOf(scope, run), signal: stopping.signal });
    } catch (error) {
      if (why === undefined) logFailure(logger, run, error);
      outcome = { status: 'failed', code: isAppError(error) ? error.code : 'internal' };
    } finally {
      release();
      unwatch();
      await progress.close();
    }
    if (why === 'lost') return;
    if (why === 'handed-on') throw new AppError('runs.handed-on', { details: { runId: run.runId } });
    const ending: RunOutcome = why === 'cancelled' ? { ...outcome, status: 'cancelled', code: null } : outcome;
    await runs.end(scope, run, ending);
    await options.onEnded?.(scope, run, ending);
  }

  return async ({ scope, payload, signal }) => {
    const runId = String(payload['runId']);
    const run = await runs.claim(scope, runId, options.worker);
    if (!run) return;
    logger.info({ runId, type: run.type, workload: run.workload, isResumed: run.isResumed }, 'run started');
    try {
      await work(scope, run, signal);
    } catch (error) {
      if (!isAppError(error, 'runs.lost')) throw error;
    }
    logger.info({ runId }, 'run finished on this worker');
  };
}
