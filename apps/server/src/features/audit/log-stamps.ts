import type { TimestampFailure } from '@holdfast/contract/audit';
import type { AuditEvent } from './audit-entry.ts';
import type { StoredCheckpoint } from './audit-log.store.ts';

/** The event of a time stamp; its subject is the hash of the token. */
export const TIMESTAMPED: AuditEvent = 'audit.timestamped';

/** A checkpoint with the time stamp (RFC 3161) of an authority on its note. */
export interface StampedNote extends StoredCheckpoint {
  readonly stampedAt: Date;
  readonly authority: string;
  readonly token: Buffer;
}

/** What authorities outside of the installation attest of the log. */
export interface LogStamps {
  /** The earliest stamp that covers the event of this number. */
  covering(sequence: number): Promise<StampedNote | undefined>;
  /** What is wrong with the stamps; `recorded` are the hashes of those that the log knows. */
  problems(recorded: ReadonlySet<string>): Promise<readonly string[]>;
  /** The newest stamp, and since when there have been none; undefined where the log is not stamped. */
  state(): Promise<
    | {
        readonly last: StampedNote | undefined;
        readonly missing:
          | { readonly day: string; readonly triedAt: Date; readonly failure: TimestampFailure | null; readonly detail: string }
          | undefined;
      }
    | undefined
  >;
}
