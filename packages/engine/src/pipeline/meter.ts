import type { Clock } from '@holdfast/foundation/clock';
import type { Progress, Stage } from '../ports/progress.ts';

/** Counts what a run does and tells the progress port; never goes back. */
export interface Meter {
  stage(stage: Stage): void;
  /** One more item is done. */
  done(bytes: number): void;
  error(): void;
  /** The total as far as it is known; a smaller one than before is ignored. */
  expect(total: number): void;
  readonly bytes: number;
}

/** A meter that starts at zero, or at what an earlier worker has done. */
export function createMeter(progress: Progress, clock: Clock, doneBefore = 0): Meter {
  const startedAt = clock.monotonicMs();
  let stage: Stage = 'preparing';
  let processed = doneBefore;
  let bytes = 0;
  let errors = 0;
  let total: number | undefined;

  function report(): void {
    const seconds = Math.max(0.001, (clock.monotonicMs() - startedAt) / 1_000);
    progress.report({
      stage,
      processed,
      bytes,
      errors,
      itemsPerSecond: (processed - doneBefore) / seconds,
      bytesPerSecond: bytes / seconds,
      ...(total === undefined ? {} : { total: Math.max(total, processed) }),
    });
  }

  return {
    stage(next) {
      stage = next;
      report();
    },
    done(more) {
      processed += 1;
      bytes += more;
      report();
    },
    error() {
      errors += 1;
      report();
    },
    expect(next) {
      total = Math.max(total ?? 0, next);
    },
    get bytes() {
      return bytes;
    },
  };
}
