import type { Feed } from './feed.ts';
import { type ChangeLog, createChangeLog, type Journal, noteChange } from './change-log.ts';

/** Something small that people keep: an event, a contact, a task. Plain data, replaced as a whole. */
export interface Item {
  /** Unique in its list and never used again. */
  readonly number: number;
  /** Counts changes. */
  readonly version: number;
  readonly createdMs: number;
  readonly modifiedMs: number;
}

/** Items of one owner, made when the owner is touched for the first time; plain data for the store. */
export interface ItemList<T extends Item> {
  readonly order: number[];
  readonly items: Map<number, T>;
  readonly log: ChangeLog;
  readonly journal: Journal<T>;
  next: number;
}

/** A list with these items in it from the beginning. */
export function createItemList<T extends Item>(items: readonly T[]): ItemList<T> {
  return {
    order: items.map((item) => item.number),
    items: new Map(items.map((item) => [item.number, item])),
    log: createChangeLog(),
    journal: [],
    next: 1 + Math.max(0, ...items.map((item) => item.number)),
  };
}

/** Adds what `make` returns for the next number. */
export function addItem<T extends Item>(list: ItemList<T>, nowMs: number, make: (number: number) => T): T {
  const item = make(list.next);
  list.next += 1;
  list.order.push(item.number);
  list.items.set(item.number, item);
  list.journal.push({ id: String(item.number), atMs: nowMs, before: undefined });
  noteChange(list.log, String(item.number));
  return item;
}

/** Replaces an item and counts its version up. */
export function putItem<T extends Item>(list: ItemList<T>, nowMs: number, item: T): T {
  const before = list.items.get(item.number);
  const after = { ...item, version: (before?.version ?? 0) + 1, modifiedMs: nowMs };
  list.items.set(item.number, after);
  list.journal.push({ id: String(item.number), atMs: nowMs, before });
  noteChange(list.log, String(item.number));
  return after;
}

export function removeItem<T extends Item>(list: ItemList<T>, nowMs: number, item: T): void {
  list.items.delete(item.number);
  list.journal.push({ id: String(item.number), atMs: nowMs, before: item });
  noteChange(list.log, String(item.number));
}

/** The items that `includes` lets through, in order of creation, as a feed. */
export function feedOfItems<T extends Item>(list: ItemList<T>, includes: (item: T) => boolean = () => true): Feed<T> {
  const shown = (item: T | undefined): T | undefined => (item && includes(item) ? item : undefined);
  return {
    size: list.order.length,
    at: (position) => shown(list.items.get(list.order[position] ?? -1)),
    log: list.log,
    current: (id) => shown(list.items.get(Number(id))),
  };
}

/** All items as they were after change `at`, or as they are. */
export function itemsAt<T extends Item>(list: ItemList<T>, at: number | undefined): T[] {
  const then = new Map(list.items);
  for (let index = list.journal.length - 1; at !== undefined && index >= at; index -= 1) {
    const entry = list.journal[index];
    if (!entry) continue;
    if (entry.before) then.set(Number(entry.id), entry.before);
    else then.delete(Number(entry.id));
  }
  return [...then.values()].sort((a, b) => a.number - b.number);
}
