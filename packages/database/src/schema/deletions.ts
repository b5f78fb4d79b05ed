import type { Generated, Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface MessageDeletionsTable extends OrganisationColumns {
  deletion_id: string;
  tenant_id: string;
  state: 'draft' | 'waiting' | 'approved' | 'rejected' | 'running' | 'finished';
  basis: 'erasure' | 'expiry' | 'mistake';
  reason: string;
  query: string;
  not_archived: number;
  requester_id: string;
  requester: string;
  created_at: Timestamp;
  previewed_at: Timestamp;
  asked_at: NullableTimestamp;
  approver: string | null;
  decided_at: NullableTimestamp;
  rejection: string | null;
  due_at: NullableTimestamp;
  returned: 'withdrawn' | 'expired' | 'listChanged' | 'stopped' | 'policyEnded' | null;
  returned_by: string | null;
  run_id: string | null;
  started_at: NullableTimestamp;
  ended_at: NullableTimestamp;
  remains: Json<object> | null;
  sweep_at: NullableTimestamp;
  swept_at: NullableTimestamp;
  is_everywhere: Generated<boolean>;
  person_id: string | null;
  person_name: string | null;
  person_address: string | null;
  /** The policy whose maximum has listed it. */
  policy_id: string | null;
}
interface MessageDeletionItemsTable extends OrganisationColumns {
  deletion_id: string;
  resource_id: string;
  location_id: string;
  item_key: string;
  from_point: number;
  size_bytes: number;
  is_journaled: boolean;
  state: Generated<'listed' | 'kept' | 'erased' | 'gone'>;
  kept_by: Json<object>;
}
interface TombstonesTable extends OrganisationColumns {
  resource_id: string;
  location_id: string;
  message_id: string;
  deletion_id: string;
  size_bytes: number;
  received_at: NullableTimestamp;
  archived_at: NullableTimestamp;
  erased_at: Timestamp;
  basis: string;
  reason: string;
  requester: string;
  approver: string;
  sequence: number;
  captured: readonly number[];
  segment_hash: string;
  content_hash: string | null;
}

/** Messages and files that two people want gone, and what is left of those that are. */
export interface DeletionTables {
  message_deletions: MessageDeletionsTable;
  message_deletion_items: MessageDeletionItemsTable;
  tombstones: TombstonesTable;
}
