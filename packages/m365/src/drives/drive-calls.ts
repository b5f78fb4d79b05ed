import type { Drive, DriveItem, DriveItemVersion, Permission } from '@microsoft/microsoft-graph-types';
import { graphError, isGraphError } from '../errors/errors.ts';
import type { Caller } from '../client/caller.ts';
import { asKnown, asValues } from '../client/checks.ts';
import type { Known } from '../client/calls.ts';
import { downloadContent } from '../client/content/content.ts';
import { readDelta } from '../client/paging/delta.ts';
import { list } from '../client/paging/listing.ts';
import type { Listing } from '../client/paging/paging-types.ts';
import { UNSIZED, type PageSize } from '../client/paging/page.ts';
import type { GraphCall } from '../client/request/graph-call.ts';
import type { DriveCalls, DriveEntry, DriveItemRef } from './drives-api.ts';
import { cancelUpload, uploadFile } from './upload.ts';

const PAGE: PageSize = { by: 'top', size: 200 };
const DELTA_PAGE: PageSize = { by: 'top', size: 500 };
/** Removals as removals, items behind closed folders, and entries whose sharing changed. */
const DELTA_PREFER = ['deltashowremovedasdeleted', 'deltatraversepermissiongaps', 'deltashowsharingchanges', 'hierarchicalsharing'];

type ReadCalls = Pick<
  DriveCalls,
  | 'userDrive'
  | 'groupDrives'
  | 'siteDrives'
  | 'drive'
  | 'root'
  | 'delta'
  | 'item'
  | 'itemByPath'
  | 'children'
  | 'content'
  | 'versions'
  | 'versionContent'
  | 'permissions'
>;
type WriteCalls = Omit<DriveCalls, keyof ReadCalls>;

const inDrive = ({ driveId, itemId }: DriveItemRef): readonly string[] => [driveId, itemId];

/** Whatever a user's missing OneDrive answers with, it is one thing. */
async function userDrive(caller: Caller, userId: string): Promise<Known<Drive>> {
  try {
    return await caller.known<Drive>({ route: 'GET /users/{id}/drive', params: [userId] });
  } catch (error) {
    if (isGraphError(error, 'graph.item-gone')) throw graphError('graph.drive-missing', error.details, error);
    throw error;
  }
}

/** Drives of the system are listed only when `system` is selected. */
const DRIVE_FIELDS = 'id,name,description,driveType,webUrl,createdDateTime,lastModifiedDateTime,owner,quota,system';

/** Of those of the system, the library of the site's own files has what people put there: pictures of pages, notebooks. */
function ofPeople(drives: Listing<Known<Drive>>): Listing<Known<Drive>> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const drive of drives) if (!drive.system || drive.webUrl?.endsWith('/SiteAssets')) yield drive;
    },
  };
}

function byPath(driveId: string, itemId: string | undefined, path: string): GraphCall {
  const clean = path.replace(/^\/+/, '');
  if (itemId === undefined) return { route: 'GET /drives/{id}/root:/{path}', params: [driveId, clean] };
  return { route: 'GET /drives/{id}/items/{id}:/{path}', params: [driveId, itemId, clean] };
}

function readCalls(caller: Caller): ReadCalls {
  return {
    userDrive: ({ userId }) => userDrive(caller, userId),
    groupDrives: ({ groupId }) => list<Drive>(caller, { route: 'GET /groups/{id}/drives', params: [groupId] }, UNSIZED),
    siteDrives: ({ siteId }) =>
      ofPeople(list<Drive>(caller, { route: 'GET /sites/{id}/drives', params: [siteId], query: { $select: DRIVE_FIELDS } }, UNSIZED)),
    drive: ({ driveId }) => caller.known({ route: 'GET /drives/{id}', params: [driveId] }),
    root: ({ driveId }) => caller.known({ route: 'GET /drives/{id}/root', params: [driveId] }),
    delta: ({ driveId }, cursor, options = {}) =>
      readDelta<DriveItem>(
        caller,
        {
          call: {
            route: 'GET /drives/{id}/root/delta',
            params: [driveId],
            prefer: DELTA_PREFER,
            ...(options.from === undefined ? {} : { query: { token: options.from } }),
          },
          page: options.from === undefined ? DELTA_PAGE : UNSIZED,
        },
        cursor,
      ),
    item: (item) => caller.known({ route: 'GET /drives/{id}/items/{id}', params: inDrive(item) }),
    itemByPath: ({ driveId, itemId }, path) => caller.find<DriveEntry>(byPath(driveId, itemId, path), asKnown),
    children: (item) => list<DriveItem>(caller, { route: 'GET /drives/{id}/items/{id}/children', params: inDrive(item) }, PAGE),
    content: ({ downloadUrl, sizeBytes, ...item }) =>
      downloadContent(caller, {
        locate: { route: 'GET /drives/{id}/items/{id}/content', params: inDrive(item) },
        ...(downloadUrl === undefined ? {} : { downloadUrl }),
        ...(sizeBytes === undefined ? {} : { sizeBytes }),
      }),
    versions: (item) => list<DriveItemVersion>(caller, { route: 'GET /drives/{id}/items/{id}/versions', params: inDrive(item) }, UNSIZED),
    versionContent: ({ driveId, itemId, versionId }) =>
      downloadContent(caller, {
        locate: { route: 'GET /drives/{id}/items/{id}/versions/{id}/content', params: [driveId, itemId, versionId] },
      }),
    permissions: (item) => list<Permission>(caller, { route: 'GET /drives/{id}/items/{id}/permissions', params: inDrive(item) }, UNSIZED),
  };
}

function matching(options: { readonly ifMatch?: string } = {}): Pick<GraphCall, 'headers'> {
  return options.ifMatch === undefined ? {} : { headers: { 'if-match': options.ifMatch } };
}

function writeCalls(caller: Caller): WriteCalls {
  return {
    // With *fail* a second try is told that the name is taken; with *rename* it would make a second folder.
    createFolder: (parent, folder) =>
      caller.known({
        route: 'POST /drives/{id}/items/{id}/children',
        params: inDrive(parent),
        json: { name: folder.name, folder: {}, '@microsoft.graph.conflictBehavior': folder.conflict },
        isRepeatable: folder.conflict !== 'rename',
      }),
    updateItem: (item, change, options) =>
      caller.known({ route: 'PATCH /drives/{id}/items/{id}', params: inDrive(item), json: change, ...matching(options) }),
    deleteItem: (item, options) => caller.remove({ route: 'DELETE /drives/{id}/items/{id}', params: inDrive(item), ...matching(options) }),
    permanentlyDeleteItem: (item) =>
      caller.remove({ route: 'POST /drives/{id}/items/{id}/permanentDelete', params: inDrive(item), isRepeatable: true }),
    upload: (drive, upload, source) => uploadFile(caller, drive, upload, source),
    cancelUpload: (_drive, session) => cancelUpload(caller, session),
    // The same grant to the same people is one grant.
    async invite(item, grant) {
      const values = await caller.get(
        {
          route: 'POST /drives/{id}/items/{id}/invite',
          params: inDrive(item),
          json: { requireSignIn: true, ...grant, sendInvitation: false, retainInheritedPermissions: true },
          isRepeatable: true,
        },
        asValues,
      );
      return values.map((value) => asKnown<Permission>(value));
    },
    createLink: (item, link) =>
      caller.known({
        route: 'POST /drives/{id}/items/{id}/createLink',
        params: inDrive(item),
        json: { ...link, sendNotification: false, retainInheritedPermissions: true },
        isRepeatable: true,
      }),
  };
}

/** Calls of OneDrive and document libraries. */
export function createDriveCalls(caller: Caller): DriveCalls {
  return Object.freeze<DriveCalls>({ ...readCalls(caller), ...writeCalls(caller) });
}
