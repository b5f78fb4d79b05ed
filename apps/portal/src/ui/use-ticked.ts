import { useState } from 'react';

/** Rows of a list that the reader has ticked, by their keys. */
export interface Ticked {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly clear: () => void;
}

/** The ticked rows of one list; another list begins without any. */
export function useTicked(): Ticked {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    toggle: (id) => setIds((before) => (before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id]))),
    clear: () => setIds(new Set()),
  };
}
