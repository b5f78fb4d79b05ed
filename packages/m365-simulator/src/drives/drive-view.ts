import type { Feed, Positions } from '../state/feed.ts';
import { type Ground, seededChildren, seededIdAt, seededItem } from './drive-ground.ts';
import type { ItemRecord } from './drive-record.ts';
import type { DriveState } from './drive-state.ts';

/** Seed and changes of one drive, put together when something is read. */
export interface DriveView {
  readonly ground: Ground;
  readonly state: DriveState;
}

/** The item even when it is deleted. */
export function peekItem({ ground, state }: DriveView, id: string): ItemRecord | undefined {
  return state.items.get(id) ?? seededItem(ground, id);
}

/** The item, unless it is deleted or was never there. */
export function getItem(view: DriveView, id: string): ItemRecord | undefined {
  const found = peekItem(view, id);
  return found?.deletedMs === undefined ? found : undefined;
}

/** What is in a folder: what the seed put there and is still there, then what came later. */
export function childrenOf(view: DriveView, folderId: string): Positions<ItemRecord> {
  const { ground, state } = view;
  const seeded = seededChildren(ground, folderId);
  const later = state.children.get(folderId) ?? [];
  return {
    size: seeded.size + later.length,
    at(position) {
      const isSeeded = position < seeded.size;
      const id = isSeeded ? seeded.at(position) : later[position - seeded.size];
      const item = id === undefined ? undefined : getItem(view, id);
      if (item?.parentId !== folderId) return undefined;
      return isSeeded || state.placeInFolder.get(item.id) === position - seeded.size ? item : undefined;
    },
  };
}

/** How many items are in a folder, without looking at them. */
export function childCountOf({ ground, state }: DriveView, folderId: string): number {
  return seededChildren(ground, folderId).size + (state.childChange.get(folderId) ?? 0);
}

/** Names of the seed end in the number of the item: which one a name could be of is known without a search. */
const NUMBER_IN_NAME = /(\d+)(?:\.\w+)?$/;

function seededCandidates({ ground }: DriveView, folderId: string, name: string): readonly string[] {
  const index = Number(NUMBER_IN_NAME.exec(name)?.[1] ?? -1);
  const numbered = index > 0 && index < ground.layout.size ? [ground.ids.id({ origin: 'generated', index })] : [];
  return [...numbered, ...(ground.specialsIn.get(folderId) ?? [])];
}

/** By name, without case. Changed items are found by the index, others among the few that the seed could have called so. */
export function childNamed(view: DriveView, folderId: string, name: string): ItemRecord | undefined {
  const wanted = name.toLowerCase();
  const changed = view.state.names.get(folderId)?.get(wanted);
  if (changed !== undefined) return getItem(view, changed);
  for (const id of seededCandidates(view, folderId, wanted)) {
    const item = getItem(view, id);
    if (item?.parentId === folderId && item.name.toLowerCase() === wanted) return item;
  }
  return undefined;
}

/** Where an enumeration shows the item. */
export function positionOf({ ground, state }: DriveView, id: string): number {
  const later = state.placeInOrder.get(id);
  if (later !== undefined) return ground.seededSize + later;
  const number = ground.ids.number(id);
  return number?.origin === 'special' ? ground.layout.size + number.index : (number?.index ?? 0);
}

/** All items in an order in which folders stand before what is in them, and the log of changes. */
export function feedOf(view: DriveView): Feed<ItemRecord> {
  const { ground, state } = view;
  return {
    get size() {
      return ground.seededSize + state.order.length;
    },
    at(position) {
      if (position < ground.seededSize) {
        const id = seededIdAt(ground, position);
        return state.placeInOrder.has(id) ? undefined : getItem(view, id);
      }
      const id = state.order[position - ground.seededSize] ?? '';
      return state.placeInOrder.get(id) === position - ground.seededSize ? getItem(view, id) : undefined;
    },
    log: state.log,
    current: (id) => getItem(view, id),
  };
}

/** The number SharePoint gives the item in the list behind the drive; the root has none. */
export function listNumberOf({ ground }: DriveView, id: string): number {
  const number = ground.ids.number(id);
  if (number?.origin === 'created') return ground.seededSize + number.index;
  return number?.origin === 'special' ? ground.layout.size + number.index : (number?.index ?? 0);
}

export function itemByListNumber(view: DriveView, listNumber: number): ItemRecord | undefined {
  const { ground } = view;
  if (listNumber < ground.seededSize) return getItem(view, seededIdAt(ground, listNumber));
  return getItem(view, ground.ids.id({ origin: 'created', index: listNumber - ground.seededSize }));
}
