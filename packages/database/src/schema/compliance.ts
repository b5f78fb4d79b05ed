import type { Generated, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface ComplianceScansTable extends OrganisationColumns {
  scan_id: string;
  tenant_id: string;
  number: number;
  kind: 'monthly' | 'scheduled' | 'onDemand';
  ended_at: Timestamp;
  figures: object;
}
interface ComplianceSourcesTable extends OrganisationColumns {
  source_id: string;
  tenant_id: string;
  resource_id: string;
  scanned_through: Generated<number>;
  target: number | null;
  position: string | null;
  scanned_at: NullableTimestamp;
  files: Generated<number>;
  bytes: Generated<number>;
  versions: Generated<number>;
  version_bytes: Generated<number>;
  deleted: Generated<number>;
  duplicates: Generated<number>;
  exposed: Generated<number>;
  newest_change_at: NullableTimestamp;
}
interface ComplianceScanSitesTable extends OrganisationColumns {
  scan_id: string;
  resource_id: string;
  name: string;
  url: string;
  kind: 'drive' | 'site';
  files: number;
  bytes: number;
  versions: number;
  version_bytes: number;
  deleted: number;
  duplicates: number;
  exposed: number;
}
interface ComplianceFilesTable extends OrganisationColumns {
  source_id: string;
  item_key: string;
  name: string;
  size_bytes: number;
  modified_at: NullableTimestamp;
  author: string | null;
  owner_id: string | null;
  owner_name: string | null;
  owner_address: string | null;
  content: Buffer | null;
  access: string;
  versions: Generated<number>;
  version_bytes: Generated<number>;
  is_deleted: boolean;
}
interface ComplianceVersionsTable extends OrganisationColumns {
  source_id: string;
  item_key: string;
  place: number;
  label: string;
  size_bytes: number;
  modified_at: NullableTimestamp;
  is_kept: boolean;
}
interface ComplianceSharesTable extends OrganisationColumns {
  source_id: string;
  item_key: string;
  permission_id: string;
  owner_id: string | null;
  audience: 'anyone' | 'guest' | 'organisation';
  kind: string;
  name: string;
  role: string;
  who: string;
  expires_at: NullableTimestamp;
}

interface ComplianceCleanUpsTable extends OrganisationColumns {
  run_id: string;
  source_id: string;
  item_key: string;
  label: string;
  size_bytes: number;
  is_read: Generated<boolean>;
  /** When Microsoft 365 was last asked for it, and found to have it no more. */
  asked_at: NullableTimestamp;
  gone_at: NullableTimestamp;
}

interface ComplianceCleanUpScriptsTable extends OrganisationColumns {
  run_id: string;
  taken_at: Timestamp;
}

interface ComplianceOwnersTable extends OrganisationColumns {
  tenant_id: string;
  owner_id: string;
  asked_at: Timestamp;
  gone_since: NullableTimestamp;
}

/** What scans have read of sites and drives. */
export interface ComplianceTables {
  compliance_scans: ComplianceScansTable;
  compliance_sources: ComplianceSourcesTable;
  compliance_scan_sites: ComplianceScanSitesTable;
  compliance_files: ComplianceFilesTable;
  compliance_versions: ComplianceVersionsTable;
  compliance_shares: ComplianceSharesTable;
  compliance_clean_ups: ComplianceCleanUpsTable;
  compliance_clean_up_scripts: ComplianceCleanUpScriptsTable;
  compliance_owners: ComplianceOwnersTable;
}
