import { directoryAttributes } from '@holdfast/contract/retention-terms';
import type { DirectoryState } from '@holdfast/contract/retention';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { fitsNow } from '../marks/index.ts';

/** Somebody as the directory has them. */
export interface DirectoryPerson {
  readonly graphId: string;
  readonly address: string;
  readonly isEnabled: boolean;
  /** Those that have a value. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** An account that the directory says was deleted. */
export interface DeletedPerson {
  readonly graphId: string;
  readonly address: string;
  readonly deletedAt: Date;
}

/** Somebody who has left by the word of the directory, with something that is kept of them. */
export interface LeftPerson {
  readonly graphId: string;
  readonly address: string;
  readonly day: string;
  readonly resources: readonly { readonly resourceId: string; readonly name: string }[];
}

const EVERY_HOURS = 24;
const AGAIN_MINUTES = 60;
/** For so long a deleted account can come back: until then nothing starts by itself. */
export const RESTORABLE_DAYS = 30;

/** A policy that depends on what the directory says. */
const depends = sql`policy.ended_at is null and (policy.attributes <> '[]' or policy.event_kind = 'leftCompany')`;

/** Takes the tenants whose directory is to be read now: nobody else does. */
export async function takeDueReads(tx: Tx, at: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    with due as (
      select tenant.tenant_id from tenants tenant left join directory_reads known using (organisation_id, realm, tenant_id)
      where tenant.deprovisioned_at is null and (known.asked_at is not null or (exists (select from retention_policies policy
          where policy.tenant_id = tenant.tenant_id and ${depends}) and (known.tried_at is null
        or known.tried_at < ${at}::timestamptz - make_interval(hours => ${EVERY_HOURS}::int)
        or (known.code is not null and known.tried_at < ${at}::timestamptz - make_interval(mins => ${AGAIN_MINUTES}::int)))))
      for update of tenant skip locked)
    insert into directory_reads as known (tenant_id, tried_at) select tenant_id, ${at} from due
    on conflict (organisation_id, realm, tenant_id) do update set tried_at = excluded.tried_at, asked_at = null
    returning tenant_id`.execute(tx);
  return rows.map((row) => row.tenant_id);
}

/** Has the directory of a tenant read soon. */
export async function askForRead(tx: Tx, tenantId: string, at: Date): Promise<void> {
  await sql`insert into directory_reads as known (tenant_id, asked_at) values (${tenantId}, ${at})
    on conflict (organisation_id, realm, tenant_id) do update set asked_at = excluded.asked_at`.execute(tx);
}

export async function noteFailedRead(tx: Tx, tenantId: string, code: string): Promise<void> {
  await sql`update directory_reads set code = ${code} where tenant_id = ${tenantId}`.execute(tx);
}

export async function isDirectoryRead(tx: Tx, tenantId: string): Promise<boolean> {
  const { rows } = await sql`select from directory_reads where tenant_id = ${tenantId} and read_at is not null`.execute(tx);
  return rows.length > 0;
}

/** Remembers the archives that policies in force are on by what the directory says now: their minimums stay on them. */
export async function rememberFitting(tx: Tx, tenantId: string, at: Date): Promise<void> {
  await sql`
    insert into retention_policy_people (policy_id, resource_id, since)
    select policy.policy_id, resource.resource_id, ${at} from retention_policies policy
    join resources resource on resource.tenant_id = policy.tenant_id and resource.kind = 'archive'
    where policy.tenant_id = ${tenantId} and policy.activated_at is not null and policy.ended_at is null and ${fitsNow}
    on conflict do nothing`.execute(tx);
}

/** Writes down what the directory says now, everybody at once; whoever is not there any longer stays known as somebody who is missing. */
export async function writePeople(
  tx: Tx,
  tenantId: string,
  { people, deleted }: { readonly people: readonly DirectoryPerson[]; readonly deleted: readonly DeletedPerson[] },
  at: Date,
): Promise<void> {
  await sql`
    insert into directory_people as known (tenant_id, graph_id, address, attributes, is_enabled, seen_at, enabled_at, disabled_at)
    select ${tenantId}, found."graphId", found.address, found.attributes, found."isEnabled", ${at}::timestamptz,
      case when found."isEnabled" then ${at}::timestamptz end, case when not found."isEnabled" then ${at}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as found ("graphId" text, address text, attributes jsonb, "isEnabled" boolean)
    on conflict (organisation_id, realm, tenant_id, graph_id) do update set address = excluded.address, attributes = excluded.attributes,
      is_enabled = excluded.is_enabled, seen_at = excluded.seen_at, enabled_at = coalesce(excluded.enabled_at, known.enabled_at),
      disabled_at = case when not excluded.is_enabled then coalesce(known.disabled_at, excluded.disabled_at) end,
      missing_at = null, deleted_at = null, settled_at = case when not excluded.is_enabled then known.settled_at end`.execute(tx);
  await sql`update directory_people set missing_at = ${at}
    where tenant_id = ${tenantId} and missing_at is null and seen_at is distinct from ${at}::timestamptz`.execute(tx);
  // Whoever had left before the first look is known by this alone.
  await sql`
    insert into directory_people as known (tenant_id, graph_id, address, is_enabled, missing_at, deleted_at)
    select ${tenantId}, gone."graphId", gone.address, false, ${at}::timestamptz, gone."deletedAt"
    from jsonb_to_recordset(${JSON.stringify(deleted)}::jsonb) as gone ("graphId" text, address text, "deletedAt" timestamptz)
    on conflict (organisation_id, realm, tenant_id, graph_id) do update set deleted_at = excluded.deleted_at
      where known.missing_at is not null`.execute(tx);
  await sql`update directory_reads set read_at = ${at}, code = null where tenant_id = ${tenantId}`.execute(tx);
}

/** What of a person is kept and an event can be about. */
const kept = sql`resources resource on resource.organisation_id = person.organisation_id and resource.realm = person.realm
  and resource.tenant_id = person.tenant_id and resource.graph_id = person.graph_id and resource.kind in ('archive', 'drive')`;

/** Takes those whose accounts were deleted so long ago that they cannot come back. What somebody has recorded since they left stays as it is. */
export async function takeLeft(
  tx: Tx,
  tenantId: string,
  { at, timeZone }: { readonly at: Date; readonly timeZone: string },
): Promise<readonly LeftPerson[]> {
  const { rows } = await sql<LeftPerson>`
    with gone as (update directory_people set settled_at = ${at}
      where tenant_id = ${tenantId} and missing_at is not null and settled_at is null
        and deleted_at < ${at}::timestamptz - make_interval(days => ${RESTORABLE_DAYS}::int)
      returning organisation_id, realm, tenant_id, graph_id, address, deleted_at, disabled_at, missing_at)
    select person.graph_id as "graphId", person.address, (person.deleted_at at time zone ${timeZone}::text)::date::text as day,
      json_agg(json_build_object('resourceId', resource.resource_id, 'name', resource.name) order by resource.kind) as resources
    from gone person join ${kept}
    where not exists (select from retention_events event where event.resource_id = resource.resource_id and event.kind = 'leftCompany'
      and event.recorded_at >= least(person.disabled_at, person.missing_at))
    group by person.graph_id, person.address, person.deleted_at order by person.graph_id`.execute(tx);
  return rows;
}

interface DepartureRow {
  readonly mailboxId: string;
  readonly name: string;
  readonly email: string;
  readonly about: 'messages' | 'files';
  readonly kind: 'deleted' | 'missing' | 'disabled';
  readonly last: Date | null;
  readonly noticed: Date;
  readonly day: string | null;
  readonly from: Date | null;
}

/** People who seem to have left, and whose event was not recorded since. Accounts that were never seen open are those of shared mailboxes. */
async function departuresOf(tx: Tx, tenantId: string, timeZone: string): Promise<DirectoryState['departures']> {
  const { rows } = await sql<DepartureRow>`
    select resource.resource_id as "mailboxId", resource.name, resource.address as email,
      case resource.kind when 'drive' then 'files' else 'messages' end as about,
      case when person.missing_at is null then 'disabled' when person.deleted_at is null then 'missing' else 'deleted' end as kind,
      person.enabled_at as last, coalesce(person.missing_at, person.disabled_at) as noticed,
      (person.deleted_at at time zone ${timeZone}::text)::date::text as day,
      person.deleted_at + make_interval(days => ${RESTORABLE_DAYS}::int) as "from"
    from directory_people person join ${kept}
    where person.tenant_id = ${tenantId} and person.settled_at is null
      and (person.missing_at is not null or (person.disabled_at is not null and person.enabled_at is not null))
      and not exists (select from retention_events event where event.resource_id = resource.resource_id and event.kind = 'leftCompany'
        and event.recorded_at >= least(person.disabled_at, person.missing_at))
    order by lower(resource.name), resource.resource_id limit 1000`.execute(tx);
  return rows.map(({ mailboxId, name, email, about, kind, last, noticed, day, from }) => ({
    subject: { mailboxId, name, email },
    about,
    kind,
    lastSeenAt: last?.toISOString() ?? null,
    noticedAt: noticed.toISOString(),
    date: day,
    recordedFrom: from?.toISOString() ?? null,
  }));
}

const VALUES = 200;

/** What is known of the directory of a tenant. */
export async function directoryState(tx: Tx, tenantId: string, timeZone: string): Promise<DirectoryState> {
  const read = await tx.selectFrom('directory_reads').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst();
  const counted = await sql<{ people: number }>`select count(*)::bigint as people from directory_people
    where tenant_id = ${tenantId} and missing_at is null`.execute(tx);
  const values = await sql<{ attribute: string; value: string }>`
    select attribute, value from (select attribute, min(value) as value, row_number() over (partition by attribute order by lower(btrim(value))) as at
      from directory_people, jsonb_each_text(attributes) as said (attribute, value) where tenant_id = ${tenantId} and missing_at is null
      group by attribute, lower(btrim(value))) found where at <= ${VALUES} order by attribute, at`.execute(tx);
  const byAttribute = Map.groupBy(values.rows, ({ attribute }) => attribute);
  return {
    readAt: read?.read_at?.toISOString() ?? null,
    code: read?.code ?? null,
    isWaiting: read !== undefined && read.asked_at !== null,
    people: counted.rows[0]?.people ?? 0,
    values: directoryAttributes.flatMap((attribute) => {
      const found = byAttribute.get(attribute);
      return found === undefined ? [] : [{ attribute, values: found.map(({ value }) => value) }];
    }),
    departures: await departuresOf(tx, tenantId, timeZone),
  };
}
