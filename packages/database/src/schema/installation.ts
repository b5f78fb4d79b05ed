import type { GeneratedTimestamp, NullableTimestamp } from './columns.ts';

/** Answers remembered by `Idempotency-Key`. */
export interface IdempotencyKeysTable {
  key: string;
  fingerprint: string;
  /** Null while the first request still runs. */
  answer: string | null;
  created_at: GeneratedTimestamp;
  finished_at: NullableTimestamp;
}

export interface BaseInstallationTables {
  idempotency_keys: IdempotencyKeysTable;
}
