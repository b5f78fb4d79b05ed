import type { Clock } from '@holdfast/foundation/clock';
import type { Random } from '@holdfast/foundation/random';
import { backoffMs } from '@holdfast/foundation/retry';

/**
 * Tells an outage from a bad item. While one bucket fails again and again, whatever is asked, its requests are spaced
 * further and further apart and don't use up the tries of single items. One success ends it.
 */
export interface Breaker {
  succeeded(buckets: readonly string[]): void;
  /** Notes a fault of the service; while there is an outage, how long the buckets should rest. */
  failed(buckets: readonly string[]): { readonly restMs: number } | undefined;
}

interface Outage {
  faults: number;
  readonly sinceMs: number;
}

const FAULTS_TO_OPEN = 12;
/** After this the items fail for themselves, so that a run ends. */
const LONGEST_OUTAGE_MS = 90 * 60 * 1000;

export function createBreaker(clock: Clock, random: Random): Breaker {
  const outages = new Map<string, Outage>();
  return Object.freeze({
    succeeded(buckets: readonly string[]) {
      for (const bucket of buckets) outages.delete(bucket);
    },
    failed(buckets: readonly string[]) {
      let restMs = 0;
      for (const bucket of buckets) {
        const outage = outages.get(bucket) ?? { faults: 0, sinceMs: clock.monotonicMs() };
        outage.faults += 1;
        outages.set(bucket, outage);
        const isLong = clock.monotonicMs() - outage.sinceMs > LONGEST_OUTAGE_MS;
        if (outage.faults < FAULTS_TO_OPEN || isLong) continue;
        const step = Math.min(8, outage.faults - FAULTS_TO_OPEN + 1);
        restMs = Math.max(restMs, backoffMs(step, { firstDelayMs: 2_000, maxDelayMs: 300_000, random }));
      }
      return restMs > 0 ? { restMs } : undefined;
    },
  });
}
