import type { ColumnType, Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface AuditInboxTable extends OrganisationColumns {
  id: string;
  at: Timestamp;
  event: string;
  outcome: string;
  subject_kind: string | null;
  subject_id: string | null;
  payload: Json<object>;
}
interface AuditEventsTable extends OrganisationColumns {
  sequence: number;
  at: Timestamp;
  event: string;
  outcome: string;
  subject_kind: string | null;
  subject_id: string | null;
  payload: string | null;
  salt: Buffer | null;
  payload_hash: Buffer;
  actor_id: string | null;
}

export interface AuditTables {
  audit_inbox: AuditInboxTable;
  audit_events: AuditEventsTable;
}
interface AuditVerificationsTable {
  night: string;
  started_at: Timestamp;
  ended_at: NullableTimestamp;
  ok: boolean | null;
  events: number | null;
  checkpoints: number | null;
  problems: ColumnType<readonly string[], string | undefined, string>;
}
interface AuditTimestampsTable {
  day: string;
  tried_at: Timestamp;
  failure: string | null;
  detail: string | null;
  size: number | null;
  stamped_at: NullableTimestamp;
  authority: string | null;
  token: Buffer | null;
}
/** The tree itself: hashes and signatures, of no organisation. */
export interface AuditTreeTables {
  audit_nodes: { level: number; position: number; hash: Buffer };
  audit_checkpoints: { size: number; root: Buffer; at: Timestamp; note: string };
  audit_verifications: AuditVerificationsTable;
  audit_timestamps: AuditTimestampsTable;
}
