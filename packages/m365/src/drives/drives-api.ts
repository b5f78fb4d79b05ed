import type { Drive, DriveItem, DriveItemVersion, Permission } from '@microsoft/microsoft-graph-types';
import type { Body, Content, Known, UploadSource } from '../client/calls.ts';
import type { Delta, DeltaCursor, Listing } from '../client/paging/paging-types.ts';
import type { GroupRef, UserRef } from '../directory/directory-api.ts';

export interface DriveRef {
  readonly driveId: string;
}
export interface DriveItemRef extends DriveRef {
  readonly itemId: string;
}
export interface DriveVersionRef extends DriveItemRef {
  readonly versionId: string;
}

/** An item as delta and reads return it. `downloadUrl` opens the content without a token for a while. */
export type DriveEntry = Known<DriveItem> & {
  readonly '@microsoft.graph.downloadUrl'?: string;
  readonly '@microsoft.graph.sharedChanged'?: string;
};

export interface FileContentRequest extends DriveItemRef {
  /** The address from delta, used while it holds; a new one is fetched when it does not. */
  readonly downloadUrl?: string;
  /** The listed size, for the budget of bytes. */
  readonly sizeBytes?: number;
}

export type ConflictBehavior = 'fail' | 'replace' | 'rename';

export interface FileUpload {
  /** A new child of `parentId` by name, or a new version of `itemId`. */
  readonly target: { readonly parentId: string; readonly name: string } | { readonly itemId: string };
  readonly conflict: ConflictBehavior;
  readonly fileSystemInfo?: { readonly createdDateTime: string; readonly lastModifiedDateTime: string };
  /** A session of an earlier run for the same target and content: continued when it still lives. */
  readonly resume?: UploadSessionState;
  /** Called when a session begins and after each fragment, with what must be stored to continue later. */
  onProgress?(state: UploadSessionState): Promise<void> | void;
}

/** An open upload session. The address is a secret: seal it when storing. */
export interface UploadSessionState {
  readonly uploadUrl: string;
  readonly expiresAt: string;
  readonly nextOffsetBytes: number;
}

export interface DriveCalls {
  /** `graph.drive-missing` when the user has no OneDrive. */
  userDrive(user: UserRef): Promise<Known<Drive>>;
  groupDrives(group: GroupRef): Listing<Known<Drive>>;
  /** What people keep files in, the library of the site's own files included. */
  siteDrives(site: { readonly siteId: string }): Listing<Known<Drive>>;
  drive(drive: DriveRef): Promise<Known<Drive>>;
  root(drive: DriveRef): Promise<DriveEntry>;
  /** `from: 'latest'` gives only a cursor for what comes from now on. */
  delta(drive: DriveRef, cursor?: DeltaCursor, options?: { readonly from?: 'latest' }): Delta<DriveEntry>;
  item(item: DriveItemRef): Promise<DriveEntry>;
  /** `undefined` when nothing is there. The path is relative to `itemId`, or to the root without one. */
  itemByPath(drive: DriveRef & { readonly itemId?: string }, path: string): Promise<DriveEntry | undefined>;
  children(item: DriveItemRef): Listing<DriveEntry>;
  createFolder(parent: DriveItemRef, folder: { readonly name: string; readonly conflict: ConflictBehavior }): Promise<DriveEntry>;
  /** Name, parent, file times. */
  updateItem(item: DriveItemRef, change: Body, options?: { readonly ifMatch?: string }): Promise<DriveEntry>;
  deleteItem(item: DriveItemRef, options?: { readonly ifMatch?: string }): Promise<void>;
  permanentlyDeleteItem(item: DriveItemRef): Promise<void>;
  content(file: FileContentRequest): Content;
  versions(item: DriveItemRef): Listing<Known<DriveItemVersion>>;
  /** Not for the current version: use `content`. */
  versionContent(version: DriveVersionRef): Content;
  /** Small and empty files in one request, others by session. Returns the item as the service stored it. */
  upload(drive: DriveRef, upload: FileUpload, source: UploadSource): Promise<DriveEntry>;
  /** Frees the name that an unfinished session holds. A session that is gone is no error. */
  cancelUpload(drive: DriveRef, session: UploadSessionState): Promise<void>;
  permissions(item: DriveItemRef): Listing<Known<Permission>>;
  /** Never sends a mail. */
  invite(item: DriveItemRef, grant: Invitation): Promise<readonly Known<Permission>[]>;
  /** Never sends a mail. Returns the existing link when there is one. */
  createLink(item: DriveItemRef, link: SharingLinkRequest): Promise<Known<Permission>>;
}

export type SharingRecipient = { readonly email: string } | { readonly objectId: string };

export interface Invitation {
  readonly recipients: readonly SharingRecipient[];
  readonly roles: readonly string[];
  readonly requireSignIn?: boolean;
  readonly expirationDateTime?: string;
}

export interface SharingLinkRequest {
  readonly type: string;
  readonly scope: string;
  /** The people of a link of scope `users`; the answer says whom the service has taken in. */
  readonly recipients?: readonly SharingRecipient[];
  readonly expirationDateTime?: string;
}
