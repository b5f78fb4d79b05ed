import { systemClock, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';

export interface StartStep {
  readonly logger: Logger;
  readonly name: string;
  /** Whether its beginning is logged as well, not only a long wait for it. */
  readonly isAnnounced: boolean;
  readonly clock?: Clock;
}

const REPEAT_MS = 10_000;

/** Runs one step of a start. While it lasts the log repeats what the process waits for, so that no start hangs in silence. */
export async function startStep<T>(
  { logger, name: step, isAnnounced, clock = systemClock }: StartStep,
  work: () => Promise<T>,
): Promise<T> {
  const beganMs = clock.monotonicMs();
  if (isAnnounced) logger.info({ event: 'start-step', step }, 'starting');
  const end = clock.every(REPEAT_MS, () => {
    const seconds = Math.round((clock.monotonicMs() - beganMs) / 1_000);
    logger.warn({ event: 'start-waits', step, seconds }, 'the start still waits for this step');
  });
  try {
    return await work();
  } finally {
    end();
  }
}
