import type { Feed, Positions } from '../state/feed.ts';
import type { LibraryPlace } from '../places/places.ts';
import { noteChange } from '../state/change-log.ts';
import type { Tenant } from '../state/tenant.ts';
import { groundOf, seededIdAt, seededItem, usedBySeed } from './drive-ground.ts';
import { type ItemRecord, bytesTaken } from './drive-record.ts';
import { type DriveState, driveState } from './drive-state.ts';
import {
  type DriveView,
  childCountOf,
  childNamed,
  childrenOf,
  feedOf,
  getItem,
  itemByListNumber,
  listNumberOf,
  peekItem,
  positionOf,
} from './drive-view.ts';

/** A drive as it is now, and the only way to change it. */
export interface OpenDrive {
  readonly tenant: Tenant;
  readonly library: LibraryPlace;
  readonly rootId: string;
  /** The item, unless it is deleted or was never there. */
  get(id: string): ItemRecord | undefined;
  /** The item even when it is deleted. */
  peek(id: string): ItemRecord | undefined;
  childrenOf(folderId: string): Positions<ItemRecord>;
  childCountOf(folderId: string): number;
  /** By name, without case. */
  childNamed(folderId: string, name: string): ItemRecord | undefined;
  newId(): string;
  /** Creates or replaces: files it under its parent, logs the change. */
  put(record: ItemRecord): void;
  /** Deletes an item with all that is in it. */
  remove(id: string, isPurged: boolean): void;
  readonly feed: Feed<ItemRecord>;
  readonly state: DriveState;
  /** Bytes of all versions of all items. */
  usedBytes(): number;
  guid(id: string): string;
  /** The number SharePoint gives the item in the list behind the drive. */
  listItemId(id: string): number;
  itemByListId(listItemId: number): ItemRecord | undefined;
  /** The id at a position of the seed, whatever became of the item. */
  idAt(position: number): string;
  /** The item as the seed made it, before any change. */
  seeded(id: string): ItemRecord | undefined;
}

function nameIn(state: DriveState, folderId: string): Map<string, string> {
  const known = state.names.get(folderId);
  if (known) return known;
  const made = new Map<string, string>();
  state.names.set(folderId, made);
  return made;
}

function log({ ground, state }: DriveView, id: string, before: ItemRecord | null | undefined): void {
  const atMs = ground.tenant.clock.nowMs();
  noteChange(state.log, id);
  state.logMs.push(atMs);
  state.journal.push({ id, atMs, before });
}

function countChild(state: DriveState, parentId: string | undefined, by: 1 | -1): void {
  if (parentId !== undefined) state.childChange.set(parentId, (state.childChange.get(parentId) ?? 0) + by);
}

function forgetName(state: DriveState, { parentId = '', name }: ItemRecord): void {
  state.names.get(parentId)?.delete(name.toLowerCase());
}

function fileUnderParent({ ground, state }: DriveView, record: ItemRecord, before: ItemRecord | undefined): void {
  const { id, parentId = '' } = record;
  if (before) forgetName(state, before);
  nameIn(state, parentId).set(record.name.toLowerCase(), id);
  if (before?.parentId === parentId && before.deletedMs === undefined) return;
  if (seededItem(ground, id)?.parentId === parentId) return;
  const list = state.children.get(parentId) ?? [];
  state.children.set(parentId, list);
  state.placeInFolder.set(id, list.length);
  list.push(id);
}

/** An enumeration shows a folder before what is in it: what moved below something later gets a later position. */
function standAfterParent(view: DriveView, record: ItemRecord): void {
  const { ground, state } = view;
  const isNew = !state.placeInOrder.has(record.id) && ground.ids.number(record.id)?.origin === 'created';
  if (!isNew && positionOf(view, record.id) > positionOf(view, record.parentId ?? '')) return;
  state.placeInOrder.set(record.id, state.order.length);
  state.order.push(record.id);
  if (record.kind === 'file') return;
  const children = childrenOf(view, record.id);
  for (let position = 0; position < children.size; position += 1) {
    const child = children.at(position);
    if (child) standAfterParent(view, child);
  }
}

function put(view: DriveView, record: ItemRecord): void {
  const { state } = view;
  const before = peekItem(view, record.id);
  const stored = state.items.get(record.id);
  state.usedDelta += bytesTaken(record) - (before && before.deletedMs === undefined ? bytesTaken(before) : 0);
  state.items.set(record.id, record);
  if (before && before.deletedMs === undefined) countChild(state, before.parentId, -1);
  countChild(state, record.parentId, 1);
  if (record.parentId !== undefined) {
    fileUnderParent(view, record, before);
    standAfterParent(view, record);
  }
  log(view, record.id, stored ?? (before ? null : undefined));
}

function remove(view: DriveView, id: string, isPurged: boolean): void {
  const { ground, state } = view;
  const item = getItem(view, id);
  if (!item) return;
  const children = childrenOf(view, id);
  for (let position = children.size - 1; position >= 0; position -= 1) {
    const child = children.at(position);
    if (child) remove(view, child.id, isPurged);
  }
  const stored = state.items.get(id);
  state.usedDelta -= bytesTaken(item);
  if (!isPurged) state.deletedBytes += bytesTaken(item);
  state.items.set(id, { ...item, deletedMs: ground.tenant.clock.nowMs(), ...(isPurged ? { isPurged } : {}) });
  forgetName(state, item);
  countChild(state, item.parentId, -1);
  log(view, id, stored ?? null);
}

function newId({ ground, state }: DriveView): string {
  state.created += 1;
  return ground.ids.id({ origin: 'created', index: state.created });
}

/** Opens a drive for one request: a view on the store, kept no longer. */
export function openDrive(tenant: Tenant, library: LibraryPlace): OpenDrive {
  const ground = groundOf(tenant, library);
  const state = driveState(tenant, library.driveId);
  const view: DriveView = { ground, state };
  return Object.freeze({
    tenant,
    library,
    rootId: ground.ids.id({ origin: 'generated', index: 0 }),
    get: (id: string) => getItem(view, id),
    peek: (id: string) => peekItem(view, id),
    childrenOf: (folderId: string) => childrenOf(view, folderId),
    childCountOf: (folderId: string) => childCountOf(view, folderId),
    childNamed: (folderId: string, name: string) => childNamed(view, folderId, name),
    newId: () => newId(view),
    put: (record: ItemRecord) => put(view, record),
    remove: (id: string, isPurged: boolean) => remove(view, id, isPurged),
    feed: feedOf(view),
    state,
    usedBytes: () => usedBySeed(ground) + state.usedDelta,
    guid: (id: string) => ground.ids.guid(id),
    listItemId: (id: string) => listNumberOf(view, id),
    itemByListId: (listItemId: number) => itemByListNumber(view, listItemId),
    idAt: (position: number) => seededIdAt(ground, position),
    seeded: (id: string) => seededItem(ground, id),
  });
}
