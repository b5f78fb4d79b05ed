import type { Grant } from '@holdfast/contract/compliance-values';
import { FOREVER, type Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { identitiesOf, storableTime, type Identity, type Permission } from './scan-facts.ts';

/** Folders can be nested, but a damaged chain must not turn a query into a loop. */
const MAX_DEPTH = 100;

/** More rights than a reader looks through one by one. */
const MOST_GRANTS = 200;

function nameOf({ user, siteUser, group, siteGroup }: Identity): string {
  const known = user ?? siteUser ?? group ?? siteGroup;
  return known?.displayName ?? known?.email ?? known?.loginName ?? '';
}

function grantOf(permission: Permission, isAbove: boolean): Grant {
  const names = identitiesOf(permission)
    .map(nameOf)
    .filter((name) => name !== '');
  return {
    who: [...new Set(names)],
    role: permission.roles?.[0] ?? permission.link?.type ?? '',
    link: permission.link?.scope ?? null,
    isInherited: isAbove || Boolean(permission.inheritedFrom),
    expiresAt: storableTime(permission.expirationDateTime),
  };
}

/**
 * Who can open an item, as its newest version says. Microsoft 365 lists rights where they differ from those above, so
 * without any the nearest folder above that has some says it.
 */
export async function grantsOn(tx: Tx, sourceId: string, key: string): Promise<Grant[]> {
  const { rows } = await sql<{ depth: number; permissions: readonly Permission[] }>`
    with recursive up (item_key, permissions, parent_key, depth) as (
      (select item.item_key, item.detail -> 'properties' -> 'permissions', item.parent_key, 0 from catalog_items item
        where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.source_id = ${sourceId}
          and item.item_key = ${key} order by item.from_point desc limit 1)
      union all
      select item.item_key, item.detail -> 'properties' -> 'permissions', item.parent_key, up.depth + 1 from up join catalog_items item
        on item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.source_id = ${sourceId}
          and item.item_key = up.parent_key and item.to_point = ${FOREVER}
      where up.depth < ${MAX_DEPTH} and json_array_length(coalesce(up.permissions, '[]'::json)) = 0)
    select depth, permissions from up where json_array_length(coalesce(permissions, '[]'::json)) > 0 order by depth limit 1`.execute(tx);
  const [nearest] = rows;
  if (nearest === undefined) return [];
  return nearest.permissions.slice(0, MOST_GRANTS).map((permission) => grantOf(permission, nearest.depth > 0));
}
