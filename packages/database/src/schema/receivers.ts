import type { Generated, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface ReceiversTable extends OrganisationColumns {
  receiver_id: string;
  tenant_id: string;
  location_id: string;
  resource_id: string;
  name: string;
  is_enabled: boolean;
  sealed_address: Buffer;
  networks: string[];
  max_bytes: number;
  silence_minutes: number;
  business_days: number[];
  business_from: string;
  business_to: string;
  created_at: Timestamp;
  creator: string;
  last_received_at: NullableTimestamp;
  watched_since: Timestamp;
  silent_since: NullableTimestamp;
  last_failed_at: NullableTimestamp;
  last_failure: string | null;
  resolved_sequence: Generated<number>;
  resolved_key: Generated<string>;
  resolved: Generated<number>;
  placed: Generated<number>;
  broken: Generated<number>;
  exempt: Generated<number>;
  erased_before: Generated<number>;
  listening_at: NullableTimestamp;
  listening_host: string | null;
  listening_port: number | null;
  certificate_ends_at: NullableTimestamp;
  certificate_sha256: string | null;
  certificate: string | null;
}
interface ReceiverAddressesTable extends OrganisationColumns {
  tenant_id: string;
  address: string;
  graph_id: string;
  name: string;
  mailbox_address: string;
  is_exempt: Generated<boolean>;
  is_manual: Generated<boolean>;
  seen_at: Timestamp;
}
interface ReceiverPendingTable extends OrganisationColumns {
  receiver_id: string;
  graph_id: string;
  report_key: string;
  addresses: string[];
}
interface ReceiverUnassignedTable extends OrganisationColumns {
  receiver_id: string;
  report_key: string;
  broken: string | null;
  addresses: string[];
  arrived_at: Timestamp;
  size_bytes: number;
}

/** Receivers of journal reports, and mail on its way from them into archives. */
export interface ReceiverTables {
  receivers: ReceiversTable;
  receiver_addresses: ReceiverAddressesTable;
  receiver_pending: ReceiverPendingTable;
  receiver_unassigned: ReceiverUnassignedTable;
}
