import { protectingTypes } from '@holdfast/contract/jobs';
import { defaultBackupSettings } from '@holdfast/contract/configuration';
import type { Workload } from '@holdfast/contract/values';
import { sql, type RawBuilder } from 'kysely';

/** All chats of a tenant are off, or a workload with everything in it. */
export const CHATS_OFF = 'coverage.chats-off';
export const WORKLOAD_OFF = 'coverage.workload-off';

/** A setting of the tenant, with its default where nobody has saved any. */
function isOn(tenantId: string, workload: Workload, setting: string): RawBuilder<unknown> {
  const preset = (defaultBackupSettings[workload] as Readonly<Record<string, unknown>>)[setting] === true;
  return sql`coalesce((select (settings #>> ${[workload, setting]}::text[])::boolean from backup_configurations
    where tenant_id = ${tenantId}), ${preset}::boolean)`;
}

/** Whether a job reads by its own options what the settings of the tenant leave out. */
function jobAsksFor(tenantId: string, workload: Workload, option: string): RawBuilder<unknown> {
  return sql`exists (select from jobs where tenant_id = ${tenantId} and type = any(${[...protectingTypes]}) and workload = ${workload}
    and body #>> ${['source', 'options', option]}::text[] = 'true')`;
}

/** Whether the settings of the tenant or a job of its own ask for chats. */
export function readsChats(tenantId: string): RawBuilder<unknown> {
  return sql`(${isOn(tenantId, 'teams', 'includeChats')} or ${jobAsksFor(tenantId, 'teams', 'chats')})`;
}

/** One line of the report, for everything of a workload; only where the tenant has something of it. */
function line(tenantId: string, workload: Workload, code: string, isRead: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select null::uuid, '', '', '', ${workload}::text, 'unprotected', ${code}::text, '', null::timestamptz
    where not ${isRead}
      and exists (select from resources where tenant_id = ${tenantId} and workload = ${workload} and deleted_at is null)`;
}

function union(lines: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(lines, sql` union all `);
}

/** Workloads and chats that are switched off: accounts, sites and teams as a whole. */
export function wholesOff(tenantId: string): RawBuilder<unknown> {
  const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;
  return union([
    ...workloads.map((workload) => line(tenantId, workload, WORKLOAD_OFF, isOn(tenantId, workload, 'enabled'))),
    line(tenantId, 'teams', CHATS_OFF, readsChats(tenantId)),
  ]);
}

/** Parts of resources that are switched off. */
export function optionsOff(tenantId: string): RawBuilder<unknown> {
  const readsRecoverable = sql`(${isOn(tenantId, 'exchange', 'includeRecoverableItems')} or ${jobAsksFor(tenantId, 'exchange', 'recoverableItems')})`;
  return union([
    line(tenantId, 'exchange', 'coverage.recoverable-items-off', readsRecoverable),
    line(tenantId, 'sharepoint', 'coverage.permissions-off', isOn(tenantId, 'sharepoint', 'includePermissions')),
    line(tenantId, 'teams', 'coverage.private-channels-off', isOn(tenantId, 'teams', 'includePrivateChannels')),
  ]);
}
