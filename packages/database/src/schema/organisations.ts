import type { ColumnType, Generated, GeneratedTimestamp, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

export interface OrganisationsTable extends OrganisationColumns {
  name: string;
  abbr: string;
  notify_content_access: Generated<boolean>;
  report_language: Generated<'en' | 'de'>;
  mail_reports: Generated<boolean>;
  content_access: Generated<'open' | 'strict'>;
  time_zone: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Timestamp;
  approver_left_at: NullableTimestamp;
  allowed_networks: Generated<string[]>;
  second_factor_required: Generated<boolean>;
}
export interface MembershipsTable extends OrganisationColumns {
  account_id: string;
  role: 'owner' | 'administrator' | 'operator' | 'auditor' | 'reader';
  invited_at: NullableTimestamp;
  invited_by: string | null;
  joined_at: NullableTimestamp;
  disabled_at: NullableTimestamp;
  ends_at: NullableTimestamp;
  entitled_since: GeneratedTimestamp;
  entitled_by: ColumnType<string | null, string | null | undefined, string | null>;
  confirmed_at: NullableTimestamp;
  confirmed_by: ColumnType<string | null, string | null | undefined, string | null>;
}
export interface InvitationsTable extends OrganisationColumns {
  invitation_id: string;
  email: string;
  normalised_email: string;
  role: MembershipsTable['role'];
  first_name: Generated<string>;
  last_name: Generated<string>;
  phone_number: Generated<string>;
  language: 'en' | 'de';
  invited_by: string | null;
  inviter: string;
  invited_at: Timestamp;
  expires_at: Timestamp;
  code_hash: Buffer;
  is_mailed: boolean;
}
interface OrganisationKeysTable extends OrganisationColumns {
  key_id: string;
  master_key_id: string;
  wrapped: Buffer;
  created_at: GeneratedTimestamp;
}
export interface WorkersTable extends OrganisationColumns {
  worker_id: string;
  name: string;
  ip: string;
  index_ip: string;
  version: Generated<string>;
  load: Generated<number>;
  running_runs: Generated<number>;
  last_seen_at: NullableTimestamp;
  heartbeat_hash: Buffer | null;
  is_local: Generated<boolean>;
  created_at: Timestamp;
}
interface WorkerJoinTokensTable extends OrganisationColumns {
  token_id: string;
  token_hash: Buffer;
  created_by: string;
  created_at: Timestamp;
  expires_at: Timestamp;
}
interface ApiKeysTable extends OrganisationColumns {
  api_key_id: string;
  account_id: string;
  creator: string;
  name: string;
  role: 'administrator' | 'operator' | 'auditor' | 'reader';
  networks: string[];
  secret_hash: Buffer;
  created_at: Timestamp;
  expires_at: Timestamp;
  ended_at: NullableTimestamp;
  ended_by: string | null;
  last_used_at: NullableTimestamp;
  last_used_address: string | null;
}
interface MicrosoftSignInTable extends OrganisationColumns {
  issuer: string;
  client_id: string;
  client_secret: Buffer;
  administrator: string[];
  operator: string[];
  auditor: string[];
  reader: string[];
  saved_by: string;
}
interface WorkerChecksTable extends OrganisationColumns {
  worker_id: string;
  hour_at: Timestamp;
  reachable: Generated<number>;
  missed: Generated<number>;
  load: Generated<number>;
}

/** Customers, who belongs to them, their keys and workers. */
export interface OrganisationFeatureTables {
  organisations: OrganisationsTable;
  memberships: MembershipsTable;
  invitations: InvitationsTable;
  api_keys: ApiKeysTable;
  microsoft_sign_in: MicrosoftSignInTable;
  organisation_keys: OrganisationKeysTable;
  workers: WorkersTable;
  worker_join_tokens: WorkerJoinTokensTable;
  worker_checks: WorkerChecksTable;
}
