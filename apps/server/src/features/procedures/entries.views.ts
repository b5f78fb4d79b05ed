import { defaultBackupSettings } from '@holdfast/contract/configuration';
import { traitsOf, typesWhere, type JobType } from '@holdfast/contract/jobs';
import type { ProcedureContent, ProcedureEntry } from '@holdfast/contract/procedures';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { heldPlaceName } from '../holds/index.ts';
import type { Difference } from './differences.ts';

type Part = ProcedureEntry['part'];
interface Row {
  readonly key: string;
  readonly name: string;
  readonly values: Readonly<Record<string, string | number | null>>;
}

/** The policies in force, each under the id of the first of those that it has replaced. */
function policiesOf(tenantId: string): ReturnType<typeof sql<Row>> {
  return sql<Row>`with recursive line as (
      select policy_id, policy_id as first, replaces from retention_policies
      where tenant_id = ${tenantId} and activated_at is not null and ended_at is null
      union all
      select line.policy_id, older.policy_id, older.replaces from line join retention_policies older on older.policy_id = line.replaces)
    select line.first::text as key, policy.name, jsonb_build_object(
      'period', json_build_object('about', policy.about, 'length', case when policy.amount is not null then
        json_build_object('amount', policy.amount, 'unit', policy.unit) end, 'maximum', case when policy.maximum_amount is not null then
        json_build_object('amount', policy.maximum_amount, 'unit', policy.maximum_unit) end, 'start', policy.starts,
        'anchor', policy.anchor, 'eventKind', policy.event_kind)::text,
      'fiscalYearEnd', case policy.starts when 'fiscalYear' then policy.fiscal_year_end end,
      'subject', case when policy.search_query is not null then policy.search_name || ': ' || policy.search_query when policy.labels <> '[]' then (
        select string_agg(coalesce(nullif(label ->> 'name', ''), label ->> 'labelId'), ', ' order by at)
        from jsonb_array_elements(policy.labels) with ordinality as named (label, at)) when policy.about = 'files' then (
        select string_agg(case named.item_key when '' then resource.name else resource.name || ': ' || named.name end, ', '
          order by lower(resource.name), resource_id, lower(named.name), named.item_key)
        from retention_policy_places named join resources resource using (organisation_id, realm, resource_id)
        where named.policy_id = policy.policy_id) when policy.is_everything then 'everything' when policy.attributes <> '[]' then (
        select string_agg((rule ->> 'attribute') || ': ' || (select string_agg(value, ', ') from jsonb_array_elements_text(rule -> 'values') as value), '; ' order by at)
        from jsonb_array_elements(policy.attributes) with ordinality as named (rule, at)) else (
        select string_agg(resource.name || ' (' || resource.address || ')', ', ' order by lower(resource.name), resource_id)
        from retention_policy_mailboxes named join resources resource using (organisation_id, realm, resource_id)
        where named.policy_id = policy.policy_id) end,
      'since', policy.activated_at, 'requester', approved.requester,
      'approver', case approved.mode when 'delay' then 'delay' else approved.decider end) as values
    from line join retention_policies policy on policy.policy_id = line.policy_id
    left join lateral (select requester, mode, decider from approvals
      where kind = 'retentionPolicy' and subject_id = policy.policy_id and status = 'approved' order by decided_at desc limit 1) approved on true
    where line.replaces is null order by lower(policy.name), policy.policy_id`;
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
    ['policies', policiesOf(tenantId)],
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
  Object.fromEntries(
    Object.entries(values).flatMap(([field, value]) => (value === null || value === '' ? [] : [[field, String(value)] as const])),
  );

/** Everything that is set up for a tenant, part by part. */
export async function entriesOf(tx: Tx, tenantId: string): Promise<readonly ProcedureEntry[]> {
  const entries: ProcedureEntry[] = [];
  for (const [part, query] of partsOf(tenantId))
    for (const { key, name, values } of (await query.execute(tx)).rows) entries.push({ part, key, name, values: given(values) });
  return entries;
}

/**
 * Everything that the audit log may know an entry by: a policy is never changed, another one takes its place and carries
 * on its entry.
 */
export async function subjectsOf(tx: Tx, tenantId: string, { part, key }: Pick<Difference, 'part' | 'key'>): Promise<readonly string[]> {
  if (part === 'sections') return [tenantId];
  if (part !== 'policies') return [key];
  const { rows } = await sql<{ id: string }>`with recursive line as (
      select policy_id from retention_policies where policy_id = ${key}
      union all select next.policy_id from line join retention_policies next on next.replaces = line.policy_id)
    select policy_id as id from line`.execute(tx);
  return rows.map(({ id }) => id);
}

type Proofs = NonNullable<ProcedureContent['proofs']>;

/** When the stored data of a tenant was last verified and when a restore was last tried, with the results. */
export async function proofsOf(tx: Tx, tenantId: string): Promise<Proofs> {
  const proving = typesWhere(({ proves }) => proves === true);
  const { rows } = await sql<{ type: JobType; at: Date; status: NonNullable<Proofs['verification']>['status'] }>`
    select distinct on (type) type, ended_at as at, status from runs
    where tenant_id = ${tenantId} and type = any(${[...proving]}) and status in ('successful', 'defective', 'failed')
    order by type, ended_at desc`.execute(tx);
  const last = (putsBack: boolean): Proofs['verification'] => {
    const found = rows.find(({ type }) => (traitsOf(type).putsBack ?? false) === putsBack);
    return found ? { at: found.at.toISOString(), status: found.status } : null;
  };
  return { verification: last(false), drill: last(true) };
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
