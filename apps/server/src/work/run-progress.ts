import type { Progress, ProgressReport } from '@holdfast/engine';
import { isAppError } from '@holdfast/foundation/errors';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';

/** The figures of a run and of the resources it is working on. */
export interface ProgressFigures {
  readonly stage: string;
  readonly progress: number;
  readonly processed: number;
  readonly total: number | null;
  readonly bytes: number;
  readonly itemsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly errors: number;
}

/** Where figures go. The answer says whether somebody wants the run to stop. */
export interface ProgressSink {
  run(figures: ProgressFigures, accounts: number): Promise<{ readonly isCancelled: boolean }>;
  accounts(
    figures: ReadonlyMap<string, { stage: string; processed: number; total: number | null; bytes: number; errors: number }>,
  ): Promise<void>;
}

/** Collects what the resources of a run report and writes it twice a second at most. */
export interface RunProgress {
  /** The progress of one resource, to be handed to the engine. */
  of(resourceId: string): Progress;
  /** A resource has ended: its last figures count on. */
  ended(resourceId: string): void;
  stage(name: string): void;
  /** The storage is away and the run waits for it, or it is back. */
  waitForStorage(isAway: boolean): void;
  expect(accounts: number): void;
  /** Writes what has not been written, and stops. */
  close(): Promise<void>;
}

const EVERY_MS = 500;

export interface RunProgressOptions {
  readonly sink: ProgressSink;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once when the run is to stop. */
  onCancel(): void;
  /** Called once when another worker has the run. */
  onLost(error: unknown): void;
}

interface Collected {
  readonly latest: ReadonlyMap<string, ProgressReport>;
  readonly ended: ReadonlySet<string>;
  readonly stage: string;
  readonly isStorageAway: boolean;
  readonly expected: number;
}

/** One set of figures for the whole run. What has ended counts whole, what is under way by its share. */
function figuresOf({ latest, ended, stage, isStorageAway, expected }: Collected): ProgressFigures {
  const reports = [...latest.values()];
  const sum = (pick: (report: ProgressReport) => number): number => reports.reduce((total, report) => total + pick(report), 0);
  const active = [...latest].filter(([id]) => !ended.has(id)).map(([, report]) => report);
  const isTotalKnown = reports.length >= expected && reports.every((report) => report.total !== undefined);
  const shares = active.map((report) =>
    report.total === undefined || report.total === 0 ? 0 : Math.min(1, report.processed / report.total),
  );
  const done = ended.size + shares.reduce((total, share) => total + share, 0);
  const ownStage = stage === 'working' ? (active[0]?.stage ?? 'preparing') : stage;
  return {
    stage: isStorageAway ? 'waitingForStorage' : ownStage,
    progress: expected === 0 ? 0 : Math.min(99.9, (done / expected) * 100),
    processed: sum((report) => report.processed),
    total: isTotalKnown ? sum((report) => report.total ?? 0) : null,
    bytes: sum((report) => report.bytes),
    itemsPerSecond: active.reduce((total, report) => total + report.itemsPerSecond, 0),
    bytesPerSecond: active.reduce((total, report) => total + report.bytesPerSecond, 0),
    errors: sum((report) => report.errors),
  };
}

/** Does `work` one call after the other. While it is slow one call waits and no more: later they would all follow at once. */
function createLine(work: () => Promise<void>): { ask(): void; settled(): Promise<void> } {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    ask() {
      if (waiting > 1) return;
      waiting += 1;
      last = last.then(work).finally(() => {
        waiting -= 1;
      });
    },
    settled: () => last,
  };
}

export function createRunProgress(options: RunProgressOptions): RunProgress {
  const { sink, clock } = options;
  const latest = new Map<string, ProgressReport>();
  const changed = new Set<string>();
  const ended = new Set<string>();
  let stage = 'preparing';
  let isStorageAway = false;
  let expected = 0;
  let isDirty = true;
  let isTold = false;

  async function write(): Promise<void> {
    const some = new Map(
      [...changed].flatMap((id) => {
        const report = latest.get(id);
        return report
          ? [
              [
                id,
                {
                  stage: report.stage,
                  processed: report.processed,
                  total: report.total ?? null,
                  bytes: report.bytes,
                  errors: report.errors,
                },
              ],
            ]
          : [];
      }),
    );
    changed.clear();
    isDirty = false;
    const { isCancelled } = await sink.run(figuresOf({ latest, ended, stage, isStorageAway, expected }), expected);
    await sink.accounts(some);
    if (isCancelled && !isTold) {
      isTold = true;
      options.onCancel();
    }
  }

  const line = createLine(() =>
    write().catch((error: unknown) => {
      if (isAppError(error, 'runs.lost')) options.onLost(error);
      else options.logger.warn({ err: error }, 'the progress of a run could not be written');
    }),
  );

  // Asked for even when nothing moved: the answer is how a cancel is heard.
  const stop = clock.every(EVERY_MS, () => line.ask());

  return {
    of: (resourceId) => ({
      report(state) {
        latest.set(resourceId, state);
        changed.add(resourceId);
        isDirty = true;
      },
    }),
    ended(resourceId) {
      ended.add(resourceId);
      isDirty = true;
    },
    stage(name) {
      stage = name;
      isDirty = true;
    },
    waitForStorage(isAway) {
      isStorageAway = isAway;
      isDirty = true;
    },
    expect(accounts) {
      expected = accounts;
      isDirty = true;
    },
    async close() {
      stop();
      if (isDirty) line.ask();
      await line.settled();
    },
  };
}
