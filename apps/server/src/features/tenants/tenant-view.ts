import type { Tenant } from '@holdfast/contract/tenants';
import type { Task } from '@holdfast/contract/values';
import { microsoftSeen, type SeenByWork } from './microsoft-seen.views.ts';
import type { TaskRow, TenantRow } from './tenants.store.ts';

/** A tenant as it leaves: secrets are told to be there, never what they are. */
export function tenantView(row: TenantRow, taskId: string | null, seen: SeenByWork | undefined): Tenant {
  return {
    tenantId: row.tenant_id,
    organisationId: row.organisation_id,
    name: row.name,
    displayName: row.display_name,
    status: row.status,
    active: row.active,
    clientId: row.client_id,
    microsoftTenantId: row.microsoft_tenant_id,
    objectId: row.object_id,
    appId: row.app_id,
    redirectUri: row.redirect_uri,
    credential: row.credential,
    clientSecretSet: row.sealed_secret !== null,
    certificateSet: row.sealed_certificate !== null,
    thumbprintEnd: row.thumbprint?.slice(-8) ?? null,
    credentialExpiresAt: row.credential_expires_at?.toISOString() ?? null,
    lastCheckedAt: row.last_checked_at?.toISOString() ?? null,
    lastError: row.last_error,
    microsoft: microsoftSeen(row, seen),
    taskId,
    version: row.version,
    createdAt: row.created_at.toISOString(),
  };
}

export function taskView(row: TaskRow): Task {
  return {
    taskId: row.task_id,
    status: row.status,
    stage: row.stage,
    progress: row.progress,
    processed: row.processed,
    errors: row.errors,
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    message: row.message,
  };
}
