import type { ColumnType, Generated, Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

type NullableJson = ColumnType<object | null, string | null | undefined, string | null>;

export interface TenantsTable extends OrganisationColumns {
  tenant_id: string;
  name: string;
  display_name: Generated<string>;
  status: 'connected' | 'provisioning' | 'provisioned' | 'deprovisioning' | 'failed';
  active: Generated<boolean>;
  client_id: string;
  microsoft_tenant_id: string;
  object_id: Generated<string>;
  app_id: Generated<string>;
  redirect_uri: Generated<string>;
  credential: 'secret' | 'certificate';
  sealed_secret: Buffer | null;
  sealed_certificate: Buffer | null;
  thumbprint: string | null;
  credential_expires_at: NullableTimestamp;
  last_checked_at: NullableTimestamp;
  /** Set while the credential must not be used and no job may run. */
  deprovisioned_at: NullableTimestamp;
  last_error: string | null;
  version: Generated<number>;
  created_at: Timestamp;
}
export interface TenantTasksTable extends OrganisationColumns {
  task_id: string;
  tenant_id: string;
  kind: 'provision' | 'deprovision' | 'synchronise';
  status: 'pending' | 'running' | 'finished' | 'failed' | 'cancelled';
  stage: string;
  progress: Generated<number>;
  processed: Generated<number>;
  errors: Generated<number>;
  started_at: NullableTimestamp;
  ended_at: NullableTimestamp;
  message: string | null;
  created_at: Timestamp;
}
export interface LocationsTable extends OrganisationColumns {
  location_id: string;
  tenant_id: string;
  name: string;
  kind: 'filesystem' | 's3';
  use: 'backup' | 'archive' | 'both';
  target: Json<object>;
  sealed_keys: Buffer | null;
  immutability: Json<object>;
  retain_days: Generated<number>;
  last_test: NullableJson;
  /** The vault that it holds, since it was first opened. */
  vault_id: Generated<string | null>;
  version: Generated<number>;
  created_at: Timestamp;
}
/** App registrations that were prepared and not yet connected. */
export interface AppSetupsTable extends OrganisationColumns {
  setup_id: string;
  app_name: string;
  workloads: string[];
  restores: boolean;
  credential: 'certificate' | 'secret';
  certificate: string | null;
  sealed_key: Buffer | null;
  created_at: Timestamp;
}
interface BackupConfigurationsTable extends OrganisationColumns {
  tenant_id: string;
  settings: Json<object>;
  users: Generated<number>;
  groups: Generated<number>;
  users_synchronised_at: NullableTimestamp;
  connection: NullableJson;
  version: Generated<number>;
}

/** Tenants, their tasks, locations and configuration. */
export interface TenantFeatureTables {
  tenants: TenantsTable;
  tenant_tasks: TenantTasksTable;
  app_setups: AppSetupsTable;
  locations: LocationsTable;
  backup_configurations: BackupConfigurationsTable;
}
