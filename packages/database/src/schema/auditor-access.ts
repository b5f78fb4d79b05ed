import type { NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface AuditorAccessesTable extends OrganisationColumns {
  access_id: string;
  tenant_id: string;
  account_id: string;
  auditor: string;
  purpose: string;
  source_kind: 'case' | 'search';
  source_id: string;
  source_name: string;
  query: string;
  items: number;
  access_from: Timestamp;
  access_to: Timestamp;
  granter: string;
  granted_at: Timestamp;
  ender: string | null;
  ended_at: NullableTimestamp;
}

interface AuditorAccessItemsTable extends OrganisationColumns {
  access_id: string;
  source_id: string;
  item_key: string;
  from_point: number;
}

/** What auditors may read, and the versions of items that were frozen for them. */
export interface AuditorAccessTables {
  auditor_accesses: AuditorAccessesTable;
  auditor_access_items: AuditorAccessItemsTable;
}
