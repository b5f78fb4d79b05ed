import { requireGroup, requirePerson } from '../directory/directory-routes.ts';
import { deltaPage } from '../delta/delta-page.ts';
import { positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import { Failure, badRequest, notFound } from '../http/failure.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { type LibraryPlace, placesOf } from '../places/places.ts';
import { requireSite } from '../places/find-site.ts';
import { requireDrive, requireItem } from './find-item.ts';
import type { OpenDrive } from './open-drive.ts';
import { isOfSystem, renderDrive } from './render-drive.ts';
import { renderItem } from './render-item.ts';

const DELTA_PREFERENCES = ['deltashowremovedasdeleted', 'deltatraversepermissiongaps', 'deltashowsharingchanges', 'hierarchicalsharing'];

function listDrives(context: Context, libraries: readonly LibraryPlace[]): Reply {
  const isSystemWanted = context.query.select?.includes('system') ?? false;
  return listPage(context, {
    items: positionsOf(libraries.filter((library) => isSystemWanted || !isOfSystem(library))),
    context: 'drives',
    defaultSize: 200,
    maxSize: 1000,
    render: (library) => renderDrive(context, library),
  });
}

function userDrive(context: Context): Reply {
  const person = requirePerson(context);
  const library = context.hasEffect('noDrive') ? undefined : placesOf(context.tenant).driveOfUser(person.id);
  if (!library) throw new Failure(404, 'ResourceNotFound', "User's mysite not found.");
  return ok({ '@odata.context': context.links.context('drives/$entity'), ...renderDrive(context, library) });
}

function groupDrives(context: Context): Reply {
  const places = placesOf(context.tenant);
  const site = places.siteOfGroup(requireGroup(context).id);
  if (!site) throw notFound('drives', 'Resource provisioning is in progress or the group has no site.');
  return listDrives(context, places.librariesOf(site.id));
}

/** The place in the log of the first change at `ms` or later: for `token` as a time stamp. */
function placeAt(drive: OpenDrive, ms: number): number {
  const { logMs } = drive.state;
  let low = 0;
  let high = logMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((logMs[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function driveDelta(context: Context): Reply {
  const drive = requireDrive(context);
  const { driveId, driveType, siteId } = drive.library;
  const preferences = DELTA_PREFERENCES.filter((name) => context.prefer.has(name));
  for (const name of preferences) context.prefer.applied(name);
  return deltaPage(context, {
    feed: drive.feed,
    resource: `drive/${driveId}?${preferences.join(',')}`,
    context: 'Collection(driveItem)',
    defaultSize: 200,
    maxSize: 1000,
    render: (item, query) => renderItem(context, drive, item, { isDelta: true, select: query.select }),
    removed(id) {
      const parentId = drive.peek(id)?.parentId;
      const parentReference = { driveId, driveType, ...(parentId === undefined ? {} : { id: parentId }), siteId };
      return { '@odata.type': '#microsoft.graph.driveItem', id, deleted: { state: 'deleted' }, parentReference };
    },
    placeAt: (ms) => placeAt(drive, ms),
  });
}

/** In OneDrive for Business and SharePoint only the root has changes of its own. */
function itemDelta(context: Context): Reply {
  const drive = requireDrive(context);
  if (requireItem(drive, context.params[1] ?? '').id !== drive.rootId)
    throw badRequest('drives', 'Delta is supported for the root of a drive only.');
  return driveDelta(context);
}

const DELTA = '/drives/{id}/root/delta';
const DRIVES = ['$select', '$top', '$skip', '$count'];

/** Drives of users, groups and sites, and their delta. */
export const driveRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/users/{id}/drive', service: 'drives', query: ['$select'], handler: userDrive },
  { method: 'GET', path: '/groups/{id}/drives', service: 'drives', query: DRIVES, handler: groupDrives },
  {
    method: 'GET',
    path: '/sites/{id}/drives',
    service: 'drives',
    query: DRIVES,
    handler: (context) => listDrives(context, placesOf(context.tenant).librariesOf(requireSite(context).id)),
  },
  {
    method: 'GET',
    path: '/drives/{id}',
    service: 'drives',
    query: ['$select'],
    handler: (context) =>
      ok({ '@odata.context': context.links.context('drives/$entity'), ...renderDrive(context, requireDrive(context).library) }),
  },
  { method: 'GET', path: DELTA, service: 'drives', query: ['$select', '$top'], handler: driveDelta },
  { method: 'GET', path: '/drives/{id}/items/{id}/delta', like: DELTA, service: 'drives', query: ['$select', '$top'], handler: itemDelta },
];
