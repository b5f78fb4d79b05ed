import type { ColumnType, Generated, GeneratedTimestamp, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

export interface ResourcesTable extends OrganisationColumns {
  resource_id: string;
  tenant_id: string;
  /** `archive` is none of Microsoft 365: no job over a workload takes an archive for a mailbox. */
  workload: 'exchange' | 'onedrive' | 'sharepoint' | 'teams' | 'archive' | 'journal';
  kind: 'mailbox' | 'drive' | 'site' | 'team' | 'chat' | 'archive' | 'journal';
  graph_id: string;
  name: string;
  address: Generated<string>;
  seen_at: GeneratedTimestamp;
  deleted_at: NullableTimestamp;
  /** Newcomers are not to be protected at once, and nobody has chosen this one yet. */
  held_back: Generated<boolean>;
  last_code: string | null;
  last_status: string | null;
  last_run_at: NullableTimestamp;
}
interface CatalogSourcesTable extends OrganisationColumns {
  source_id: string;
  location_id: string;
  resource_id: string;
  head_sequence: number;
  head_hash: string;
  head_cursor: string;
  items: Generated<number>;
  bytes: Generated<number>;
  points: Generated<number>;
  pending_added: Generated<number>;
  pending_changed: Generated<number>;
  pending_removed: Generated<number>;
  pending_new_bytes: Generated<number>;
  pending_stored_bytes: Generated<number>;
  oldest_point_at: NullableTimestamp;
  newest_point_at: NullableTimestamp;
  covered_sequence: number | null;
}
interface CatalogPointsTable extends OrganisationColumns {
  source_id: string;
  sequence: number;
  run_id: string;
  committed_at: Timestamp;
  status: Generated<'successful' | 'defective'>;
  added: Generated<number>;
  changed: Generated<number>;
  removed: Generated<number>;
  new_bytes: Generated<number>;
  stored_bytes: Generated<number>;
}
/** Ends a version that nothing has replaced or removed. */
export const FOREVER: number = Number.MAX_SAFE_INTEGER;

interface CatalogItemsTable extends OrganisationColumns {
  source_id: string;
  item_key: string;
  from_point: number;
  /** The first point that does not show this version; `FOREVER` while every newer one does. */
  to_point: Generated<number>;
  parent_key: string | null;
  kind: string;
  is_container: boolean;
  name: string;
  sort_name: string;
  size_bytes: number;
  created_at: NullableTimestamp;
  modified_at: NullableTimestamp;
  author: string | null;
  not_protected: string | null;
  has_attachments: Generated<boolean>;
  detail: ColumnType<object, string, string>;
}
interface CatalogFolderCountsTable extends OrganisationColumns {
  source_id: string;
  /** Empty for the root. */
  parent_key: string;
  sequence: number;
  kind: string;
  change: number;
}
interface CoverageGapsTable extends OrganisationColumns {
  gap_number: ColumnType<number, never, never>;
  source_id: string;
  path: string;
  kind: string;
  code: string;
}
interface PeopleNotCoveredTable extends OrganisationColumns {
  tenant_id: string;
  workload: Exclude<ResourcesTable['workload'], 'archive' | 'journal'>;
  graph_id: string;
  name: string;
  address: string;
  state: 'unprotected' | 'excluded';
  code: string;
  since: Timestamp;
}
interface VaultPacksTable extends OrganisationColumns {
  location_id: string;
  pack_id: string;
}
interface VaultBlobsTable extends OrganisationColumns {
  location_id: string;
  blob_id: Buffer;
  pack_id: string;
  frame: number;
  frame_offset: number;
  frame_length: number;
  blob_offset: number;
  blob_length: number;
  /** Counts upwards: of several places of a blob the last one counts. */
  added_number: ColumnType<number, never, never>;
}

/** Resources, the catalog and the vault's index. */
export interface CatalogTables {
  resources: ResourcesTable;
  catalog_sources: CatalogSourcesTable;
  catalog_points: CatalogPointsTable;
  catalog_items: CatalogItemsTable;
  catalog_folder_counts: CatalogFolderCountsTable;
  coverage_gaps: CoverageGapsTable;
  people_not_covered: PeopleNotCoveredTable;
  vault_packs: VaultPacksTable;
  vault_blobs: VaultBlobsTable;
}

interface GraphBucketsTable {
  bucket: string;
  paused_until: Generated<number>;
  restore_until: Generated<number>;
}
interface GraphSlotsTable {
  bucket: string;
  grant_id: string;
  ends_at: number;
}

/** The budgets of Microsoft 365; what was spent is reached by function alone. */
export interface GraphBudgetTables {
  graph_buckets: GraphBucketsTable;
  graph_slots: GraphSlotsTable;
}
