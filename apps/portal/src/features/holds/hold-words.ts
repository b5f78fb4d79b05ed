import type { Hold } from '@holdfast/contract/holds';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';

/** A hold in words. */
export function useHoldWords(): { readonly on: (hold: Hold) => string; readonly period: (hold: Hold) => string } {
  const text = useText();
  const format = useFormat();
  return {
    on: ({ resource }) => (resource === null ? text('holds.everything') : nameWithAddress(resource)),
    period({ from, to }) {
      if (from !== null && to !== null) return text('holds.between', { from: format.date(from), to: format.date(to) });
      if (from !== null) return text('holds.since', { from: format.date(from) });
      return to === null ? text('holds.always') : text('holds.until', { to: format.date(to) });
    },
  };
}
