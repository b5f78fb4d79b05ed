import { isGraphError, type GraphClient } from '@holdfast/m365';
import type { JsonObject } from '../../ports/item.ts';
import { jsonProperties, without } from '../compare-listing.ts';

/** Reasons for unknown owners: no group is behind the site, its group has another site, or the app may not ask. */
type Unknown = 'noGroup' | 'groupOfOtherSite' | 'refused';

const unknown = (why: Unknown): JsonObject => ({ unknown: why });

/**
 * Reads who owns a site. Microsoft names owners of groups alone: the library of a site that a group is behind names the group. The site of a
 * private or shared channel names the group of its team, which is not the one that decides there.
 */
export async function readSiteOwners(graph: GraphClient, siteId: string): Promise<JsonObject> {
  const drives = await Array.fromAsync(graph.drives.siteDrives({ siteId }));
  const group = drives.flatMap(
    ({ owner }) => (owner as { readonly group?: { readonly id?: string; readonly displayName?: string } })?.group ?? [],
  )[0];
  if (group?.id === undefined) return unknown('noGroup');
  const { id: groupId, displayName = '' } = group;
  const named = { group: { id: groupId, displayName } };
  try {
    const there = new Set((await Array.fromAsync(graph.drives.groupDrives({ groupId }))).map(({ id }) => id));
    if (!drives.some(({ id }) => there.has(id))) return unknown('groupOfOtherSite');
    const owners = await Array.fromAsync(graph.directory.groupOwners({ groupId }));
    const sorted = owners.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return { ...named, owners: sorted.map((owner) => jsonProperties(without(owner))) };
  } catch (error) {
    if (isGraphError(error, 'graph.permission-missing', 'graph.access-denied')) return unknown('refused');
    // A group that was deleted has no owners.
    if (isGraphError(error, 'graph.resource-gone')) return { ...named, owners: [] };
    throw error;
  }
}
