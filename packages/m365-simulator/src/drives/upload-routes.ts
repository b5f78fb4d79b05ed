import { objectField, textField } from '../http/body-fields.ts';
import { badRequest, requireMatch } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { type Reply, accepted, created, noContent, ok } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { hashText } from '../values/seeded.ts';
import type { UploadSession } from './drive-state.ts';
import { requireDrive, requireItem, requireUnlocked, siteOf } from './find-item.ts';
import { itemEntity } from './item-routes.ts';
import { makeFolders } from './new-folder.ts';
import type { OpenDrive } from './open-drive.ts';
import { emptyIntake } from './receive-file.ts';
import { eTagOf } from './render-item.ts';
import { commitSession, requireNoOtherSession, requireSession, sessionState, takeFragment } from './upload-session.ts';
import { readConflict, readFileTimes, settleName } from './write-file.ts';

function sessionPath(driveId: string, sessionId: string): string {
  return `/_api/v2.0/drives/${encodeURIComponent(driveId)}/uploadSessions/${sessionId}`;
}

function openSession(context: Context, drive: OpenDrive, target: UploadSession['target'], body: JsonObject): Reply {
  requireNoOtherSession(drive, target);
  const item = objectField(body, 'item') ?? {};
  // A property of personal OneDrive, which nobody reaches as an app.
  if (item['fileSize'] !== undefined) throw badRequest('drives', 'The request is malformed or incorrect.');
  const { clock, switches } = context.tenant;
  drive.state.created += 1;
  const session: UploadSession = {
    id: `${hashText(drive.library.driveId).toString(16)}-${drive.state.created}`,
    target,
    conflict: readConflict(item, switches.uploadConflictDefault),
    ...readFileTimes(item),
    isDeferred: body['deferCommit'] === true,
    appId: context.caller.appId,
    intake: emptyIntake(),
    totalBytes: undefined,
    expiresMs: clock.nowMs() + switches.uploadSessionSeconds * 1000,
  };
  drive.state.sessions.set(session.id, session);
  const uploadUrl = context.links.signed({
    host: 'sharepoint',
    hostName: siteOf(drive.tenant, drive.library).hostName,
    path: sessionPath(drive.library.driveId, session.id),
    claims: { drive: drive.library.driveId, session: session.id },
    livesSeconds: switches.uploadSessionSeconds,
    expiredStatus: 404,
  });
  const annotation = { '@odata.context': context.links.context('microsoft.graph.uploadSession') };
  return ok({ ...annotation, uploadUrl, ...sessionState(session) });
}

async function sessionBody(context: Context): Promise<JsonObject> {
  return context.headers['content-length'] === '0' || context.headers['content-type'] === undefined ? {} : context.json();
}

async function createNamed(context: Context, parentId: string, path: string): Promise<Reply> {
  const body = await sessionBody(context);
  const drive = requireDrive(context);
  const { parent, name } = makeFolders(context, drive, requireItem(drive, parentId), path);
  const conflict = readConflict(objectField(body, 'item') ?? {}, context.tenant.switches.uploadConflictDefault);
  const { existing } = settleName(drive, { parent, name }, conflict);
  if (existing) requireUnlocked(context, existing);
  return openSession(context, drive, { parentId: parent.id, name }, body);
}

async function createForItem(context: Context): Promise<Reply> {
  const body = await sessionBody(context);
  const drive = requireDrive(context);
  const item = requireItem(drive, context.params[1] ?? '');
  requireMatch('drives', context.headers['if-match'], eTagOf(drive, item));
  requireUnlocked(context, item);
  const name = textField(objectField(body, 'item'), 'name');
  if (item.kind === 'folder' && name !== undefined) return createNamed({ ...context, json: () => Promise.resolve(body) }, item.id, name);
  if (item.kind !== 'file') throw badRequest('drives', 'Only a file can be replaced.');
  return openSession(context, drive, { itemId: item.id }, body);
}

function opened(context: Context): { readonly drive: OpenDrive; readonly session: UploadSession } {
  const drive = requireDrive(context, textField(context.claims, 'drive') ?? '');
  return { drive, session: requireSession(drive, textField(context.claims, 'session') ?? '') };
}

function commit(context: Context, drive: OpenDrive, session: UploadSession): Reply {
  const { item, isNew } = commitSession(context, drive, session);
  return (isNew ? created : ok)(itemEntity(context, { drive, item }));
}

async function putFragment(context: Context): Promise<Reply> {
  const { drive, session } = opened(context);
  const isWhole = await takeFragment(context, drive, session);
  return isWhole && !session.isDeferred ? commit(context, drive, session) : accepted({}, sessionState(session));
}

const SESSION = '/_api/v2.0/drives/{id}/uploadSessions/{id}';
const NAMED = '/drives/{id}/items/{id}:/{name}:/createUploadSession';
const LINKED = { path: SESSION, host: 'sharepoint', service: 'drives' } as const;

/** Uploads by fragments: sessions are opened through Graph, and fed by their own address. */
export const uploadRoutes: readonly RouteEntry[] = [
  {
    method: 'POST',
    path: NAMED,
    service: 'drives',
    handler: (context) => createNamed(context, context.params[1] ?? '', context.params[2] ?? ''),
  },
  {
    method: 'POST',
    path: '/drives/{id}/root:/{name}:/createUploadSession',
    like: NAMED,
    service: 'drives',
    handler: (context) => createNamed(context, 'root', context.params[1] ?? ''),
  },
  { method: 'POST', path: '/drives/{id}/items/{id}/createUploadSession', service: 'drives', handler: createForItem },
  { ...LINKED, method: 'PUT', streams: true, handler: putFragment },
  { ...LINKED, method: 'GET', handler: (context) => ok(sessionState(opened(context).session)) },
  {
    ...LINKED,
    method: 'DELETE',
    handler(context) {
      const { drive, session } = opened(context);
      drive.state.sessions.delete(session.id);
      return noContent;
    },
  },
  {
    ...LINKED,
    method: 'POST',
    handler(context) {
      const { drive, session } = opened(context);
      return commit(context, drive, session);
    },
  },
];
