import type { Generated, GeneratedTimestamp, NullableTimestamp, Timestamp } from './columns.ts';

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

/** The version that serves the API. */
interface ServedVersionsTable {
  only_one: Generated<boolean>;
  version: string;
  since: Timestamp;
}

export interface BaseInstallationTables {
  served_versions: ServedVersionsTable;
  master_key_proofs: MasterKeyProofsTable;
  idempotency_keys: IdempotencyKeysTable;
}
