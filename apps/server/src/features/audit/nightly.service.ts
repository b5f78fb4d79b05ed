import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { NightlyResult, NightlyStore } from './nightly.store.ts';
import type { VerifyReport } from './verify-report.ts';

export interface NightlyParts {
  readonly store: NightlyStore;
  readonly verify: () => Promise<VerifyReport>;
  /** Whether the log has an event. To verify an empty one proves nothing, and would be all that is said of the day. */
  readonly hasEvents: () => Promise<boolean>;
  /** Tells people that the log is not as it should be. Called again until it has succeeded; tells nobody twice. */
  readonly deviated: (result: NightlyResult) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Nightly {
  /** Verifies when this night's verification is due and nobody has it. Answers whether it did. */
  turn(): Promise<boolean>;
  /** Looks every ten minutes, until stopped. */
  start(): () => Promise<void>;
}

/** Quiet hours begin here, in UTC; after a downtime the day makes up for the night. */
const FROM_HOUR = 2;
const EVERY_MS = 10 * 60_000;
/** A process that died left its verification behind. */
const STALE_MS = 6 * 3_600_000;

/** Verifies the whole audit log once a night, whoever runs it, and makes a deviation heard. */
export function createNightly({ store, verify, hasEvents, deviated, clock, logger }: NightlyParts): Nightly {
  async function turn(): Promise<boolean> {
    const at = now(clock);
    const night = at.toISOString().slice(0, 10);
    const isTime = at.getUTCHours() >= FROM_HOUR && (await hasEvents());
    const isDue = isTime && (await store.claim(night, at, new Date(at.getTime() - STALE_MS)));
    if (isDue) await store.finish(night, now(clock), await verify());
    const last = await store.last();
    if (last && !last.ok) {
      logger.error({ night: last.night, problems: last.problems.length }, 'the audit log is not as it should be');
      await deviated(last);
    }
    return isDue;
  }

  return Object.freeze<Nightly>({
    turn,
    start() {
      let running: Promise<void> | undefined;
      const look = (): void => {
        running ??= turn()
          .then(() => undefined)
          .catch((error: unknown) => logger.warn({ err: error }, 'the audit log could not be verified'))
          .finally(() => {
            running = undefined;
          });
      };
      look();
      const stop = clock.every(EVERY_MS, look);
      return async () => {
        stop();
        await running;
      };
    },
  });
}
