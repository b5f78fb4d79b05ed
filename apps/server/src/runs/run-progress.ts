import type { Progress, ProgressReport } from '@holdfast/engine';
import { isAppError } from '@holdfast/foundation/errors';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { RunFigures } from './run.ts';
import { createWaits, type Waits } from './waits.ts';

/** The same of one resource. */
interface AccountFigures {
  readonly stage: string;
  readonly processed: number;
  readonly total: number | null;
  readonly bytes: number;
  readonly errors: number;
}

/** Where figures go. The answer says whether somebody wants the run to stop. */
export interface ProgressSink {
  run(figures: RunFigures, accounts: number): Promise<{ readonly isCancelled: boolean }>;
  accounts(figures: ReadonlyMap<string, AccountFigures>): Promise<void>;
}

/** Collects what the resources of a run report and writes it twice a second at most. */
export interface RunProgress {
  /** The progress of one resource, to be handed to the engine. */
  of(resourceId: string): Progress;
  /** A resource has ended: its last figures count on. One that failed without naming an item is an error itself. */
  ended(resourceId: string, how?: { readonly isFailed: boolean }): void;
  stage(name: string): void;
  /** The storage is away and the run waits for it, or it is back. */
  waitForStorage(isAway: boolean): void;
  /** Microsoft 365 is away for a resource or, without an id, for the run itself; without a code it answers again. */
  waitForMicrosoft(resourceId: string | undefined, code: string | undefined): void;
  expect(accounts: number): void;
  /** Writes what has not been written, and stops. */
  close(): Promise<void>;
}

const EVERY_MS = 500;

export interface RunProgressOptions {
  readonly sink: ProgressSink;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For how long the run has waited on workers before this one. */
  readonly waited: RunFigures['waited'];
  /** Called once when the run is to stop. */
  onCancel(): void;
  /** Called once when another worker has the run. */
  onLost(error: unknown): void;
}

interface Wait {
  readonly code: string;
  readonly sinceMs: number;
}

interface Collected {
  readonly latest: ReadonlyMap<string, ProgressReport>;
  readonly ended: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  readonly stage: string;
  readonly started: ReadonlySet<string>;
  readonly storage: Wait | undefined;
  /** By resource; the run's own has no id. */
  readonly microsoft: ReadonlyMap<string | undefined, Wait>;
  readonly expected: number;
  readonly waited: RunFigures['waited'];
}

/** The run waits when it does so itself, or when all its resources do that have begun and not ended. */
function waitsForMicrosoft({ started, ended, microsoft }: Collected): boolean {
  if (microsoft.has(undefined)) return true;
  return microsoft.size > 0 && [...started].every((id) => ended.has(id) || microsoft.has(id));
}

/** Of several waits the first. */
function waitingOf({ storage, microsoft }: Collected): RunFigures['waiting'] {
  const [first] = (storage ? [storage] : [...microsoft.values()]).sort((a, b) => a.sinceMs - b.sinceMs);
  return first ? { code: first.code, since: new Date(first.sinceMs).toISOString() } : null;
}

/** A resource may wait before it has reported anything. */
function accountOf(report: ProgressReport | undefined, isWaiting: boolean): AccountFigures {
  const { stage = 'preparing', processed = 0, total = null, bytes = 0, errors = 0 } = report ?? {};
  return { stage: isWaiting ? 'waitingForMicrosoft' : stage, processed, total, bytes, errors };
}

/** Errors of items, and one for each resource that failed without any. */
function errorsOf({ latest, failed }: Collected): number {
  const ofItems = [...latest.values()].reduce((total, { errors }) => total + errors, 0);
  return ofItems + [...failed].filter((id) => (latest.get(id)?.errors ?? 0) === 0).length;
}

/** One set of figures for the whole run. What has ended counts whole, what is under way by its share. */
function figuresOf(collected: Collected): RunFigures {
  const { latest, ended, stage, storage, expected } = collected;
  const reports = [...latest.values()];
  const sum = (pick: (report: ProgressReport) => number): number => reports.reduce((total, report) => total + pick(report), 0);
  const active = [...latest].filter(([id]) => !ended.has(id)).map(([, report]) => report);
  const isTotalKnown = reports.length >= expected && reports.every((report) => report.total !== undefined);
  const shares = active.map((report) =>
    report.total === undefined || report.total === 0 ? 0 : Math.min(1, report.processed / report.total),
  );
  const done = ended.size + shares.reduce((total, share) => total + share, 0);
  const ownStage = stage === 'working' ? (active[0]?.stage ?? 'preparing') : stage;
  const microsoftOr = waitsForMicrosoft(collected) ? 'waitingForMicrosoft' : ownStage;
  return {
    stage: storage ? 'waitingForStorage' : microsoftOr,
    progress: expected === 0 ? 0 : Math.min(99.9, (done / expected) * 100),
    processed: sum((report) => report.processed),
    total: isTotalKnown ? sum((report) => report.total ?? 0) : null,
    bytes: sum((report) => report.bytes),
    itemsPerSecond: active.reduce((total, report) => total + report.itemsPerSecond, 0),
    bytesPerSecond: active.reduce((total, report) => total + report.bytesPerSecond, 0),
    errors: errorsOf(collected),
    waiting: waitingOf(collected),
    waited: collected.waited,
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

/** What follows where figures could not be written. */
function createFailure(options: RunProgressOptions, waits: Waits): (error: unknown) => void {
  return (error) => {
    if (isAppError(error, 'database.unavailable')) waits.begin('database');
    if (isAppError(error, 'runs.lost')) options.onLost(error);
    else options.logger.warn({ err: error }, 'the progress of a run could not be written');
  };
}

export function createRunProgress(options: RunProgressOptions): RunProgress {
  const { sink, clock } = options;
  const latest = new Map<string, ProgressReport>();
  const changed = new Set<string>();
  const ended = new Set<string>();
  const failed = new Set<string>();
  const started = new Set<string>();
  const microsoft = new Map<string | undefined, Wait>();
  const waits = createWaits(clock, options.waited);
  let stage = 'preparing';
  let storage: Wait | undefined;
  let expected = 0;
  let isDirty = true;
  let isTold = false;

  async function write(): Promise<void> {
    const some = new Map([...changed].map((id) => [id, accountOf(latest.get(id), microsoft.has(id))]));
    changed.clear();
    isDirty = false;
    const waited = waits.read();
    const { isCancelled } = await sink.run(
      figuresOf({ latest, ended, failed, started, stage, storage, microsoft, expected, waited }),
      expected,
    );
    await sink.accounts(some);
    waits.end('database');
    if (isCancelled && !isTold) {
      isTold = true;
      options.onCancel();
    }
  }

  const line = createLine(() => write().catch(createFailure(options, waits)));

  // Asked for even when nothing moved: the answer is how a cancel is heard.
  const stop = clock.every(EVERY_MS, () => line.ask());

  return {
    of(resourceId) {
      started.add(resourceId);
      return {
        report(state) {
          latest.set(resourceId, state);
          changed.add(resourceId);
          isDirty = true;
        },
      };
    },
    ended(resourceId, { isFailed } = { isFailed: false }) {
      ended.add(resourceId);
      if (isFailed) failed.add(resourceId);
      microsoft.delete(resourceId);
      waits.end('microsoft', resourceId);
      isDirty = true;
    },
    stage(name) {
      stage = name;
      isDirty = true;
    },
    waitForStorage(isAway) {
      waits[isAway ? 'begin' : 'end']('storage');
      storage = isAway ? { code: 'vault.storage-unavailable', sinceMs: clock.nowMs() } : undefined;
      isDirty = true;
    },
    waitForMicrosoft(resourceId, code) {
      const known = microsoft.get(resourceId);
      waits[code === undefined ? 'end' : 'begin']('microsoft', resourceId);
      if (known?.code === code) return;
      if (code === undefined) microsoft.delete(resourceId);
      else microsoft.set(resourceId, { code, sinceMs: known?.sinceMs ?? clock.nowMs() });
      if (resourceId !== undefined) changed.add(resourceId);
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
