import type { GuardedByHold, Hold } from '@holdfast/contract/holds';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';

/** A hold in words. */
export function useHoldWords(): {
  readonly on: (hold: Hold) => string;
  readonly period: (hold: Hold) => string;
  /** What it guards now, and what it names without guarding anything of it. */
  readonly guarded: (guarded: GuardedByHold) => readonly (readonly [string, string])[];
} {
  const text = useText();
  const format = useFormat();
  return {
    on: ({ resource }) => (resource === null ? text('holds.everything') : nameWithAddress(resource)),
    period({ from, to }) {
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
