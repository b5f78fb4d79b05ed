import type { Database } from '@holdfast/database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import { nobody, TIMESTAMPED, type AuditInbox, type StoredCheckpoint } from '../audit/index.ts';
import { NoTimestamp, type TimestampAuthority } from './authority.ts';
import type { MissingStamp, TimestampsStore } from './timestamps.store.ts';

export interface TimestampsParts {
  readonly database: Database;
  readonly store: TimestampsStore;
  readonly authority: TimestampAuthority;
  readonly audit: AuditInbox;
  /** The newest checkpoint, made now; undefined while the log is empty. */
  readonly newest: () => Promise<StoredCheckpoint | undefined>;
  /** Tells people that stamps are missing for so long. Called again and again; tells nobody twice a day. */
  readonly stalled: (missing: MissingStamp) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Has the log stamped once a day, whichever process does it. */
export interface Timestamps {
  /** Gets the stamp of this day when it is due and nobody has it. Answers whether there is one now that was not before. */
  turn(): Promise<boolean>;
  /** Looks every ten minutes, until stopped. */
  start(): () => Promise<void>;
}

const EVERY_MS = 10 * 60_000;
const AGAIN_MS = 3_600_000;
/** Without a stamp for so long, people are told. */
const STALLED_MS = 2 * 24 * 3_600_000;

export function createTimestamps({ database, store, authority, audit, newest, stalled, clock, logger }: TimestampsParts): Timestamps {
  /**
   * The event is written with the stamp: it becomes a leaf, so that the next stamp covers this one before the certificate of
   * its authority ends (RFC 4998), and a stamp that was taken away is missed.
   */
  async function stamp(day: string, checkpoint: StoredCheckpoint): Promise<void> {
    const { token, stamp: attested } = await authority.stamp(Buffer.from(checkpoint.note));
    const kept = { size: checkpoint.size, stampedAt: attested.at, authority: attested.authority, token };
    await database.within(nobody, async (tx) => {
      if (!(await store.keep(tx, day, kept))) return;
      await audit.record(tx, {
        event: TIMESTAMPED,
        actor: { kind: 'system', name: 'timestamps' },
        subject: { kind: 'timestamp', id: sha256Hex(token) },
        details: { authority: attested.authority },
      });
    });
  }

  async function tellWhenStalled(): Promise<void> {
    const missing = await store.missing();
    if (missing && clock.nowMs() - Date.parse(missing.day) >= STALLED_MS) await stalled(missing);
  }

  async function turn(): Promise<boolean> {
    const at = now(clock);
    const day = at.toISOString().slice(0, 10);
    if (!(await store.claim(day, at, new Date(at.getTime() - AGAIN_MS)))) return false;
    const checkpoint = await newest();
    if (!checkpoint) return false;
    try {
      await stamp(day, checkpoint);
      return true;
    } catch (error) {
      if (!(error instanceof NoTimestamp)) throw error;
      logger.warn({ err: error, day }, 'the audit log was not time-stamped');
      await store.fail(day, error.reason, error.detail);
      await tellWhenStalled();
      return false;
    }
  }

  return Object.freeze<Timestamps>({
    turn,
    start() {
      const onError = (error: unknown): void => logger.warn({ err: error }, 'the audit log could not be time-stamped');
      return repeat({ clock, everyMs: EVERY_MS, turn: async () => void (await turn()), onError });
    },
  });
}
