import type { Actor } from '../state/actor.ts';
import type { JsonObject } from '../values/json.ts';
import type { FileContent } from './file-content.ts';

export interface VersionRecord {
  /** `3.0`; the last one of an item is the current one. */
  readonly id: string;
  readonly content: FileContent;
  readonly modifiedMs: number;
  readonly modifiedBy: Actor;
}

/** A right given on one item, to people or by a link. */
export interface Grant {
  readonly id: string;
  /** Of Graph `read`, `write` and `owner`; of SharePoint any level: `sp.full control`. */
  readonly role: string;
  /** Addresses outside the tenant are kept as `email`. */
  readonly people: readonly { readonly userId?: string; readonly email?: string }[];
  readonly link?: {
    readonly type: 'view' | 'edit';
    readonly scope: 'anonymous' | 'organization' | 'users';
    readonly token: string;
    readonly hasPassword: boolean;
  };
  readonly expiresMs?: number;
}

/** A file or folder as it is now. Replaced by a new record with every change, never changed in place. */
export interface ItemRecord {
  readonly id: string;
  /** Undefined for the root. */
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: 'folder' | 'file' | 'package' | 'remote';
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly createdBy: Actor;
  readonly modifiedBy: Actor;
  /** File times as the client set them. */
  readonly fileCreatedMs: number;
  readonly fileModifiedMs: number;
  /** Moves with every change: the number in the eTag. */
  readonly revision: number;
  /** Moves with the content alone: the number in the cTag. */
  readonly contentRevision: number;
  /** Oldest first; none for folders. */
  readonly versions: readonly VersionRecord[];
  readonly grants: readonly Grant[];
  /** False: rights of the folders above don't count here. */
  readonly inherits: boolean;
  /** Columns of the library. */
  readonly fields?: JsonObject;
  readonly description?: string;
  readonly malware?: string;
  readonly isLocked?: boolean;
  /** Of Microsoft 365 Archive; absent for a file that anybody can open. */
  readonly archiveStatus?: 'fullyArchived' | 'reactivating';
  /** The listing shows this instead of the hash of the bytes. */
  readonly staleHash?: string;
  readonly remote?: { readonly driveId: string; readonly itemId: string };
  readonly packageType?: string;
  /** True when the last change was one of sharing. */
  readonly isSharingChange?: boolean;
  readonly deletedMs?: number;
  readonly isPurged?: boolean;
}

/** The version that content reads give. */
export function currentVersion(item: ItemRecord): VersionRecord | undefined {
  return item.versions.at(-1);
}

export function sizeOf(item: ItemRecord): number {
  return currentVersion(item)?.content.sizeBytes ?? 0;
}

/** What the item takes of the quota: all its versions. */
export function bytesTaken(item: ItemRecord): number {
  return item.versions.reduce((sum, version) => sum + version.content.sizeBytes, 0);
}
