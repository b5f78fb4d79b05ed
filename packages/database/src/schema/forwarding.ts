import type { Generated, Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface AuditDestinationsTable extends OrganisationColumns {
  destination_id: string;
  name: string;
  kind: 'syslog' | 'webhook' | 'file';
  feed: 'everything' | 'alarms';
  is_enabled: boolean;
  target: Json<object>;
  sealed_secret: Buffer | null;
  created_at: Timestamp;
  creator: string;
  cursor: number;
  last_sent_at: NullableTimestamp;
  attempts: Generated<number>;
  failing_since: NullableTimestamp;
  last_failure: Json<object> | null;
  next_attempt_at: Timestamp;
  stalled_at: NullableTimestamp;
  lease_id: string | null;
  leased_until: NullableTimestamp;
}

/** Where audit events are sent outside. */
export interface ForwardingTables {
  audit_destinations: AuditDestinationsTable;
}
