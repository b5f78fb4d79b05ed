import { listPage } from '../delta/list-page.ts';
import { objectField, textField } from '../http/body-fields.ts';
import { Failure, badRequest, conflict, denied, requireMatch } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { type Reply, created, noContent, ok } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import type { ItemRecord } from './drive-record.ts';
import { requireAtPath, requireDrive, requireItem, requireUnlocked } from './find-item.ts';
import { newFolder } from './new-folder.ts';
import type { OpenDrive } from './open-drive.ts';
import { eTagOf, renderItem } from './render-item.ts';
import { readConflict, readFileTimes, settleName } from './write-file.ts';

/** A drive and the item in it that a request is about. */
export interface Located {
  readonly drive: OpenDrive;
  readonly item: ItemRecord;
}

/** `/drives/{id}/root`, with a path after it or without. */
export function locateRoot(context: Context): Located {
  const drive = requireDrive(context);
  const root = requireItem(drive, 'root');
  const [, path] = context.params;
  return { drive, item: path === undefined ? root : requireAtPath(drive, root, path) };
}

/** `/drives/{id}/items/{id}`, with a path after it or without. */
export function locateItem(context: Context): Located {
  const drive = requireDrive(context);
  const [, id = '', path] = context.params;
  const item = requireItem(drive, id);
  return { drive, item: path === undefined ? item : requireAtPath(drive, item, path) };
}

type Locate = (context: Context) => Located;

/** An item as an answer of its own, with its context. */
export function itemEntity(context: Context, { drive, item }: Located): JsonObject {
  const annotation = { '@odata.context': context.links.context(`drives('${drive.library.driveId}')/items/$entity`) };
  return { ...annotation, ...renderItem(context, drive, item) };
}

function readItem(locate: Locate): RouteEntry['handler'] {
  return (context) => {
    const located = locate(context);
    return ok(itemEntity(context, located), { ETag: eTagOf(located.drive, located.item) });
  };
}

function listChildren(locate: Locate): RouteEntry['handler'] {
  return (context) => {
    const { drive, item } = locate(context);
    return listPage(context, {
      items: drive.childrenOf(item.id),
      context: `drives('${drive.library.driveId}')/items('${item.id}')/children`,
      defaultSize: 200,
      maxSize: 1000,
      render: (child) => renderItem(context, drive, child),
    });
  };
}

function createChild(locate: Locate): RouteEntry['handler'] {
  return async (context) => {
    const body = await context.json();
    const { drive, item: parent } = locate(context);
    if (parent.kind !== 'folder') throw badRequest('drives', 'The parent is not a folder.');
    if (!objectField(body, 'folder')) throw badRequest('drives', 'Only folders can be created without content.');
    const wanted = { parent, name: textField(body, 'name') ?? '' };
    const { name, existing } = settleName(drive, wanted, readConflict(body, 'fail'));
    if (existing?.kind === 'folder') return ok(itemEntity(context, { drive, item: existing }));
    if (existing) throw conflict('drives', 'A file with the same name already exists.');
    const folder = newFolder(context, drive, { parentId: parent.id, name }, body);
    return created(itemEntity(context, { drive, item: folder }));
  };
}

function requireChangeable(context: Context, { drive, item }: Located): void {
  requireMatch('drives', context.headers['if-match'], eTagOf(drive, item));
  if (item.parentId === undefined) throw denied('drives', 'The root can not be changed.');
  requireUnlocked(context, item);
}

function isInside(drive: OpenDrive, item: ItemRecord, folder: ItemRecord): boolean {
  for (let at: ItemRecord | undefined = item; at; at = at.parentId === undefined ? undefined : drive.get(at.parentId)) {
    if (at.id === folder.id) return true;
  }
  return false;
}

function newParent(drive: OpenDrive, item: ItemRecord, body: JsonObject): ItemRecord {
  const reference = objectField(body, 'parentReference');
  const driveId = textField(reference, 'driveId') ?? drive.library.driveId;
  if (driveId !== drive.library.driveId) throw badRequest('drives', 'An item can not be moved to another drive by an update.');
  const parent = requireItem(drive, textField(reference, 'id') ?? item.parentId ?? 'root');
  if (parent.kind !== 'folder') throw badRequest('drives', 'The new parent is not a folder.');
  if (isInside(drive, parent, item)) throw badRequest('drives', 'A folder can not be moved into itself.');
  return parent;
}

async function updateItem(context: Context): Promise<Reply> {
  const body = await context.json();
  const located = locateItem(context);
  const { drive, item } = located;
  requireChangeable(context, located);
  const parent = newParent(drive, item, body);
  const wanted = { parent, name: textField(body, 'name') ?? item.name, exceptId: item.id };
  const { name, existing } = settleName(drive, wanted, readConflict(body, 'fail'));
  if (existing) drive.remove(existing.id, false);
  const description = textField(body, 'description');
  const { isSharingChange: _sharing, ...kept } = item;
  const changed: ItemRecord = {
    ...kept,
    ...readFileTimes(body),
    parentId: parent.id,
    name,
    ...(description === undefined ? {} : { description }),
    modifiedMs: context.tenant.clock.nowMs(),
    modifiedBy: { appId: context.caller.appId },
    revision: item.revision + 1,
  };
  drive.put(changed);
  return ok(itemEntity(context, { drive, item: changed }));
}

function deleteItem(isPurged: boolean): RouteEntry['handler'] {
  return (context) => {
    const located = locateItem(context);
    requireChangeable(context, located);
    located.drive.remove(located.item.id, isPurged);
    return noContent;
  };
}

/** For the fault `vanish`: somebody deletes the item between listing and reading. */
export function vanishItem(context: Context): void {
  const { drive, item } = locateItem(context);
  if (item.parentId === undefined) throw new Failure(403, 'accessDenied', 'The root can not vanish.');
  drive.remove(item.id, false);
}

const ITEM = ['$select'];
const CHILDREN = ['$select', '$top', '$skip', '$count', '$orderby'];
const READ_ITEM = '/drives/{id}/items/{id}';
const BY_PATH = '/drives/{id}/items/{id}:/{path}';
const CHILDREN_OF = '/drives/{id}/items/{id}/children';

/** Items by id and by path, their children, and what changes them. */
export const itemRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/drives/{id}/root', service: 'drives', query: ITEM, handler: readItem(locateRoot) },
  { method: 'GET', path: '/drives/{id}/root:/{path}', like: BY_PATH, service: 'drives', query: ITEM, handler: readItem(locateRoot) },
  {
    method: 'GET',
    path: '/drives/{id}/root/children',
    like: CHILDREN_OF,
    service: 'drives',
    query: CHILDREN,
    handler: listChildren(locateRoot),
  },
  {
    method: 'GET',
    path: '/drives/{id}/root:/{path}:/children',
    like: CHILDREN_OF,
    service: 'drives',
    query: CHILDREN,
    handler: listChildren(locateRoot),
  },
  {
    method: 'POST',
    path: '/drives/{id}/root/children',
    like: CHILDREN_OF,
    service: 'drives',
    query: ITEM,
    handler: createChild(locateRoot),
  },
  { method: 'GET', path: READ_ITEM, service: 'drives', query: ITEM, handler: readItem(locateItem), vanish: vanishItem },
  { method: 'PATCH', path: READ_ITEM, service: 'drives', query: ITEM, handler: updateItem },
  { method: 'PATCH', path: BY_PATH, like: READ_ITEM, service: 'drives', query: ITEM, handler: updateItem },
  { method: 'DELETE', path: READ_ITEM, service: 'drives', handler: deleteItem(false) },
  { method: 'POST', path: '/drives/{id}/items/{id}/permanentDelete', service: 'drives', handler: deleteItem(true) },
  { method: 'GET', path: BY_PATH, service: 'drives', query: ITEM, handler: readItem(locateItem) },
  { method: 'GET', path: CHILDREN_OF, service: 'drives', query: CHILDREN, handler: listChildren(locateItem) },
  {
    method: 'GET',
    path: '/drives/{id}/items/{id}:/{path}:/children',
    like: CHILDREN_OF,
    service: 'drives',
    query: CHILDREN,
    handler: listChildren(locateItem),
  },
  { method: 'POST', path: CHILDREN_OF, service: 'drives', query: ITEM, handler: createChild(locateItem) },
];
