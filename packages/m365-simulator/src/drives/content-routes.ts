import { listPage } from '../delta/list-page.ts';
import { positionsOf } from '../state/feed.ts';
import { Failure, badRequest, notFound, requireMatch } from '../http/failure.ts';
import { type Reply, created, ok, redirect } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { downloadUrl, requireClean } from './download-link.ts';
import { type FileContent, uploadedContent } from './file-content.ts';
import { requireDrive, requireItem, requireUnlocked } from './find-item.ts';
import { type Located, itemEntity, locateItem, locateRoot, vanishItem } from './item-routes.ts';
import { makeFolders } from './new-folder.ts';
import { receiveFile } from './receive-file.ts';
import { eTagOf, renderActor, driveTime } from './render-item.ts';
import { createFile, readConflict, replaceContent, settleName } from './write-file.ts';

const LARGEST_PUT_BYTES = 250 * 1024 * 1024;

/** Refuses what has no content to read: folders, notebooks, shortcuts; and what must not be read. */
function requireReadable(context: Context, { item }: Located): void {
  if (item.kind !== 'file') throw notFound('drives', 'You can not get content for a folder');
  requireClean(context, item);
  requireUnlocked(context, item);
}

function readContent(locate: (context: Context) => Located): RouteEntry['handler'] {
  return (context) => {
    const located = locate(context);
    requireReadable(context, located);
    return redirect(downloadUrl(context, located.drive, { itemId: located.item.id }));
  };
}

function tooLarge(): Failure {
  return new Failure(413, 'RequestEntityTooLarge', 'The request is too large.');
}

async function putBody(context: Context): Promise<FileContent> {
  const options = { limitBytes: LARGEST_PUT_BYTES, tooLong: tooLarge };
  const { bytes, row } = await receiveFile(context.tenant.received, context.stream, options);
  return uploadedContent(bytes, row);
}

async function putContent(context: Context): Promise<Reply> {
  const content = await putBody(context);
  const { drive, item } = locateItem(context);
  requireMatch('drives', context.headers['if-match'], eTagOf(drive, item));
  requireUnlocked(context, item);
  if (item.kind !== 'file') throw badRequest('drives', 'Only files have content.');
  const changed = replaceContent(context, drive, item, { content, actor: { appId: context.caller.appId } });
  return ok(itemEntity(context, { drive, item: changed }));
}

async function putNewContent(context: Context, parentId: string, path: string): Promise<Reply> {
  const content = await putBody(context);
  const drive = requireDrive(context);
  const { parent, name } = makeFolders(context, drive, requireItem(drive, parentId), path);
  const behavior = readConflict({ '@microsoft.graph.conflictBehavior': context.query.get('@microsoft.graph.conflictBehavior') }, 'replace');
  const settled = settleName(drive, { parent, name }, behavior);
  const given = { content, actor: { appId: context.caller.appId } };
  if (settled.existing) {
    requireUnlocked(context, settled.existing);
    return ok(itemEntity(context, { drive, item: replaceContent(context, drive, settled.existing, given) }));
  }
  return created(itemEntity(context, { drive, item: createFile(context, drive, { parentId: parent.id, name: settled.name }, given) }));
}

function listVersions(context: Context): Reply {
  const { drive, item } = locateItem(context);
  if (item.kind !== 'file') throw notFound('drives', 'The item has no versions.');
  return listPage(context, {
    items: positionsOf(item.versions.toReversed()),
    context: `drives('${drive.library.driveId}')/items('${item.id}')/versions`,
    defaultSize: 200,
    maxSize: 1000,
    render: (version) => ({
      '@microsoft.graph.downloadUrl': downloadUrl(context, drive, { itemId: item.id, versionId: version.id }),
      id: version.id,
      lastModifiedDateTime: driveTime(version.modifiedMs),
      lastModifiedBy: renderActor(context.tenant, version.modifiedBy),
      size: version.content.sizeBytes,
    }),
  });
}

function readVersion(context: Context): Reply {
  const drive = requireDrive(context);
  const [, itemId = '', versionId = ''] = context.params;
  const item = requireItem(drive, itemId);
  requireReadable(context, { drive, item });
  const version = item.versions.find(({ id }) => id === versionId);
  if (!version) throw notFound('drives', 'The version does not exist.');
  if (version === item.versions.at(-1)) throw new Failure(400, 'invalidRequest', 'You cannot get the content of the current version.');
  return redirect(downloadUrl(context, drive, { itemId: item.id, versionId }));
}

const CONTENT = '/drives/{id}/items/{id}/content';
const PUT_NAMED = '/drives/{id}/items/{id}:/{name}:/content';

/** Contents of files and of their versions. */
export const contentRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: CONTENT, service: 'drives', handler: readContent(locateItem), vanish: vanishItem },
  { method: 'GET', path: '/drives/{id}/items/{id}:/{path}:/content', like: CONTENT, service: 'drives', handler: readContent(locateItem) },
  { method: 'GET', path: '/drives/{id}/root:/{path}:/content', like: CONTENT, service: 'drives', handler: readContent(locateRoot) },
  { method: 'PUT', path: CONTENT, service: 'drives', streams: true, handler: putContent },
  {
    method: 'PUT',
    path: PUT_NAMED,
    service: 'drives',
    streams: true,
    handler: (context) => putNewContent(context, context.params[1] ?? '', context.params[2] ?? ''),
  },
  {
    method: 'PUT',
    path: '/drives/{id}/root:/{name}:/content',
    like: PUT_NAMED,
    service: 'drives',
    streams: true,
    handler: (context) => putNewContent(context, 'root', context.params[1] ?? ''),
  },
  { method: 'GET', path: '/drives/{id}/items/{id}/versions', service: 'drives', query: ['$select', '$top'], handler: listVersions },
  { method: 'GET', path: '/drives/{id}/items/{id}/versions/{id}/content', service: 'drives', handler: readVersion },
];
