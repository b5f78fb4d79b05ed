import { useState } from 'react';

/** Hits that the reader has ticked, by number. */
export interface ChosenHits {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (hitId: string) => void;
  readonly clear: () => void;
}

/** The ticked hits of one search; another search begins without any. */
export function useChosenHits(): ChosenHits {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    toggle: (hitId) =>
      setIds((before) => (before.has(hitId) ? new Set([...before].filter((id) => id !== hitId)) : new Set([...before, hitId]))),
    clear: () => setIds(new Set()),
  };
}
