import type { ContentRef } from '@holdfast/vault';

/** A value as JSON has it: what an item's properties are made of. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** What can be protected as one unit, with restore points of its own. */
export const resourceKinds = ['mailbox', 'drive', 'site', 'team', 'chat', 'archive', 'journal'] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** A resource as the engine is told of it. `id` is ours and stable; `graphId` is what Microsoft calls it. */
export interface Resource {
  readonly id: string;
  readonly kind: ResourceKind;
  readonly graphId: string;
  readonly name: string;
  /** Mail address or web address, for people. */
  readonly address?: string;
}

/** Every kind of item; containers are items too, so that a folder's rename is a version like any other. */
export const itemKinds = [
  'area',
  'mailFolder',
  'message',
  'calendar',
  'event',
  'contactFolder',
  'contact',
  'taskList',
  'task',
  'rule',
  'category',
  'mailboxSettings',
  'library',
  'folder',
  'file',
  'package',
  'shortcut',
  'site',
  'list',
  'listItem',
  'page',
  'team',
  'channel',
  'post',
  'reply',
  'chat',
  'chatMessage',
  'journalReport',
] as const;
export type ItemKind = (typeof itemKinds)[number];

const containers: ReadonlySet<ItemKind> = new Set<ItemKind>([
  'area',
  'mailFolder',
  'calendar',
  'contactFolder',
  'taskList',
  'library',
  'folder',
  'package',
  'site',
  'list',
  'team',
  'channel',
  'post',
  'chat',
]);

/** True for kinds that other items can be in. */
export function isContainer(kind: ItemKind): boolean {
  return containers.has(kind);
}

/** What a stored stream of an item is. `version` is an earlier version of a file, named by `label`. */
export type ContentRole = 'mime' | 'file' | 'version' | 'attachment' | 'photo' | 'hosted' | 'export' | 'part';

/** One stored stream: `ref` is what the vault gave for it, with size and hash of the exact bytes received. */
export interface Content {
  readonly role: ContentRole;
  readonly ref: ContentRef;
  /** Tells several of one role apart: an attachment's or version's id. */
  readonly label?: string;
  readonly mediaType?: string;
}

/**
 * One version of an item: all that browsing, comparing and restoring need without the service.
 * `contentTag` changes exactly when the stored streams must be read again.
 */
export interface ItemVersion {
  readonly key: string;
  readonly kind: ItemKind;
  /** The container's key; null at the root of the resource. */
  readonly parentKey: string | null;
  readonly name: string;
  readonly sizeBytes: number;
  readonly createdAt?: string;
  readonly modifiedAt?: string;
  readonly contentTag: string;
  readonly contents: readonly Content[];
  readonly properties: JsonObject;
}
