import type { ApprovalTables } from './approvals.ts';
import type { ArchiveTables } from './archive.ts';
import type { AuditTables, AuditTreeTables } from './audit.ts';
import type { AuditorAccessTables } from './auditor-access.ts';
import type { CaseTables } from './cases.ts';
import type { ComplianceTables } from './compliance.ts';
import type { CatalogTables, GraphBudgetTables } from './catalog.ts';
import type { DataRequestTables } from './data-requests.ts';
import type { DeletionTables } from './deletions.ts';
import type { DocumentTables } from './documents.ts';
import type { ExportTables } from './exports.ts';
import type { ForwardingTables } from './forwarding.ts';
import type { HoldTables } from './holds.ts';
import type { JobFeatureTables } from './jobs.ts';
import type { IdentityTables } from './identity.ts';
import type { BaseInstallationTables } from './installation.ts';
import type { NoticeTables } from './notices.ts';
import type { OrganisationFeatureTables } from './organisations.ts';
import type { PeriodReportTables } from './period-reports.ts';
import type { ProcedureTables } from './procedures.ts';
import type { ProxyRightTables } from './proxy-rights.ts';
import type { ReceiverTables } from './receivers.ts';
import type { RetentionTables } from './retention.ts';
import type { ReviewTables } from './reviews.ts';
import type { SearchTables } from './search.ts';
import type { TenantFeatureTables } from './tenants.ts';

/**
 * Tables that belong to the installation, not to an organisation: accounts, sessions, limits.
 * A feature adds its tables in `schema/<feature>.ts` and extends one of these three.
 */
export interface InstallationTables extends BaseInstallationTables, IdentityTables, AuditTreeTables, GraphBudgetTables {}

/** Tables whose every row belongs to an organisation and a realm, under forced row-level security. */
export interface OrganisationTables
  extends
    OrganisationFeatureTables,
    TenantFeatureTables,
    AuditTables,
    ForwardingTables,
    CatalogTables,
    JobFeatureTables,
    NoticeTables,
    ApprovalTables,
    HoldTables,
    RetentionTables,
    DeletionTables,
    ProxyRightTables,
    AuditorAccessTables,
    CaseTables,
    ReviewTables,
    ExportTables,
    DataRequestTables,
    SearchTables,
    DocumentTables,
    ComplianceTables,
    PeriodReportTables,
    ProcedureTables,
    ArchiveTables,
    ReceiverTables {}

/** Columns (ids, times and short names only) that are published to the directory: see `Database.acrossOrganisations`. */
export interface DirectoryTables {
  organisations: Pick<OrganisationFeatureTables['organisations'], 'organisation_id' | 'realm' | 'abbr' | 'created_at'>;
  memberships: Pick<
    OrganisationFeatureTables['memberships'],
    'organisation_id' | 'realm' | 'account_id' | 'role' | 'joined_at' | 'disabled_at' | 'ends_at'
  >;
  invitations: Pick<OrganisationFeatureTables['invitations'], 'organisation_id' | 'realm' | 'invitation_id' | 'code_hash' | 'expires_at'>;
  api_keys: Pick<OrganisationFeatureTables['api_keys'], 'organisation_id' | 'realm' | 'api_key_id' | 'secret_hash'>;
  microsoft_sign_in: Pick<OrganisationFeatureTables['microsoft_sign_in'], 'organisation_id' | 'realm'>;
  workers: Pick<OrganisationFeatureTables['workers'], 'organisation_id' | 'realm' | 'worker_id' | 'last_seen_at'>;
  tenants: Pick<TenantFeatureTables['tenants'], 'organisation_id' | 'realm' | 'tenant_id'>;
  locations: Pick<TenantFeatureTables['locations'], 'organisation_id' | 'realm' | 'location_id' | 'tenant_id'>;
  jobs: Pick<JobFeatureTables['jobs'], 'organisation_id' | 'realm' | 'job_id' | 'next_run_at'>;
  approvals: Pick<ApprovalTables['approvals'], 'organisation_id' | 'realm' | 'approval_id' | 'effective_at' | 'requested_at' | 'status'>;
  message_deletions: Pick<
    DeletionTables['message_deletions'],
    'organisation_id' | 'realm' | 'deletion_id' | 'state' | 'due_at' | 'sweep_at'
  >;
  retention_policies: Pick<RetentionTables['retention_policies'], 'organisation_id' | 'realm' | 'policy_id' | 'look_at' | 'remind_at'>;
  hold_notice_recipients: Pick<HoldTables['hold_notice_recipients'], 'organisation_id' | 'realm' | 'recipient_id' | 'remind_at'>;
  hold_notice_mails: Pick<HoldTables['hold_notice_mails'], 'organisation_id' | 'realm' | 'code_hash'>;
  audit_inbox: Pick<AuditTables['audit_inbox'], 'organisation_id' | 'realm' | 'id' | 'at'>;
  audit_destinations: Pick<
    ForwardingTables['audit_destinations'],
    'organisation_id' | 'realm' | 'destination_id' | 'is_enabled' | 'cursor' | 'next_attempt_at' | 'leased_until' | 'failing_since'
  >;
  audit_events: Pick<AuditTables['audit_events'], 'organisation_id' | 'realm' | 'sequence' | 'at'>;
}

/** Everything a transaction within an organisation may touch. */
export interface Schema extends InstallationTables, OrganisationTables {}
