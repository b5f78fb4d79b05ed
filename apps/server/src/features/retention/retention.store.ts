import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { EventDays, PolicyTerms } from './periods.ts';

type Policies = OrganisationTables['retention_policies'];

/** An archived mailbox. */
export interface MailboxRow {
  readonly resource_id: string;
  readonly name: string;
  readonly address: string;
}

/** A policy with the mailboxes it names and the policy it replaces. */
export type PolicyRow = Selectable<Policies> & {
  readonly mailboxes: readonly MailboxRow[];
  readonly replaced_name: string | null;
};

export type EventRow = Omit<Selectable<OrganisationTables['retention_events']>, 'happened_on'> &
  MailboxRow & { readonly happened_on: string };

/** Retention policies over PostgreSQL. Functions that take `tx` are part of the caller's transaction. */
export interface RetentionStore {
  within: Database['within'];
  /** Changing what is in force and deleting what is not kept keep out of each other's way: whoever comes second sees what the first did. */
  lock(tx: Tx, kind: 'changing' | 'obeying'): Promise<void>;
  list(tx: Tx, tenantId: string): Promise<readonly PolicyRow[]>;
  read(tx: Tx, policyId: string): Promise<PolicyRow | undefined>;
  add(tx: Tx, row: Insertable<Policies>, mailboxIds: readonly string[]): Promise<void>;
  change(tx: Tx, policyId: string, change: Updateable<Policies>): Promise<void>;
  /** Names other mailboxes in a draft. */
  nameMailboxes(tx: Tx, policyId: string, mailboxIds: readonly string[]): Promise<void>;
  removeDraft(tx: Tx, policyId: string): Promise<void>;
  /** Whether another policy that has not ended is called so; one that replaces another may bear its name. */
  isNameTaken(
    tx: Tx,
    tenantId: string,
    policy: { readonly policyId: string; readonly name: string; readonly replaces: string | null },
  ): Promise<boolean>;
  /** The policies of a tenant that are in force. */
  inForce(tx: Tx, tenantId: string): Promise<readonly PolicyRow[]>;
  /** Archived mailboxes of a tenant, all or those that are named, by name. */
  mailboxes(tx: Tx, tenantId: string, ids?: readonly string[]): Promise<readonly MailboxRow[]>;
  /** One of them by its id or its address. */
  mailbox(tx: Tx, tenantId: string, subject: string): Promise<MailboxRow | undefined>;
  /** The tenant of a mailbox that is archived; undefined for any other resource. */
  tenantOf(tx: Tx, resourceId: string): Promise<string | undefined>;
  /** The sources that have the archive of a mailbox, everywhere or in one location. */
  sources(tx: Tx, resourceId: string, locationId?: string): Promise<readonly string[]>;
  events(tx: Tx, tenantId: string): Promise<readonly EventRow[]>;
  addEvent(tx: Tx, row: Insertable<OrganisationTables['retention_events']>): Promise<void>;
  /** The latest day of each kind of event of a mailbox. */
  eventDays(tx: Tx, resourceId: string): Promise<EventDays>;
}

/** What a row says, without what it is on. */
export function termsOf({ name, anchor, event_kind, amount, unit, starts, fiscal_year_end }: PolicyRow): PolicyTerms {
  return { name, eventKind: event_kind, period: { anchor, length: { amount, unit }, start: starts, fiscalYearEnd: fiscal_year_end } };
}

/** Whether a policy is on a mailbox. */
export function covers({ is_everything, mailboxes }: PolicyRow, resourceId: string): boolean {
  return is_everything || mailboxes.some(({ resource_id }) => resource_id === resourceId);
}

function shown(tx: Tx) {
  return tx
    .selectFrom('retention_policies as policy')
    .selectAll('policy')
    .select(
      sql<MailboxRow[]>`(select coalesce(json_agg(json_build_object('resource_id', resource.resource_id, 'name', resource.name,
          'address', resource.address) order by lower(resource.name), resource.resource_id), '[]')
        from retention_policy_mailboxes named join resources resource using (organisation_id, realm, resource_id)
        where named.organisation_id = policy.organisation_id and named.realm = policy.realm and named.policy_id = policy.policy_id)`.as(
        'mailboxes',
      ),
    )
    .select(
      sql<string | null>`(select replaced.name from retention_policies replaced where replaced.organisation_id = policy.organisation_id
        and replaced.realm = policy.realm and replaced.policy_id = policy.replaces)`.as('replaced_name'),
    );
}

function archives(tx: Tx, tenantId: string) {
  return tx
    .selectFrom('resources')
    .select(['resource_id', 'name', 'address'])
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'archive')
    .orderBy(sql`lower(name)`)
    .orderBy('resource_id');
}

async function nameMailboxes(tx: Tx, policyId: string, mailboxIds: readonly string[]): Promise<void> {
  if (mailboxIds.length === 0) return;
  const rows = mailboxIds.map((resource_id) => ({ policy_id: policyId, resource_id }));
  await tx.insertInto('retention_policy_mailboxes').values(rows).execute();
}

function eventReads(): Pick<RetentionStore, 'events' | 'addEvent' | 'eventDays'> {
  return {
    async events(tx, tenantId) {
      const { rows } = await sql<EventRow>`
        select event.event_id, event.tenant_id, event.kind, event.resource_id, event.description, event.happened_on::text as happened_on,
          event.recorded_by, event.recorder, event.recorded_at, event.organisation_id, event.realm, resource.name, resource.address
        from retention_events event join resources resource using (organisation_id, realm, resource_id)
        where event.tenant_id = ${tenantId} order by event.recorded_at desc, event.event_id`.execute(tx);
      return rows;
    },
    async addEvent(tx, row) {
      await tx.insertInto('retention_events').values(row).execute();
    },
    async eventDays(tx, resourceId) {
      const { rows } = await sql<{ kind: string; day: string }>`
        select kind, max(happened_on)::text as day from retention_events where resource_id = ${resourceId} group by kind`.execute(tx);
      return new Map(rows.map(({ kind, day }) => [kind, day]));
    },
  };
}

function mailboxReads(): Pick<RetentionStore, 'mailboxes' | 'mailbox' | 'tenantOf' | 'sources'> {
  return {
    mailboxes: (tx, tenantId, ids) =>
      archives(tx, tenantId)
        .$if(ids !== undefined, (query) => query.where(sql<boolean>`resource_id = any(${[...(ids ?? [])]}::uuid[])`))
        .execute(),
    mailbox: (tx, tenantId, subject) =>
      archives(tx, tenantId)
        .where(sql<boolean>`(resource_id::text = lower(${subject}) or lower(address) = lower(${subject}))`)
        .limit(1)
        .executeTakeFirst(),
    async tenantOf(tx, resourceId) {
      const query = tx.selectFrom('resources').select('tenant_id').where('resource_id', '=', resourceId).where('kind', '=', 'archive');
      return (await query.executeTakeFirst())?.tenant_id;
    },
    async sources(tx, resourceId, locationId) {
      const rows = await tx
        .selectFrom('catalog_sources')
        .select('source_id')
        .where('resource_id', '=', resourceId)
        .$if(locationId !== undefined, (query) => query.where('location_id', '=', locationId ?? ''))
        .execute();
      return rows.map(({ source_id }) => source_id);
    },
  };
}

export function createRetentionStore(database: Database): RetentionStore {
  return Object.freeze<RetentionStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    async lock(tx, kind) {
      const lock = sql.raw(kind === 'changing' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
      await sql`select ${lock}(hashtextextended('retention ' || holdfast.organisation()::text, 0))`.execute(tx);
    },
    list: (tx, tenantId) =>
      shown(tx)
        .where('policy.tenant_id', '=', tenantId)
        .orderBy((by) => by('policy.ended_at', 'is not', null))
        .orderBy('policy.created_at', 'desc')
        .orderBy('policy.policy_id')
        .execute(),
    read: (tx, policyId) => shown(tx).where('policy.policy_id', '=', policyId).executeTakeFirst(),
    async add(tx, row, mailboxIds) {
      await tx.insertInto('retention_policies').values(row).execute();
      await nameMailboxes(tx, row.policy_id, mailboxIds);
    },
    async change(tx, policyId, change) {
      await tx.updateTable('retention_policies').set(change).where('policy_id', '=', policyId).execute();
    },
    async nameMailboxes(tx, policyId, mailboxIds) {
      await tx.deleteFrom('retention_policy_mailboxes').where('policy_id', '=', policyId).execute();
      await nameMailboxes(tx, policyId, mailboxIds);
    },
    async removeDraft(tx, policyId) {
      await tx.deleteFrom('retention_policies').where('policy_id', '=', policyId).where('activated_at', 'is', null).execute();
    },
    async isNameTaken(tx, tenantId, { policyId, name, replaces }) {
      const { rows } = await sql`
        select from retention_policies other where other.tenant_id = ${tenantId} and lower(other.name) = lower(${name})
          and other.ended_at is null and other.policy_id <> ${policyId} and other.policy_id is distinct from ${replaces}::uuid
          and other.replaces is distinct from ${policyId}::uuid limit 1`.execute(tx);
      return rows.length > 0;
    },
    inForce: (tx, tenantId) =>
      shown(tx)
        .where('policy.tenant_id', '=', tenantId)
        .where('policy.activated_at', 'is not', null)
        .where('policy.ended_at', 'is', null)
        .orderBy('policy.activated_at')
        .orderBy('policy.policy_id')
        .execute(),
    ...mailboxReads(),
    ...eventReads(),
  });
}
