import { FOREVER, type Database, type OrganisationId, type OrganisationTables, type Scope, type Tx } from '@holdfast/database';
import { isUnderMaximum, isUnderMinimum } from '../marks/index.ts';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { MailboxRow, PlaceRow, PolicyRow } from './policy-row.ts';
import type { EventDays } from './archived-days.views.ts';

type Policies = OrganisationTables['retention_policies'];
/** What a policy keeps. */
type Subject = Selectable<Policies>['about'];

export type EventRow = Omit<Selectable<OrganisationTables['retention_events']>, 'happened_on'> &
  MailboxRow & { readonly happened_on: string; readonly items: readonly EventItem[] };

/** A file or folder that an event is about. */
export type EventItem = Pick<PlaceRow, 'item_key' | 'name' | 'is_container'>;

/** Retention policies over PostgreSQL. Functions that take `tx` are part of the caller's transaction. */
export interface RetentionStore {
  within: Database['within'];
  /** Changing what is in force and deleting what is not kept keep out of each other's way: whoever comes second sees what the first did. */
  lock(tx: Tx, kind: 'changing' | 'obeying'): Promise<void>;
  list(tx: Tx, tenantId: string): Promise<readonly PolicyRow[]>;
  read(tx: Tx, policyId: string): Promise<PolicyRow | undefined>;
  add(tx: Tx, row: Insertable<Policies>, scope: PolicyScope): Promise<void>;
  change(tx: Tx, policyId: string, change: Updateable<Policies>): Promise<void>;
  /** Gives a draft another scope. */
  rename(tx: Tx, policyId: string, scope: PolicyScope): Promise<void>;
  removeDraft(tx: Tx, policyId: string): Promise<void>;
  /** Whether another policy that has not ended is called so; one that replaces another may bear its name. */
  isNameTaken(
    tx: Tx,
    tenantId: string,
    policy: { readonly policyId: string; readonly name: string; readonly replaces: string | null },
  ): Promise<boolean>;
  /** Policies whose maximums are to be looked at, wherever they belong. Ids alone. */
  toLookAt(at: Date, limit: number): Promise<readonly { readonly scope: Scope; readonly policyId: string }[]>;
  /** Takes the look at a policy; false when somebody else has, or there is none to take. */
  takeLook(tx: Tx, policyId: string, at: Date): Promise<boolean>;
  /** Policies whose reviewers are to be told what waits for them, wherever they belong. Ids alone. */
  toRemind(at: Date, limit: number): Promise<readonly { readonly scope: Scope; readonly policyId: string }[]>;
  /** Takes that reminder; false when somebody else has. */
  takeReminder(tx: Tx, policyId: string, at: Date): Promise<boolean>;
  /** Those of some accounts that are owners and administrators of the organisation now. */
  mayReview(tx: Tx, accountIds: readonly string[], at: Date): Promise<ReadonlySet<string>>;
  /** Messages of an archive after a key, in the order of their keys. */
  messagesAfter(tx: Tx, resourceId: string, page: { readonly after: string; readonly limit: number }): Promise<readonly string[]>;
  /** The policies of a tenant that are in force. */
  inForce(tx: Tx, tenantId: string): Promise<readonly PolicyRow[]>;
  /** Archived mailboxes of a tenant, all or those that are named, by name. */
  mailboxes(tx: Tx, tenantId: string, ids?: readonly string[]): Promise<readonly MailboxRow[]>;
  /** What an event can be about: an archived mailbox by its id or its address, or a site or drive by its id. */
  subject(tx: Tx, tenantId: string, subject: string): Promise<(MailboxRow & { readonly about: Subject }) | undefined>;
  /** The sites and drives of a tenant, all or those that are named. */
  sites(tx: Tx, tenantId: string, ids?: readonly string[]): Promise<readonly MailboxRow[]>;
  /** The policies in force by search or label, of all tenants. */
  bySearch(tx: Tx): Promise<readonly string[]>;
  /** The policies that refer to a saved search and have not ended. */
  ofSearch(tx: Tx, searchId: string): Promise<readonly { readonly policy_id: string; readonly name: string }[]>;
  /** What policies keep of a resource, and its tenant; undefined for what they keep nothing of. */
  keptOf(tx: Tx, resourceId: string): Promise<{ readonly tenantId: string; readonly about: Subject } | undefined>;
  /** The archive of a mailbox and the tenant of both; null before anything was taken in. */
  archiveOf(tx: Tx, mailboxId: string): Promise<{ readonly tenantId: string; readonly archiveId: string | null }>;
  /** The sources that have a resource, everywhere or in one location. */
  sources(tx: Tx, resourceId: string, locationId?: string): Promise<readonly string[]>;
  events(tx: Tx, tenantId: string): Promise<readonly EventRow[]>;
  addEvent(tx: Tx, row: Insertable<OrganisationTables['retention_events']>, items: readonly EventItem[]): Promise<void>;
  /** The latest day of each kind of event of a mailbox. */
  eventDays(tx: Tx, resourceId: string): Promise<EventDays>;
}

/** What a policy is to be on. */
export interface PolicyScope {
  readonly mailboxIds: readonly string[];
  readonly places: readonly Omit<PlaceRow, 'resource_name'>[];
  /** The sensitivity labels that it is on; none for a scope of another kind. */
  readonly labels: PolicyRow['labels'];
  /** The saved search whose hits it is on; nothing for a scope of another kind. */
  readonly search?: Pick<Insertable<Policies>, 'search_id' | 'search_name' | 'search_query' | 'search_version'>;
}

const noSearch = { search_id: null, search_name: null, search_query: null, search_version: null };

/** The archives that a policy can be on. */
const onArchives = sql`policy.about = 'messages' and resource.organisation_id = policy.organisation_id and resource.realm = policy.realm
  and resource.tenant_id = policy.tenant_id and resource.kind = 'archive'`;

function shown(tx: Tx) {
  return tx
    .selectFrom('retention_policies as policy')
    .selectAll('policy')
    .select(
      sql<MailboxRow[]>`(select coalesce(json_agg(json_build_object('resource_id', resource.resource_id, 'name', resource.name,
          'address', resource.address) order by lower(resource.name), resource.resource_id), '[]')
        from (select known.* from retention_policy_mailboxes named join resources known using (organisation_id, realm, resource_id)
          where named.organisation_id = policy.organisation_id and named.realm = policy.realm and named.policy_id = policy.policy_id
          union all select resource.* from resources resource where policy.attributes <> '[]' and ${onArchives} and ${isUnderMinimum}
        ) resource)`.as('mailboxes'),
    )
    .select(
      sql<readonly string[]>`(select coalesce(json_agg(resource.resource_id), '[]') from resources resource
        where policy.attributes <> '[]' and ${onArchives} and ${isUnderMaximum})`.as('deleting'),
    )
    .select(
      sql<PlaceRow[]>`(select coalesce(json_agg(json_build_object('resource_id', resource.resource_id, 'resource_name', resource.name,
          'item_key', place.item_key, 'name', place.name, 'is_container', place.is_container)
          order by lower(resource.name), resource.resource_id, lower(place.name), place.item_key), '[]')
        from retention_policy_places place join resources resource using (organisation_id, realm, resource_id)
        where place.organisation_id = policy.organisation_id and place.realm = policy.realm and place.policy_id = policy.policy_id)`.as(
        'places',
      ),
    )
    .select(
      sql<number | null>`(select search.query_version from saved_searches search where search.organisation_id = policy.organisation_id
        and search.realm = policy.realm and search.search_id = policy.search_id)`.as('current_version'),
    )
    .select(
      sql<string | null>`(select replaced.name from retention_policies replaced where replaced.organisation_id = policy.organisation_id
        and replaced.realm = policy.realm and replaced.policy_id = policy.replaces)`.as('replaced_name'),
    )
    .select(
      sql<PolicyRow['reviewers']>`(select coalesce(json_agg(json_build_object('userId', account.id, 'email', account.email)
          order by account.email), '[]') from accounts account
        where account.id in (select person::uuid from jsonb_array_elements(policy.stages) stage, jsonb_array_elements_text(stage) person))`.as(
        'reviewers',
      ),
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

/** The policies of a tenant that are in force. */
export function policiesInForce(tx: Tx, tenantId: string): Promise<PolicyRow[]> {
  return shown(tx)
    .where('policy.tenant_id', '=', tenantId)
    .where('policy.activated_at', 'is not', null)
    .where('policy.ended_at', 'is', null)
    .orderBy('policy.activated_at')
    .orderBy('policy.policy_id')
    .execute();
}

async function nameScope(tx: Tx, policyId: string, { mailboxIds, places }: PolicyScope): Promise<void> {
  const mailboxes = mailboxIds.map((resource_id) => ({ policy_id: policyId, resource_id }));
  if (mailboxes.length > 0) await tx.insertInto('retention_policy_mailboxes').values(mailboxes).execute();
  const named = places.map((place) => ({ policy_id: policyId, ...place }));
  if (named.length > 0) await tx.insertInto('retention_policy_places').values(named).execute();
}

function eventReads(): Pick<RetentionStore, 'events' | 'addEvent' | 'eventDays'> {
  return {
    async events(tx, tenantId) {
      const { rows } = await sql<EventRow>`
        select event.event_id, event.tenant_id, event.kind, event.resource_id, event.description, event.happened_on::text as happened_on,
          event.recorded_by, event.recorder, event.recorded_at, event.organisation_id, event.realm, resource.name, resource.address,
          (select coalesce(json_agg(json_build_object('item_key', item.item_key, 'name', item.name, 'is_container', item.is_container)
            order by lower(item.name), item.item_key), '[]') from retention_event_items item
            where item.organisation_id = event.organisation_id and item.realm = event.realm and item.event_id = event.event_id) as items
        from retention_events event join resources resource using (organisation_id, realm, resource_id)
        where event.tenant_id = ${tenantId} order by event.recorded_at desc, event.event_id`.execute(tx);
      return rows;
    },
    async addEvent(tx, row, items) {
      await tx.insertInto('retention_events').values(row).execute();
      const named = items.map((item) => ({ event_id: row.event_id, ...item }));
      if (named.length > 0) await tx.insertInto('retention_event_items').values(named).execute();
    },
    async eventDays(tx, resourceId) {
      const { rows } = await sql<{ kind: string; day: string }>`
        select kind, max(happened_on)::text as day from retention_events where resource_id = ${resourceId} group by kind`.execute(tx);
      return new Map(rows.map(({ kind, day }) => [kind, day]));
    },
  };
}

function lookReads(
  database: Database,
): Pick<RetentionStore, 'toLookAt' | 'takeLook' | 'toRemind' | 'takeReminder' | 'mayReview' | 'messagesAfter'> {
  const due =
    (column: 'look_at' | 'remind_at'): RetentionStore['toLookAt'] =>
    (at, limit) =>
      database.acrossOrganisations(async (tx) => {
        const rows = await tx
          .selectFrom('retention_policies')
          .select(['organisation_id', 'realm', 'policy_id'])
          .where(column, '<=', at)
          .limit(limit)
          .execute();
        return rows.map((row) => ({
          scope: { organisationId: row.organisation_id as OrganisationId, realm: row.realm },
          policyId: row.policy_id,
        }));
      });
  const take =
    (column: 'look_at' | 'remind_at'): RetentionStore['takeLook'] =>
    async (tx, policyId, at) => {
      const row = await tx
        .selectFrom('retention_policies')
        .select('policy_id')
        .where('policy_id', '=', policyId)
        .where(column, '<=', at)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      return row !== undefined;
    };
  return {
    toLookAt: due('look_at'),
    takeLook: take('look_at'),
    toRemind: due('remind_at'),
    takeReminder: take('remind_at'),
    async mayReview(tx, accountIds, at) {
      const { rows } = await sql<{ account_id: string }>`
        select membership.account_id from memberships membership join accounts account on account.id = membership.account_id
        where membership.account_id = any(${[...accountIds]}::uuid[]) and membership.role in ('owner', 'administrator')
          and membership.joined_at is not null and membership.disabled_at is null
          and (membership.ends_at is null or membership.ends_at > ${at}) and account.disabled_at is null`.execute(tx);
      return new Set(rows.map((row) => row.account_id));
    },
    async messagesAfter(tx, resourceId, { after, limit }) {
      const { rows } = await sql<{ item_key: string }>`
        select distinct item.item_key from catalog_sources source
        join catalog_items item on item.organisation_id = source.organisation_id and item.realm = source.realm and item.source_id = source.source_id
        where source.resource_id = ${resourceId} and item.kind = 'message' and item.to_point = ${FOREVER} and item.item_key > ${after}
        order by item.item_key limit ${limit}`.execute(tx);
      return rows.map((row) => row.item_key);
    },
  };
}

const siteKinds = ['drive', 'site'] as const;

/** The sites and drives of a tenant, all or those that are named. */
export function sitesOf(tx: Tx, tenantId: string, ids?: readonly string[]): Promise<MailboxRow[]> {
  return tx
    .selectFrom('resources')
    .select(['resource_id', 'name', 'address'])
    .where('tenant_id', '=', tenantId)
    .where('kind', 'in', siteKinds)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`resource_id = any(${[...(ids ?? [])]}::uuid[])`))
    .orderBy(sql`lower(name)`)
    .orderBy('resource_id')
    .execute();
}

function resourceReads(): Pick<RetentionStore, 'mailboxes' | 'subject' | 'sites' | 'keptOf' | 'archiveOf' | 'sources'> {
  return {
    mailboxes: (tx, tenantId, ids) =>
      archives(tx, tenantId)
        .$if(ids !== undefined, (query) => query.where(sql<boolean>`resource_id = any(${[...(ids ?? [])]}::uuid[])`))
        .execute(),
    async subject(tx, tenantId, subject) {
      const isNamed = sql<boolean>`(resource_id::text = lower(${subject}) or kind = 'archive' and lower(address) = lower(${subject}))`;
      const row = await tx
        .selectFrom('resources')
        .select(['resource_id', 'name', 'address', 'kind'])
        .where('tenant_id', '=', tenantId)
        .where('kind', 'in', ['archive', ...siteKinds])
        .where(isNamed)
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { kind, ...named } = row;
      return { ...named, about: kind === 'archive' ? 'messages' : 'files' };
    },
    sites: sitesOf,
    async keptOf(tx, resourceId) {
      const row = await tx
        .selectFrom('resources')
        .select(['tenant_id', 'kind'])
        .where('resource_id', '=', resourceId)
        .where('kind', 'in', ['archive', ...siteKinds])
        .executeTakeFirst();
      return row && { tenantId: row.tenant_id, about: row.kind === 'archive' ? 'messages' : 'files' };
    },
    async archiveOf(tx, mailboxId) {
      const row = await tx
        .selectFrom('resources as mailbox')
        .leftJoin('resources as archive', (join) =>
          join
            .onRef('archive.tenant_id', '=', 'mailbox.tenant_id')
            .onRef('archive.graph_id', '=', 'mailbox.graph_id')
            .on('archive.kind', '=', 'archive'),
        )
        .select(['mailbox.tenant_id', 'archive.resource_id'])
        .where('mailbox.resource_id', '=', mailboxId)
        .executeTakeFirstOrThrow();
      return { tenantId: row.tenant_id, archiveId: row.resource_id };
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
    async bySearch(tx) {
      const rows = await tx
        .selectFrom('retention_policies')
        .select('policy_id')
        .where((by) => by.or([by('search_query', 'is not', null), by(sql`labels`, '<>', sql`'[]'`)]))
        .where('activated_at', 'is not', null)
        .where('ended_at', 'is', null)
        .execute();
      return rows.map((row) => row.policy_id);
    },
    ofSearch: (tx, searchId) =>
      tx
        .selectFrom('retention_policies')
        .select(['policy_id', 'name'])
        .where('search_id', '=', searchId)
        .where('ended_at', 'is', null)
        .orderBy('name')
        .execute(),
    read: (tx, policyId) => shown(tx).where('policy.policy_id', '=', policyId).executeTakeFirst(),
    async add(tx, row, scope) {
      await tx
        .insertInto('retention_policies')
        .values({ ...row, ...scope.search, labels: JSON.stringify(scope.labels) })
        .execute();
      await nameScope(tx, row.policy_id, scope);
    },
    async change(tx, policyId, change) {
      await tx.updateTable('retention_policies').set(change).where('policy_id', '=', policyId).execute();
    },
    async rename(tx, policyId, scope) {
      await tx
        .updateTable('retention_policies')
        .set({ ...(scope.search ?? noSearch), labels: JSON.stringify(scope.labels) })
        .where('policy_id', '=', policyId)
        .execute();
      for (const table of ['retention_policy_mailboxes', 'retention_policy_places'] as const)
        await tx.deleteFrom(table).where('policy_id', '=', policyId).execute();
      await nameScope(tx, policyId, scope);
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
    inForce: policiesInForce,
    ...lookReads(database),
    ...resourceReads(),
    ...eventReads(),
  });
}
