import type { ProxyRight } from '@holdfast/contract/proxy-rights';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';

/** The parts of a proxy right in words. */
export interface RightWords {
  readonly holder: (right: ProxyRight) => string;
  readonly target: (right: ProxyRight) => string;
  readonly may: (right: ProxyRight) => string;
  readonly items: (right: ProxyRight) => string;
  readonly access: (right: ProxyRight) => string;
}

export function useRightWords(): RightWords {
  const text = useText();
  const format = useFormat();
  return {
    holder: ({ holder }) => nameWithAddress(holder),
    target: ({ target }) => (target.kind === 'everyone' ? text('proxyRights.everyone') : nameWithAddress(target)),
    may: ({ may }) => may.map((action) => text(`proxyRights.${action}`)).join(', '),
    items({ mailFrom: from, mailTo: to }) {
      if (from !== null && to !== null) return text('holds.between', { from: format.date(from), to: format.date(to) });
      if (from !== null) return text('holds.since', { from: format.date(from) });
      return to === null ? text('proxyRights.allItems') : text('holds.until', { to: format.date(to) });
    },
    access: ({ accessFrom, accessTo }) => text('holds.between', { from: format.date(accessFrom), to: format.date(accessTo) }),
  };
}
