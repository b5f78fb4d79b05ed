import { defaultBackupSettings } from '@holdfast/contract/configuration';
import type { ProcedureContent, ProcedureEntry } from '@holdfast/contract/procedures';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { heldPlaceName } from '../holds/index.ts';

type Part = ProcedureEntry['part'];
interface Row {
  readonly key: string;
  readonly name: string;
  readonly values: Readonly<Record<string, string | null>>;
}

/** What each part reads; settings that are empty are left out. */
function partsOf(tenantId: string): readonly (readonly [Part, ReturnType<typeof sql<Row>>])[] {
  return [
    [
      'organisation',
      sql<Row>`select organisation_id::text as key, name, jsonb_build_object('timeZone', coalesce(time_zone, 'UTC'), 'contentAccess', content_access,
        'notice', notify_content_access::text) as values from organisations`,
    ],
    [
      'connection',
      sql<Row>`select tenant_id::text as key, coalesce(nullif(display_name, ''), name) as name, jsonb_build_object('microsoftTenant', microsoft_tenant_id,
        'client', client_id, 'credential', credential, 'until', credential_expires_at) as values from tenants where tenant_id = ${tenantId}`,
    ],
    [
      'settings',
      sql<Row>`select tenant_id::text as key, coalesce(nullif(display_name, ''), name) as name,
        (select jsonb_object_agg(workload.key || '.' || setting.key, setting.value #>> '{}')
          from jsonb_each(settings - 'excludedFolders') workload, jsonb_each(workload.value) setting)
        || jsonb_build_object('excludedFolders', (select string_agg(folder, ', ') from jsonb_array_elements_text(settings -> 'excludedFolders') folder)) as values
        from (select tenant.*, coalesce(configuration.settings::jsonb, ${JSON.stringify(defaultBackupSettings)}::jsonb) as settings
          from tenants tenant left join backup_configurations configuration using (organisation_id, realm, tenant_id)) configured
        where tenant_id = ${tenantId}`,
    ],
    [
      'locations',
      sql<Row>`select location_id::text as key, name, jsonb_build_object('kind', kind, 'use', use, 'lock', immutability ->> 'mode',
        'days', immutability ->> 'days') as values from locations where tenant_id = ${tenantId} order by lower(name), location_id`,
    ],
    [
      'jobs',
      sql<Row>`select job_id::text as key, job.name, jsonb_build_object('kind', job.type, 'workload', job.workload, 'location', location.name,
        'schedule', job.schedule::text, 'retention', (job.body -> 'retention')::text, 'approval', nullif(job.approval, 'notNeeded'),
        'creator', job.creator) as values
        from jobs job left join locations location using (organisation_id, realm, location_id)
        where job.tenant_id = ${tenantId} order by job.type, lower(job.name), job_id`,
    ],
    [
      'holds',
      sql<Row>`select hold_id::text as key, hold.name, jsonb_build_object('subject', ${heldPlaceName}, 'reason', hold.reason, 'placer', hold.placer) as values
        from holds hold left join resources resource using (organisation_id, realm, resource_id)
        where hold.tenant_id = ${tenantId} and hold.released_at is null order by hold.placed_at, hold_id`,
    ],
    [
      'members',
      sql<Row>`select member.account_id::text as key, account.email as name, jsonb_build_object('role', member.role, 'until', member.ends_at) as values
        from memberships member join accounts account on account.id = member.account_id
        where member.joined_at is not null and member.disabled_at is null order by lower(account.email)`,
    ],
    [
      'proxyRights',
      sql<Row>`select proxy_right_id::text as key, holder_name as name, jsonb_build_object('target', case target_kind when 'everyone' then target_kind else target_name end,
        'may', array_to_string(may, ', '), 'purpose', purpose, 'until', access_to) as values
        from proxy_rights where tenant_id = ${tenantId} and removed_at is null and access_to > now() order by lower(holder_name), proxy_right_id`,
    ],
  ];
}

const given = (values: Row['values']): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== null && pair[1] !== ''));

/** Everything that is set up for a tenant, part by part. */
export async function entriesOf(tx: Tx, tenantId: string): Promise<readonly ProcedureEntry[]> {
  const entries: ProcedureEntry[] = [];
  for (const [part, query] of partsOf(tenantId))
    for (const { key, name, values } of (await query.execute(tx)).rows) entries.push({ part, key, name, values: given(values) });
  return entries;
}

/** The newest checkpoint of the audit log, and when the log was last verified. */
export async function integrityOf(tx: Tx): Promise<Pick<ProcedureContent, 'checkpoint' | 'verifiedAt'>> {
  const { rows } = await sql<{
    size: number;
    root: Buffer;
    at: Date;
  }>`select size, root, at from audit_checkpoints order by size desc limit 1`.execute(tx);
  const nights = await sql<{ at: Date }>`select ended_at as at from audit_verifications where ok order by night desc limit 1`.execute(tx);
  const [newest] = rows;
  return {
    checkpoint: newest ? { size: newest.size, rootHash: newest.root.toString('hex'), at: newest.at.toISOString() } : null,
    verifiedAt: nights.rows[0]?.at.toISOString() ?? null,
  };
}
