import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';

/**
 * The policies on files in force whose periods events of a tenant start: those with a file or folder in their scope that the event is
 * about, that is or was in a folder of it, or that contains what it is about. One by search may be on files of any site or drive.
 */
export async function startedOnFiles(tx: Tx, tenantId: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await sql<{ event_id: string; policy_id: string }>`
    with recursive pairs as (
      select event.event_id, policy.policy_id, event.resource_id, place.item_key as place_key, about.item_key as event_key
      from retention_events event
      join retention_policies policy on policy.organisation_id = event.organisation_id and policy.realm = event.realm
        and policy.tenant_id = event.tenant_id and policy.about = 'files' and policy.event_kind = event.kind
        and policy.activated_at is not null and policy.ended_at is null
      join retention_policy_places place on place.organisation_id = policy.organisation_id and place.realm = policy.realm
        and place.policy_id = policy.policy_id and place.resource_id = event.resource_id
      left join retention_event_items about on about.organisation_id = event.organisation_id and about.realm = event.realm
        and about.event_id = event.event_id
      where event.tenant_id = ${tenantId}
    ), up (resource_id, item_key, at_key) as (
      select resource_id, key, key from pairs cross join lateral (values (place_key), (event_key)) as named (key) where key <> ''
      union
      select up.resource_id, up.item_key, item.parent_key from up
      join catalog_sources source on source.resource_id = up.resource_id
      join catalog_items item on item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
        and item.source_id = source.source_id and item.item_key = up.at_key
      where item.parent_key is not null)
    select distinct event_id, policy_id from pairs
    where place_key = '' or event_key is null or exists (select from up where up.resource_id = pairs.resource_id
      and ((up.item_key = event_key and up.at_key = place_key) or (up.item_key = place_key and up.at_key = event_key)))
    union select event.event_id, policy.policy_id from retention_events event
    join resources resource using (organisation_id, realm, resource_id)
    join retention_policies policy on policy.organisation_id = event.organisation_id and policy.realm = event.realm
      and policy.tenant_id = event.tenant_id and policy.about = 'files' and policy.event_kind = event.kind
      and policy.activated_at is not null and policy.ended_at is null and (policy.search_query is not null or policy.labels <> '[]')
    where event.tenant_id = ${tenantId} and resource.kind in ('drive', 'site')`.execute(tx);
  const byEvent = Map.groupBy(rows, (row) => row.event_id);
  return new Map([...byEvent].map(([eventId, found]) => [eventId, new Set(found.map((row) => row.policy_id))]));
}
