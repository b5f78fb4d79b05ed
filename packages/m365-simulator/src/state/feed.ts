import type { ChangeLog } from './change-log.ts';

/**
 * Items in an order that never changes: positions are given once, a removed item leaves a hole, new ones come at the
 * end. A page can so begin anywhere at no cost, whatever happened since the page before.
 */
export interface Positions<Item> {
  readonly size: number;
  /** `undefined` for a hole. */
  at(position: number): Item | undefined;
}

/** What a delta runs over: everything once by position, then by the log of changes. */
export interface Feed<Item> extends Positions<Item> {
  readonly log: ChangeLog;
  /** The item as it is now, `undefined` when it is gone from here. */
  current(id: string): Item | undefined;
}

/** Positions of a plain list without holes. */
export function positionsOf<Item>(items: readonly Item[]): Positions<Item> {
  return { size: items.length, at: (position) => items[position] };
}
