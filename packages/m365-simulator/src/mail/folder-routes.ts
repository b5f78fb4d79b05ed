import { deltaPage } from '../delta/delta-page.ts';
import { type Feed, positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import { badRequest, conflict, fail } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { project } from '../http/query.ts';
import { created, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { mailIds } from './mail-ids.ts';
import type { MailboxStore } from './mailbox.ts';
import type { FolderRecord } from './mailbox-state.ts';
import { requireFolder, requireMailbox } from './open.ts';
import { DELETED, PURGES, RECOVERABLE_ROOT, ROOT } from './well-known-folders.ts';

function childrenOf(mailbox: MailboxStore, parent: number): FolderRecord[] {
  return mailbox.state.folderOrder
    .map((number) => mailbox.folder(number))
    .filter((folder) => folder !== undefined && folder.parent === parent) as FolderRecord[];
}

/** A folder in JSON. */
export function renderFolder(mailbox: MailboxStore, folder: FolderRecord): JsonObject {
  const ids = mailIds(mailbox.person.id);
  const counts = mailbox.counts(folder);
  return {
    id: ids.folder(folder.number),
    displayName: folder.displayName,
    parentFolderId: ids.folder(Math.max(ROOT, folder.parent)),
    childFolderCount: childrenOf(mailbox, folder.number).length,
    unreadItemCount: counts.unread,
    totalItemCount: counts.total,
    isHidden: folder.isHidden,
  };
}

function withType(entity: JsonObject): JsonObject {
  return { '@odata.type': '#microsoft.graph.mailFolder', ...entity };
}

function listFolders(context: Context, mailbox: MailboxStore, parent: number): Reply {
  const showsHidden = context.query.get('includeHiddenFolders') === 'true';
  const folders = childrenOf(mailbox, parent).filter((folder) => showsHidden || !folder.isHidden);
  return listPage(context, {
    items: positionsOf(folders),
    context: `users('${mailbox.person.id}')/mailFolders`,
    defaultSize: 10,
    maxSize: 999,
    render: (folder) => project(renderFolder(mailbox, folder), context.query.select),
  });
}

function folderFeed(mailbox: MailboxStore): Feed<FolderRecord> {
  const { state } = mailbox;
  const isShown = (folder: FolderRecord | undefined): folder is FolderRecord =>
    folder !== undefined && folder.number !== ROOT && folder.parent >= 0 && folder.parent !== RECOVERABLE_ROOT;
  const shown = (number: number): FolderRecord | undefined => {
    const folder = mailbox.folder(number);
    return isShown(folder) ? folder : undefined;
  };
  return {
    size: state.folderOrder.length,
    at: (position) => shown(state.folderOrder[position] ?? -1),
    log: state.folderLog,
    current: (id) => shown(Number(id)),
  };
}

function foldersDelta(context: Context): Reply {
  const mailbox = requireMailbox(context);
  const ids = mailIds(mailbox.person.id);
  return deltaPage(context, {
    feed: folderFeed(mailbox),
    resource: `folders/${mailbox.person.id}`,
    context: 'Collection(mailFolder)',
    defaultSize: 50,
    maxSize: 500,
    render: (folder, query) => withType(project(renderFolder(mailbox, folder), query.select)),
    removed: (id) => ({ '@odata.type': '#microsoft.graph.mailFolder', id: ids.folder(Number(id)), '@removed': { reason: 'deleted' } }),
  });
}

function nameOf(body: JsonObject): string {
  const name = body['displayName'];
  if (typeof name !== 'string' || name.trim() === '') throw badRequest('outlook', 'The property displayName is required.');
  return name;
}

function refuseTwin(mailbox: MailboxStore, parent: number, name: string, self?: number): void {
  const twin = childrenOf(mailbox, parent).find(
    (folder) => folder.number !== self && folder.displayName.toLowerCase() === name.toLowerCase(),
  );
  if (twin) throw conflict('outlook', 'A folder with the specified name already exists.');
}

async function createFolder(context: Context, parentOf: (mailbox: MailboxStore) => number): Promise<Reply> {
  const mailbox = requireMailbox(context);
  const body = await context.json();
  const parent = parentOf(mailbox);
  const displayName = nameOf(body);
  refuseTwin(mailbox, parent, displayName);
  const folder = mailbox.addFolder({ displayName, parent, isHidden: body['isHidden'] === true });
  const annotation = { '@odata.context': context.links.context(`users('${mailbox.person.id}')/mailFolders/$entity`) };
  return created({ ...annotation, ...renderFolder(mailbox, folder) });
}

async function changeFolder(context: Context): Promise<Reply> {
  const mailbox = requireMailbox(context);
  const folder = requireFolder(mailbox, context.params[1] ?? '');
  const body = await context.json();
  if (folder.wellKnownName !== undefined) throw fail(403, 'ErrorAccessDenied', 'Distinguished folders cannot be renamed.');
  const displayName = nameOf(body);
  refuseTwin(mailbox, folder.parent, displayName, folder.number);
  const renamed = { ...folder, displayName };
  mailbox.putFolder(renamed);
  return ok({
    '@odata.context': context.links.context(`users('${mailbox.person.id}')/mailFolders/$entity`),
    ...renderFolder(mailbox, renamed),
  });
}

/** Past the recycle bin, with all that is in it. */
function purgeFolder(context: Context): Reply {
  const mailbox = requireMailbox(context);
  const folder = requireFolder(mailbox, context.params[1] ?? '');
  if (folder.wellKnownName !== undefined) throw fail(403, 'ErrorAccessDenied', 'Distinguished folders cannot be deleted.');
  const purge = (one: FolderRecord): void => {
    for (const child of childrenOf(mailbox, one.number)) purge(child);
    const feed = mailbox.feed(one);
    for (let position = 0; position < feed.size; position += 1) {
      const message = feed.at(position);
      if (message) mailbox.put({ ...message, folder: PURGES }, { isContent: false });
    }
    mailbox.removeFolder(one.number);
  };
  purge(folder);
  return noContent;
}

/** Moves the folder to the deleted items, with everything in it. One that is there already is deleted for good. */
function deleteFolder(context: Context): Reply {
  const mailbox = requireMailbox(context);
  const folder = requireFolder(mailbox, context.params[1] ?? '');
  if (folder.wellKnownName !== undefined) throw fail(403, 'ErrorAccessDenied', 'Distinguished folders cannot be deleted.');
  if (folder.parent === DELETED) return purgeFolder(context);
  const names = new Set(childrenOf(mailbox, DELETED).map(({ displayName }) => displayName.toLowerCase()));
  let displayName = folder.displayName;
  for (let count = 1; names.has(displayName.toLowerCase()); count += 1) displayName = `${folder.displayName} ${count}`;
  mailbox.putFolder({ ...folder, parent: DELETED, displayName });
  return noContent;
}

function getFolder(context: Context): Reply {
  const mailbox = requireMailbox(context);
  const folder = requireFolder(mailbox, context.params[1] ?? '');
  const annotation = { '@odata.context': context.links.context(`users('${mailbox.person.id}')/mailFolders/$entity`) };
  return ok({ ...annotation, ...project(renderFolder(mailbox, folder), context.query.select) });
}

const LIST = ['$top', '$select', '$skip', '$count'];
const service = 'outlook';

/** Folders of a mailbox. */
export const folderRoutes: readonly RouteEntry[] = [
  {
    method: 'GET',
    path: '/users/{id}/mailFolders',
    service,
    query: LIST,
    handler: (context) => listFolders(context, requireMailbox(context), ROOT),
  },
  { method: 'POST', path: '/users/{id}/mailFolders', service, handler: (context) => createFolder(context, () => ROOT) },
  { method: 'GET', path: '/users/{id}/mailFolders/delta', service, query: ['$select', '$top'], handler: foldersDelta },
  { method: 'GET', path: '/users/{id}/mailFolders/{id}', service, query: ['$select'], handler: getFolder },
  { method: 'PATCH', path: '/users/{id}/mailFolders/{id}', service, handler: changeFolder },
  { method: 'DELETE', path: '/users/{id}/mailFolders/{id}', service, handler: deleteFolder },
  { method: 'POST', path: '/users/{id}/mailFolders/{id}/permanentDelete', service, handler: purgeFolder },
  {
    method: 'GET',
    path: '/users/{id}/mailFolders/{id}/childFolders',
    service,
    query: LIST,
    handler: (context) => {
      const mailbox = requireMailbox(context);
      return listFolders(context, mailbox, requireFolder(mailbox, context.params[1] ?? '').number);
    },
  },
  {
    method: 'POST',
    path: '/users/{id}/mailFolders/{id}/childFolders',
    service,
    handler: (context) => createFolder(context, (mailbox) => requireFolder(mailbox, context.params[1] ?? '').number),
  },
];
