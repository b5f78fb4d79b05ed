import { collect } from '@holdfast/foundation/streams';
import { isGraphError } from '../errors/errors.ts';
import type { Answer, Caller } from '../client/caller.ts';
import type { UploadSource } from '../client/calls.ts';
import { asKnown, isObject } from '../client/checks.ts';
import { asSession, uploadInSession, type OpenSession } from '../client/content/upload-session.ts';
import type { GraphCall } from '../client/request/graph-call.ts';
import type { DriveEntry, DriveRef, FileUpload } from './drives-api.ts';

/** Up to this size one request carries the content; above it a session does, which can be continued. */
const SINGLE_REQUEST_BYTES = 4 * 1024 * 1024;
/** A multiple of 320 KiB, as the service demands. */
const FRAGMENT_BYTES = 32 * 320 * 1024;
/** So much goes without a session when none can be opened: one of a process that died keeps the name until it expires. */
const WITHOUT_SESSION_BYTES = 60 * 1024 * 1024;
const CONFLICT = '@microsoft.graph.conflictBehavior';

type Place = Pick<GraphCall, 'route' | 'params'>;

function contentPlace({ driveId }: DriveRef, { target }: FileUpload): Place {
  if ('itemId' in target) return { route: 'PUT /drives/{id}/items/{id}/content', params: [driveId, target.itemId] };
  return { route: 'PUT /drives/{id}/items/{id}:/{name}:/content', params: [driveId, target.parentId, target.name] };
}

function sessionPlace({ driveId }: DriveRef, { target }: FileUpload): Place {
  if ('itemId' in target) return { route: 'POST /drives/{id}/items/{id}/createUploadSession', params: [driveId, target.itemId] };
  return { route: 'POST /drives/{id}/items/{id}:/{name}:/createUploadSession', params: [driveId, target.parentId, target.name] };
}

async function putContent(caller: Caller, drive: DriveRef, upload: FileUpload, source: UploadSource): Promise<DriveEntry> {
  const bytes = await collect(source.open(0), source.sizeBytes);
  const item: DriveEntry = await caller.known({
    ...contentPlace(drive, upload),
    ...('itemId' in upload.target ? {} : { query: { [CONFLICT]: upload.conflict } }),
    raw: { bytes, contentType: 'application/octet-stream' },
    bytesOut: bytes.byteLength,
  });
  if (!upload.fileSystemInfo) return item;
  return caller.known({
    route: 'PATCH /drives/{id}/items/{id}',
    params: [drive.driveId, item.id],
    json: { fileSystemInfo: upload.fileSystemInfo },
  });
}

/** What is at the target now, when it has the size that was sent: the upload whose answer was lost. */
async function findUploaded(caller: Caller, drive: DriveRef, upload: FileUpload, sizeBytes: number): Promise<Answer | undefined> {
  const { target } = upload;
  const place: Place =
    'itemId' in target
      ? { route: 'GET /drives/{id}/items/{id}', params: [drive.driveId, target.itemId] }
      : { route: 'GET /drives/{id}/items/{id}:/{path}', params: [drive.driveId, target.parentId, target.name] };
  const found = await caller.find<DriveEntry>(place, asKnown);
  return found?.size === sizeBytes ? { status: 200, headers: {}, value: found } : undefined;
}

/** With a deferred commit the finished session waits for an empty request before the name or the version changes. */
async function commit(caller: Caller, session: OpenSession, recover: () => Promise<Answer | undefined>): Promise<Answer> {
  try {
    return await caller.answer({ route: 'POST spo:{uploadUrl}', link: session.uploadUrl, isRepeatable: true });
  } catch (error) {
    if (!isGraphError(error, 'graph.address-expired', 'graph.item-gone')) throw error;
    const found = await recover();
    if (!found) throw error;
    return found;
  }
}

/** Content in a session. Nothing changes at the target until all of it has arrived. */
async function putInSession(caller: Caller, drive: DriveRef, upload: FileUpload, source: UploadSource): Promise<DriveEntry> {
  let current: OpenSession | undefined = upload.resume;
  const recover = (): Promise<Answer | undefined> => findUploaded(caller, drive, upload, source.sizeBytes);
  // No `fileSize`: OneDrive for Business and SharePoint refuse a session that states one.
  const item = {
    [CONFLICT]: upload.conflict,
    ...('itemId' in upload.target ? {} : { name: upload.target.name }),
    ...(upload.fileSystemInfo ? { fileSystemInfo: upload.fileSystemInfo } : {}),
  };
  const answer = await uploadInSession(
    caller,
    {
      put: 'PUT spo:{uploadUrl}',
      status: 'GET spo:{uploadUrl}',
      fragmentBytes: FRAGMENT_BYTES,
      // A second session for the name is refused while the first is open, and the first expires by itself.
      open: () => caller.get({ ...sessionPlace(drive, upload), json: { item, deferCommit: true }, isRepeatable: true }, asSession),
      ...(upload.resume ? { resume: upload.resume } : {}),
      recover,
      onProgress(session) {
        current = session;
        return upload.onProgress?.(session);
      },
    },
    source,
  );
  const isDone = isObject(answer.value) && typeof answer.value['id'] === 'string';
  if (isDone || !current) return asKnown(answer.value);
  return asKnown((await commit(caller, current, recover)).value);
}

/** Stores a file: a new child or a new version. */
export async function uploadFile(caller: Caller, drive: DriveRef, upload: FileUpload, source: UploadSource): Promise<DriveEntry> {
  if (source.sizeBytes <= SINGLE_REQUEST_BYTES && !upload.resume) return putContent(caller, drive, upload, source);
  try {
    return await putInSession(caller, drive, upload, source);
  } catch (error) {
    // The service says the same of a name that is taken and of one with an open session; one request tells them apart.
    if (!isGraphError(error, 'graph.name-taken') || source.sizeBytes > WITHOUT_SESSION_BYTES) throw error;
    return putContent(caller, drive, upload, source);
  }
}

/** Ends a session that will not be continued. */
export async function cancelUpload(caller: Caller, session: OpenSession): Promise<void> {
  try {
    await caller.remove({ route: 'DELETE spo:{uploadUrl}', link: session.uploadUrl });
  } catch (error) {
    if (!isGraphError(error, 'graph.address-expired')) throw error;
  }
}
