import { useMemo, useSyncExternalStore } from 'react';

/** Whether a media query is true, also when that changes: a window is made smaller, a page is enlarged, the system turns dark. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => globalThis.matchMedia(query), [query]);
  return useSyncExternalStore(
    (listener) => {
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => list.matches,
  );
}
