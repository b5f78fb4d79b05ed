import type { Generated, Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface DataRequestsTable extends OrganisationColumns {
  request_id: string;
  tenant_id: string;
  kind: 'access' | 'erasure';
  person_id: string;
  person_name: string;
  person_address: string;
  note: string;
  received_on: string;
  due_on: string;
  extension: string | null;
  extended_by: string | null;
  extended_at: NullableTimestamp;
  registered_by: string;
  registered_at: Timestamp;
  deletion_id: string | null;
  collected_at: NullableTimestamp;
  query: string | null;
  coverage: Json<object> | null;
  not_reached: Generated<number>;
  not_searched: Generated<number>;
  reminded_of: string | null;
  outcome: 'complete' | 'partial' | 'refused' | 'withdrawn' | null;
  how: string | null;
  answered_on: string | null;
  answered_by: string | null;
}

interface DataRequestItemsTable extends OrganisationColumns {
  request_id: string;
  position: number;
  part: 'own' | 'mention';
  source_id: string;
  resource_id: string;
  item_key: string;
  from_point: number;
  at: Timestamp;
  size_bytes: number;
  left_out: string | null;
  left_out_by: string | null;
}

/** Requests of people about their own data, and what was found of them. */
export interface DataRequestTables {
  data_requests: DataRequestsTable;
  data_request_items: DataRequestItemsTable;
}
