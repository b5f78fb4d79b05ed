import type { Generated, GeneratedTimestamp, NullableTimestamp } from './columns.ts';

/** Answers remembered by `Idempotency-Key`. */
export interface IdempotencyKeysTable {
  key: string;
  fingerprint: string;
  /** Null while the first request still runs. */
  answer: string | null;
  created_at: GeneratedTimestamp;
  finished_at: NullableTimestamp;
}

/** Proves that a master key is the one of this installation. */
export interface MasterKeyProofsTable {
  only_one: Generated<boolean>;
  master_key_id: string;
  sealed: Buffer;
}

export interface BaseInstallationTables {
  master_key_proofs: MasterKeyProofsTable;
  idempotency_keys: IdempotencyKeysTable;
}
