import type { GuardedByHold, HeldItem, Hold } from '@holdfast/contract/holds';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';

const shownItems = 3;

/** A hold in words. */
export function useHoldWords(): {
  readonly on: (hold: Hold) => string;
  /** The first files and folders that it names, and how many more. */
  readonly items: (items: readonly HeldItem[]) => string;
  readonly period: (hold: Hold) => string;
  /** What it guards now, and what it names without guarding anything of it. */
  readonly guarded: (guarded: GuardedByHold) => readonly (readonly [string, string])[];
} {
  const text = useText();
  const format = useFormat();
  const named = (items: readonly HeldItem[]): string => {
    const names = items
      .slice(0, shownItems)
      .map(({ name }) => name)
      .join(', ');
    return items.length <= shownItems ? names : text('holds.unreachedMore', { names, count: items.length - shownItems });
  };
  return {
    on({ resource, heldItems, search }) {
      if (search !== null) return text('holds.onSearch', { name: search.name });
      if (resource === null) return text('holds.everything');
      const place = nameWithAddress(resource);
      return heldItems.length === 0 ? place : text('holds.itemsIn', { names: named(heldItems), place });
    },
    items: named,
    period({ from, to, heldItems, search }) {
      if (heldItems.length > 0 || search !== null) return text('holds.eachVersion');
      if (from !== null && to !== null) return text('holds.between', { from: format.date(from), to: format.date(to) });
      if (from !== null) return text('holds.since', { from: format.date(from) });
      return to === null ? text('holds.always') : text('holds.until', { to: format.date(to) });
    },
    guarded({ resources, points, items, bytes, unreached, unreachedNames }) {
      const size = format.bytes(bytes);
      const figures = { points: format.count(points), resources: format.count(resources), items: format.count(items), size };
      const names = unreachedNames.join(', ');
      const more = unreached - unreachedNames.length;
      return [
        [text('holds.guards'), points === 0 ? text('holds.guardsNothing') : text('holds.guarded', figures)],
        ...(unreached === 0
          ? []
          : [[text('holds.unreached'), more === 0 ? names : text('holds.unreachedMore', { names, count: more })] as const]),
      ];
    },
  };
}
