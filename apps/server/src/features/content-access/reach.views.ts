import type { ProxyAction } from '@holdfast/contract/proxy-rights';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { Membership } from '../../access/actor.ts';
import { isAnythingPrivate, isPrivate } from './private.views.ts';
import type { Sight } from '../marks/index.ts';
import { holdsNow, isExempt, reaches } from '../proxy-rights/index.ts';

type Sql = RawBuilder<unknown>;

/** Who wants to open something, as far as their rights depend on it. */
export interface Person {
  readonly tenantId: string;
  readonly accountId: string;
  /** Their address in lower case; undefined while it is not confirmed. */
  readonly address: string | undefined;
}

/** Why somebody may open something: their role in an open organisation, their own mailbox or drive, a proxy right, a case, or what was frozen for an auditor. */
export type ContentGround =
  | { readonly by: 'role' | 'own' }
  | { readonly by: 'auditor'; readonly accessId: string }
  | { readonly by: 'proxy'; readonly proxyRightId: string }
  | { readonly by: 'case'; readonly caseId: string; readonly from: Date | null; readonly to: Date | null };

/** A ground as the audit log has it. */
export function noteOf(ground: ContentGround): Readonly<Record<string, string>> {
  return {
    ground: ground.by,
    ...(ground.by === 'proxy' ? { proxyRight: ground.proxyRightId } : {}),
    ...(ground.by === 'case' ? { case: ground.caseId } : {}),
    ...(ground.by === 'auditor' ? { auditorAccess: ground.accessId } : {}),
  };
}

/** A resource in reach, by which ground, and the time that its items must be of. */
export interface Reached {
  readonly resource_id: string;
  readonly proxy_right_id: string | null;
  readonly opens_private: boolean;
  readonly from_at: Date | null;
  readonly to_at: Date | null;
}

/**
 * Every resource that somebody may open without a role, with its ground. What is gone from Microsoft 365 is nobody's own:
 * its address may be somebody else's by now, and so may that of its archive.
 */
export function reachedBy({ tenantId, accountId, address }: Person, action: ProxyAction, at: Date): Sql {
  const own = address ?? null;
  return sql`(
    select resource.resource_id, null::uuid as proxy_right_id, null::timestamptz as from_at, null::timestamptz as to_at,
      true as opens_private
    from resources resource
    where resource.organisation_id = holdfast.organisation() and resource.realm = holdfast.realm() and resource.tenant_id = ${tenantId}
      and resource.kind in ('mailbox', 'drive', 'archive') and resource.deleted_at is null and lower(resource.address) = ${own}
      and not (resource.kind = 'archive' and exists (select from resources mailbox
        where mailbox.organisation_id = resource.organisation_id and mailbox.realm = resource.realm
          and mailbox.tenant_id = resource.tenant_id and mailbox.kind = 'mailbox' and mailbox.graph_id = resource.graph_id
          and mailbox.deleted_at is not null))
    union all
    select resource.resource_id, granted.proxy_right_id, granted.mail_from, granted.mail_to, granted.includes_private
    from proxy_rights granted
    join resources resource on resource.organisation_id = granted.organisation_id and resource.realm = granted.realm
      and resource.tenant_id = granted.tenant_id and ${reaches} and not ${isExempt}
    where granted.organisation_id = holdfast.organisation() and granted.realm = holdfast.realm() and granted.tenant_id = ${tenantId}
      and granted.removed_at is null and granted.access_from <= ${at} and granted.access_to > ${at}
      and ${action} = any(granted.may) and granted.granted_by <> ${accountId}
      and exists (select from proxy_people holding where ${holdsNow} and holding.addresses @> array[${own}::text]))`;
}

/** The resources that are somebody's own, as a statement with their `resource_id`. */
export function ownedBy(person: Person, at: Date): Sql {
  return sql`(select resource_id from ${reachedBy(person, 'read', at)} reached where proxy_right_id is null)`;
}

/** The grounds on which somebody reaches one resource, those without a limit of time first. */
export async function groundsOn(tx: Tx, reached: Sql, resourceId: string): Promise<readonly Reached[]> {
  const { rows } = await sql<Reached>`select * from ${reached} reached where resource_id = ${resourceId}
    order by proxy_right_id is not null, from_at is not null or to_at is not null`.execute(tx);
  return rows;
}

/** Those of the items of which not every version is of a time, that are folders, or that are not kept. */
export async function outsideOf(
  tx: Tx,
  resourceId: string,
  keys: readonly string[],
  { from_at, to_at }: Pick<Reached, 'from_at' | 'to_at'>,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ item_key: string }>`
    select item_key from unnest(${keys}::text[]) wanted (item_key)
    where not exists (select from catalog_items item join catalog_sources source using (organisation_id, realm, source_id)
        where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
          and source.resource_id = ${resourceId} and item.item_key = wanted.item_key)
      or exists (select from catalog_items item join catalog_sources source using (organisation_id, realm, source_id)
        where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
          and source.resource_id = ${resourceId} and item.item_key = wanted.item_key
          and (item.is_container or coalesce(item.modified_at, item.created_at) is null
            or coalesce(item.modified_at, item.created_at) < ${from_at ?? null}::timestamptz
            or coalesce(item.modified_at, item.created_at) > ${to_at ?? null}::timestamptz))`.execute(tx);
  return new Set(rows.map((row) => row.item_key));
}

export async function reachesAnything(tx: Tx, reached: Sql): Promise<boolean> {
  const { rows } = await sql<{ is_reached: boolean }>`select exists (select from ${reached} reached) as is_reached`.execute(tx);
  return rows[0]?.is_reached === true;
}

/** What somebody may search: a condition on the alias `item`, which has a `source_id`, on the time of the item and the hash of its original. */
export type SearchReach = (at: Sql, original: Sql) => Sql;

/** For the product itself, such as a hold that keeps what a search finds: nobody is shown anything. */
export const unlimitedReach: SearchReach = () => sql`true`;

/** Whether somebody owns a resource whose content opens to nobody else on a role. */
export async function isExemptResource(tx: Tx, resourceId: string): Promise<boolean> {
  const { rows } = await sql`select from resources resource where resource.resource_id = ${resourceId} and ${isExempt}`.execute(tx);
  return rows.length > 0;
}

/** What is nobody's but its owner's: what belongs to whoever is exempt, and what is private. Nothing where there is none of either. */
async function hidden(tx: Tx): Promise<{ readonly others: SearchReach; readonly hides: boolean } | undefined> {
  const exempt = await tx.selectFrom('proxy_exemptions').select('exemption_id').where('ended_at', 'is', null).limit(1).executeTakeFirst();
  const hides = await isAnythingPrivate(tx);
  if (!exempt && !hides) return undefined;
  const others: SearchReach = (_at, original) => sql`(item.source_id not in (select place.source_id from catalog_sources place
    join resources resource using (organisation_id, realm, resource_id)
    where place.organisation_id = holdfast.organisation() and place.realm = holdfast.realm() and ${isExempt})
    ${hides ? sql`and not ${isPrivate(original)}` : sql``})`;
  return { others, hides };
}

/** What a role opens in an open organisation: everything but what belongs to whoever is exempt or is private, and one's own. */
export async function openReach(tx: Tx, reached: Sql): Promise<SearchReach> {
  const found = await hidden(tx);
  if (!found) return unlimitedReach;
  const own = itemsIn(reached, found.hides);
  return (at, original) => sql`(${found.others(at, original)} or ${own(at, original)})`;
}

/** What may be shown to somebody who owns none of it: everything but what belongs to whoever is exempt or is private. */
export async function othersReach(tx: Tx): Promise<SearchReach> {
  return (await hidden(tx))?.others ?? unlimitedReach;
}

export const nothingReached: SearchReach = () => sql`false`;

/** Items whose resource is in reach, and whose time the ground allows; of private ones, where there are any, those alone that it opens. */
export function itemsIn(reached: Sql, hides: boolean): SearchReach {
  return (at, original) => sql`exists (select from ${reached} reached join catalog_sources place on place.resource_id = reached.resource_id
    where place.organisation_id = item.organisation_id and place.realm = item.realm and place.source_id = item.source_id
      and (reached.from_at is null or ${at} >= reached.from_at) and (reached.to_at is null or ${at} <= reached.to_at)
      ${hides ? sql`and (reached.opens_private or not ${isPrivate(original)})` : sql``})`;
}

/** Somebody who is not signed in, with their role; undefined when they are no active member. */
export async function personById(tx: Tx, tenantId: string, accountId: string, at: Date) {
  const { rows } = await sql<{ email: string; email_confirmed: boolean; role: Membership['role'] }>`
    select account.email, account.email_confirmed, membership.role from memberships membership
    join accounts account on account.id = membership.account_id
    where membership.account_id = ${accountId} and membership.joined_at is not null and membership.disabled_at is null
      and account.disabled_at is null and (membership.ends_at is null or membership.ends_at > ${at})`.execute(tx);
  const [row] = rows;
  return row && { role: row.role, person: { tenantId, accountId, address: row.email_confirmed ? row.email.toLowerCase() : undefined } };
}

/** Whoever an account belongs to, as far as it depends on them which marks they see; undefined when they are no active member. */
export async function sightBy(
  tx: Tx,
  { tenantId, accountId }: Pick<Person, 'tenantId' | 'accountId'>,
  at: Date,
): Promise<Sight | undefined> {
  const found = await personById(tx, tenantId, accountId, at);
  return found && { tenantId, accountId, role: found.role };
}
