import { z } from 'zod';
import { defineRoute } from './shared/route.ts';
import { connectionReport, tenant } from './tenants.ts';
import { id, instant, taskReference } from './shared/values.ts';
import { workerIp } from './workers.ts';

/** Settings of one workload for a tenant. */
export const workloadSettings = z.object({
  enabled: z.boolean(),
  /** Whether jobs that cover everyone take newcomers at once. Otherwise a newcomer waits until a job names them. */
  protectNewResources: z.boolean(),
});
const versions = z.int({ error: 'rules.versions' }).min(1, { error: 'rules.versions' }).max(500, { error: 'rules.versions' });
const tooLong = { error: 'validation.tooLong' } as const;
const folder = z.string().trim().min(1, { error: 'validation.required' }).max(400, tooLong);
/**
 * What the backup jobs of a tenant read, from their next run on. A job can ask for more of its own: the
 * larger number of versions, recoverable items and chats are taken when either asks. Workloads that are off run no job.
 */
export const backupSettings = z.object({
  exchange: workloadSettings.extend({ includeRecoverableItems: z.boolean() }),
  onedrive: workloadSettings.extend({ versions }),
  sharepoint: workloadSettings.extend({ versions, includePermissions: z.boolean() }),
  teams: workloadSettings.extend({ includeChats: z.boolean(), includePrivateChannels: z.boolean() }),
  /** Folder names that are never backed up, full path, case-insensitive. */
  excludedFolders: z.array(folder).max(200, tooLong),
});
export type BackupSettings = z.infer<typeof backupSettings>;

export const backupConfig = z.object({
  tenantId: id,
  tenantName: z.string(),
  settings: backupSettings,
  users: z.number().int(),
  groups: z.number().int(),
  usersSynchronisedAt: instant.nullable(),
  /** The result of the last connection test. */
  connection: connectionReport.nullable(),
  version: z.number().int(),
});
export type BackupConfig = z.infer<typeof backupConfig>;

/** Which tenant: that of the worker, or the one named; the active one when neither is given. */
const target = z.object({ workerIp: workerIp.optional(), tenantId: id.optional() });

export const configuration = {
  read: defineRoute({
    method: 'GET',
    surface: 'legacy',
    staged: true,
    path: '/backup-config',
    action: 'configuration.read',
    summary: 'The backup settings of a tenant',
    query: target,
    response: backupConfig,
    errors: ['configuration.no-tenant'],
  }),
  update: defineRoute({
    method: 'POST',
    surface: 'legacy',
    staged: true,
    path: '/backup-update-config',
    action: 'configuration.manage',
    summary: 'Change the backup settings of a tenant',
    query: target,
    body: z.object({ settings: backupSettings, version: z.number().int().optional() }),
    response: backupConfig,
    errors: ['configuration.no-tenant', 'request.precondition-failed'],
  }),
  synchroniseUsers: defineRoute({
    method: 'POST',
    surface: 'legacy',
    staged: true,
    path: '/sync-user-config',
    action: 'configuration.manage',
    summary: 'Read users and groups from the directory again',
    query: target,
    response: taskReference,
    status: 202,
    errors: ['configuration.no-tenant', 'tenants.busy', 'tenants.deprovisioned'],
  }),
  testConnection: defineRoute({
    method: 'POST',
    surface: 'legacy',
    staged: true,
    path: '/test-onedrive-connection',
    action: 'configuration.manage',
    summary: 'Sign in to Microsoft and compare each permission with what is needed',
    query: target,
    response: connectionReport,
    errors: ['configuration.no-tenant', 'tenants.deprovisioned'],
  }),
  switchTenant: defineRoute({
    method: 'POST',
    surface: 'legacy',
    staged: true,
    path: '/v2/onedrive/switch-tenant',
    action: 'configuration.manage',
    summary: 'Make another tenant the active one',
    body: z.object({ tenantId: id }),
    response: tenant,
    errors: ['not-found'],
  }),
};

export const defaultBackupSettings: BackupSettings = {
  exchange: { enabled: true, protectNewResources: true, includeRecoverableItems: false },
  onedrive: { enabled: true, protectNewResources: true, versions: 10 },
  sharepoint: { enabled: true, protectNewResources: true, versions: 10, includePermissions: true },
  teams: { enabled: true, protectNewResources: true, includeChats: false, includePrivateChannels: true },
  excludedFolders: [],
};
